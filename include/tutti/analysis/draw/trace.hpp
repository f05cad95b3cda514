// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tutti/analysis/draw/number.hpp>
#include <tutti/analysis/timeline.hpp>

namespace tutti::analysis {

namespace draw {

/// One entry of a Chrome trace after another.
class trace_entries {
public:
    /// Names the track (`rank`, `lane`).
    void track(std::size_t rank, std::size_t lane, std::string_view name) {
        start("M", rank, lane);
        text_ += ",\"name\":\"thread_name\",\"args\":{\"name\":\"" + std::string{name} + "\"}}";
    }

    void process(std::size_t rank) {
        start("M", rank, 0);
        text_ += ",\"name\":\"process_name\",\"args\":{\"name\":\"rank " + std::to_string(rank) + "\"}}";
        start("M", rank, 0);
        text_ += ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":" + std::to_string(rank) + "}}";
    }

    void span(std::size_t rank, std::size_t lane, std::string const& name, timeline::event const& each) {
        start("X", rank, lane);
        text_ += ",\"name\":\"" + name + "\",\"cat\":\"" + std::string{analysis::name(each.what)} + "\",\"ts\":" +
                 number(each.start) + ",\"dur\":" + number(each.end - each.start) + ",\"args\":{\"peer\":" +
                 std::to_string(rank == each.rank ? each.peer : each.rank) + ",\"block\":" +
                 std::to_string(each.block) + ",\"blocks\":" + std::to_string(each.blocks) + "}}";
    }

    /// An arrow from the send to the receive of one message.
    void arrow(std::size_t from, std::size_t from_lane, std::size_t to, std::size_t to_lane, std::size_t id,
               timeline::event const& each) {
        auto const common = ",\"name\":\"message\",\"cat\":\"message\",\"id\":" + std::to_string(id) + ",\"ts\":";
        start("s", from, from_lane);
        text_ += common + number(each.start) + '}';
        start("f", to, to_lane);
        text_ += common + number(each.end) + ",\"bp\":\"e\"}";
    }

    [[nodiscard]] std::string finish() const {
        return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[" + text_ + "\n]}\n";
    }

private:
    void start(std::string_view phase, std::size_t rank, std::size_t lane) {
        text_ += text_.empty() ? "\n" : ",\n";
        text_ += "{\"ph\":\"" + std::string{phase} + "\",\"pid\":" + std::to_string(rank) + ",\"tid\":" +
                 std::to_string(lane);
    }

    std::string text_;
};

}  // namespace draw

/// A timeline as trace JSON for Perfetto and chrome://tracing: a process for each rank with the tracks send,
/// receive and combine; one unit of time is shown as a microsecond.
[[nodiscard]] inline std::string to_trace(timeline const& line) {
    constexpr std::size_t send = 0;
    constexpr std::size_t receive = 1;
    constexpr std::size_t combine = 2;
    draw::trace_entries entries;
    for (std::size_t rank = 0; rank < line.size(); ++rank) {
        entries.process(rank);
        entries.track(rank, send, "send");
        entries.track(rank, receive, "receive");
        entries.track(rank, combine, "combine");
    }
    std::size_t messages = 0;
    for (auto const& each : line.events) {
        auto const block = " block " + std::to_string(each.block);
        if (each.what == activity::transfer) {
            entries.span(each.rank, send, "send" + block + " to " + std::to_string(each.peer), each);
            entries.span(each.peer, receive, "receive" + block + " from " + std::to_string(each.rank), each);
            entries.arrow(each.rank, send, each.peer, receive, messages++, each);
        } else {
            entries.span(each.rank, combine, std::string{name(each.what)} + block, each);
        }
    }
    return entries.finish();
}

}  // namespace tutti::analysis

namespace tutti {
using analysis::to_trace;
}  // namespace tutti
