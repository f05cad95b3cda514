// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <tutti/analysis/read/scanner.hpp>

namespace tutti::analysis {

/// Reads what `to_json` writes: the same keys in the same order, of which those about times may be missing.
class json_reader {
public:
    json_reader(std::string_view text, std::string_view file) : in_{text, file} {}

    /// Errors: broken_schedule, with the line.
    [[nodiscard]] schedule_table read() {
        read_header();
        key(",", "ranks");
        each_rank([&](std::size_t rank) { each_item([&] { read_step(rank); }); });
        key(",", "rounds_of_steps");
        std::size_t rounds = 0;
        each_rank([&](std::size_t rank) {
            auto& steps = result_.steps[rank];
            std::size_t i = 0;
            each_item([&] {
                if (i == steps.size()) { in_.at().refuse("there are more rounds than steps"); }
                steps[i].round = in_.number("a round");
                rounds = std::max(rounds, steps[i++].round + 1);
            });
        });
        if (in_.find_last("\"rounds\":")) { rounds = in_.number("\"rounds\""); }
        result_.rounds.assign(result_.size, rounds);
        return std::move(result_);
    }

private:
    void read_header() {
        key("{", "collective");
        result_.collective = text();
        auto const& known = collective::names;
        if (std::ranges::find(known, result_.collective) == known.end()) { refuse(result_.collective, "a collective"); }
        key(",", "algorithm");
        result_.name = text();
        key(",", "size");
        auto const size = in_.number("\"size\"", most_ranks);
        key(",", "root");
        result_.root = in_.number("\"root\"", std::max<std::size_t>(size, 1) - 1);
        key(",", "partition");
        std::vector<std::size_t> sizes;
        each_item([&] { sizes.push_back(in_.number("the size of a block", most_cells * 1000)); });
        in_.at().set_size(result_, size, partition::of_sizes(sizes));
        in_.take(',');
        auto name = text();
        if (name == "blocks_of") {
            in_.take(':');
            each_rank([&](std::size_t) { each_item([&] { static_cast<void>(in_.number("a block")); }); });
            in_.take(',');
            name = text();
        }
        if (name != "requires_commutative") { refuse(name, "requires_commutative"); }
        in_.take(':');
        result_.stated.requires_commutative = in_.word() == "true";
    }

    [[noreturn]] void refuse(std::string_view word, std::string_view wanted) const {
        in_.at().refuse_word(word, wanted);
    }
    [[nodiscard]] std::string text() {
        in_.take('"');
        std::string const result{in_.next() == '"' ? "" : in_.until("\"\n")};
        in_.take('"');
        return result;
    }
    void key(std::string_view before, std::string_view wanted) {
        in_.take(before.front());
        if (auto const found = text(); found != wanted) { refuse(found, wanted); }
        in_.take(':');
    }
    template <class Each>
    void each_item(Each each) {
        in_.take('[');
        for (bool is_first = true; !in_.take_if(']'); is_first = false) {
            if (!is_first) { in_.take(','); }
            each();
        }
    }
    template <class Each>
    void each_rank(Each each) {
        std::size_t rank = 0;
        each_item([&] { rank < result_.size ? each(rank++) : in_.at().refuse("there are more of them than ranks"); });
        if (rank != result_.size) { in_.at().refuse("there are fewer of them than ranks"); }
    }
    template <class T>
    [[nodiscard]] T one_of(std::initializer_list<T> all, std::string_view wanted) {
        auto const named = text();
        for (auto const each : all) {
            if (schedules::name(each) == named) { return each; }
        }
        refuse(named, wanted);
    }
    [[nodiscard]] buffer buffer_after(std::string_view name) {
        constexpr std::string_view scratch = "scratch";
        constexpr std::size_t most_scratch = 4096;
        key(",", name);
        auto const named = text();
        for (auto const each : {buffer::input(), buffer::result(), buffer::prefix()}) {
            if (each.name() == named) { return each; }
        }
        if (!named.starts_with(scratch)) { refuse(named, "input, result, prefix, scratch0, scratch1 ..."); }
        auto const which = in_.at().number_in(std::string_view{named}.substr(scratch.size()), scratch, most_scratch);
        return buffer::scratch(static_cast<std::uint32_t>(which));
    }

    void read_step(std::size_t rank) {
        step it;
        key("{", "do");
        it.what = one_of({action::send, action::receive, action::receive_combine, action::combine, action::copy},
                         "send, receive, receive_combine, combine or copy");
        if (it.communicates()) {
            key(",", "peer");
            it.peer = in_.number("\"peer\"", result_.size - 1);
        } else {
            it.source = buffer_after("source");
        }
        it.target = buffer_after("buffer");
        key(",", "blocks");
        each_item([&] {
            in_.take('[');
            auto const first = in_.number("a block");
            in_.take(',');
            it.blocks.append({first, in_.number("a block")});
            in_.take(']');
        });
        if (it.combines()) {
            key(",", "side");
            it.operand = one_of({side::left, side::right}, "left or right");
        }
        in_.take('}');
        in_.at().add(result_, rank, std::move(it));
    }

    scanner in_;
    schedule_table result_{};
};

}  // namespace tutti::analysis
