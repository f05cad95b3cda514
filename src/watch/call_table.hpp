// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pmpi/expected_gain.hpp>
#include <tutti/arrival/clock.hpp>
#include <tutti/communicator/agreement.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/mpi.hpp>
#include <watch/known_communicators.hpp>
#include <watch/options.hpp>
#include <watch/packed.hpp>
#include <watch/site_table.hpp>
#include <watch/ticks.hpp>

namespace tutti::watch {

/// What `TUTTI=report` prints in MPI_Finalize. Until then nothing is sent: each rank keeps when it came to its calls,
/// and the offsets of the ranks' clocks are measured in MPI_Init and in MPI_Finalize.
class call_table {
public:
    [[nodiscard]] static call_table& get() {
        static auto& one = *new call_table;
        return one;
    }

    /// On all ranks after MPI_Init, which have the private communicator of MPI_COMM_WORLD.
    void begin(std::optional<named_file> const& file) {
        file_ = file;
        clock_.measure(world());
        rate_.emplace(mpi::communicator::now());
    }

    /// On all ranks before MPI_Finalize.
    void print() noexcept {
        if (!rate_) {
            std::fputs("tutti: no report, since MPI gave a rank no private communicator in MPI_Init\n", stderr);
            return;
        }
        try {
            clock_.measure(world());
            rate_->read_again(mpi::communicator::now());
            channel messages{world()};
            find_last_ones(messages);
            auto const rows = rows_of_all_ranks(messages);
            if (messages.rank() == 0) { write(site_table{rows}); }
        } catch (std::exception const& wrong) { std::fprintf(stderr, "tutti: no report: %s\n", wrong.what()); }
    }

private:
    using channel = messaging::control_channel<mpi::communicator>;

    call_table() = default;

    [[nodiscard]] static mpi::communicator& world() { return communicator_of<MPI_Comm>::get(MPI_COMM_WORLD); }

    /// Combines a value of each of these ranks along a tree of them: on all, or on the first alone.
    template <class Value, class Combine>
    static void reduce(channel& messages, std::vector<int> const& ranks, bool to_all, Value& mine, Combine combine) {
        auto const at = [&](int place) { return ranks[static_cast<std::size_t>(place)]; };
        auto const send = [&](int to, Value const& value) {
            auto const bytes = packed(value);
            messages.send(at(to), messaging::payload{static_cast<std::int64_t>(bytes.size())});
            messages.send(at(to), std::as_bytes(std::span{bytes}));
        };
        auto const receive = [&](int from, Value& value) {
            messaging::payload size(1);
            messages.receive(at(from), size);
            std::string bytes(static_cast<std::size_t>(size[0]), '\0');
            messages.receive(at(from), std::as_writable_bytes(std::span{bytes}));
            std::string_view rest = bytes;
            static_cast<void>(unpack(rest, value));
        };
        auto const place = std::find(ranks.begin(), ranks.end(), messages.rank()) - ranks.begin();
        control::binomial_tree const tree{static_cast<int>(place), static_cast<int>(ranks.size())};
        Value theirs;
        to_all ? control::all_reduce(tree, mine, theirs, combine, send, receive)
               : control::reduce(tree, mine, theirs, combine, send, receive);
    }
    [[nodiscard]] static std::vector<int> const& all_ranks() {
        return known_communicators::get().find(MPI_COMM_WORLD)->members;
    }

    /// Finds out which rank was the last to arrive at each call, and how long this one has waited for it: on the
    /// communicators on which all ranks have counted as many calls, which may differ in a wrong program.
    void find_last_ones(channel& messages) const {
        using counts = std::map<std::uint64_t, std::uint64_t>;
        auto const digest_of = [](known_communicator const& one) {
            return one.id * 1000003 + one.calls * 31 + one.stamps.kept().size();
        };
        counts ranks;  // by what they know alike
        known_communicators::get().for_all_ever([&](known_communicator const& each) {
            if (!each.stamps.kept().empty()) { ranks[digest_of(each)] = 1; }
        });
        reduce(messages, all_ranks(), true, ranks, [](counts& mine, counts const& theirs) {
            for (auto const& [digest, number] : theirs) { mine[digest] += number; }
        });
        known_communicators::get().for_all_ever([&](known_communicator& each) {
            if (each.members.size() > 1 && ranks[digest_of(each)] == each.members.size()) { evaluate(messages, each); }
        });
    }

    void evaluate(channel& messages, known_communicator& on) const {
        struct arrival {
            std::int64_t time;  // ns of the clock of rank 0
            std::int64_t rank;
        };
        auto const time_of = [&](std::uint64_t tick) { return clock_.at(rate_->clock_at(tick)); };
        auto const& stamps = on.stamps.kept();
        std::vector<arrival> latest;
        for (auto const& each : stamps) { latest.push_back({time_of(each.begun), messages.rank()}); }
        auto const is_later = [](arrival const& a, arrival const& b) { return a.time > b.time; };
        reduce(messages, on.members, true, latest, control::each_by(is_later));
        auto const weight = static_cast<double>(on.stamps.stride());
        for (std::size_t i = 0; i != stamps.size(); ++i) {
            auto& site = *on.sites[stamps[i].site];
            auto const begun = time_of(stamps[i].begun);
            auto const inside = time_of(stamps[i].begun + stamps[i].ticks()) - begun;
            site.waited += static_cast<double>(std::clamp<std::int64_t>(latest[i].time - begun, 0, inside));
            site.stamped_time += static_cast<double>(inside);
            site.stamped += weight;
            site.last[static_cast<int>(latest[i].rank)] += weight;
        }
    }

    [[nodiscard]] site_rows rows_of_all_ranks(channel& messages) const {
        site_rows rows;
        known_communicators::get().for_all_ever([&](known_communicator& each) {
            for (auto const& site : each.sites) {
                if (site->calls == 0) { continue; }
                site_row row{*site, site->name, code_place::of(site->returns_to)};
                row.communicator = each.name;
                row.members = each.members.size();
                row.seconds = rate_->nanoseconds_per_tick() * site->ticks() * 1e-9;
                row.waited = site->stamped_time > 0 ? row.seconds * site->waited / site->stamped_time : 0;
                if (site->taken < site->calls) {
                    row.left = site->fallback != nullptr ? site->fallback : "not one that tutti has";
                }
                auto const* const same = each.id == known_communicators::sum_of_freed ? rows.find(row) : nullptr;
                if (same != nullptr && same->seconds > 0) { row.waited = row.seconds * same->waited / same->seconds; }
                rows.add(row, true);
            }
        });
        auto const join = [](site_rows& mine, site_rows const& theirs) { mine.add(theirs); };
        reduce(messages, all_ranks(), false, rows, join);
        for (auto& each : rows.all) {
            if (each.taken == 0 && messages.rank() == 0) {
                each.saved = static_cast<double>(each.calls) *
                             expected_gain(each.function, each.bytes.median(), each.members, world().nodes());
            }
        }
        return rows;
    }

    void write(site_table const& table) const {
        auto const ranks = world().size();
        auto const seconds = static_cast<double>(mpi::communicator::now() - rate_->begun()) * 1e-9;
        if (!file_) {
            auto const text = table.text(ranks, seconds);
            std::fwrite(text.data(), 1, text.size(), stderr);
            return;
        }
        file_->write("report", file_->path.ends_with(".json")  ? table.json(ranks, seconds)
                               : file_->path.ends_with(".csv") ? table.csv()
                                                               : table.text(ranks, seconds));
    }

    std::optional<named_file> file_;
    monitoring::common_clock clock_;
    std::optional<tick_rate> rate_;
};

}  // namespace tutti::watch
