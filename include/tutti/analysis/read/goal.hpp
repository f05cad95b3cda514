// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <tutti/analysis/read/rounds.hpp>

namespace tutti::analysis {

/// Reads GOAL, which states messages and their dependences, but no collective, buffers or blocks: each message is taken
/// for the whole vector, and combined if a computation requires it. What comes from a lower rank stands left.
class goal_reader {
public:
    goal_reader(std::string_view text, std::string_view file) : in_{text, file} {}

    /// Errors: broken_schedule, with the line.
    [[nodiscard]] schedule_table read() {
        while (in_.next() != '\0') {
            auto const first = in_.word();
            if (first.starts_with("//")) {
                static_cast<void>(in_.until("\n"));
            } else if (first == "num_ranks") {
                ranks_.resize(in_.number("the number of ranks", most_ranks));
            } else if (first == "rank" && !ranks_.empty()) {
                read_rank(ranks_[in_.number("a rank", ranks_.size() - 1)]);
            } else {
                in_.at().refuse_word(first, "'num_ranks NUMBER' or, then, 'rank NUMBER {'");
            }
        }
        add_steps();
        return std::move(result_);
    }

private:
    static constexpr std::size_t largest = static_cast<std::size_t>(-1) / 2;
    using labels = std::map<std::string_view, std::size_t>;

    void read_rank(std::vector<operation>& all) {
        labels named;
        in_.take('{');
        while (!in_.take_if('}')) {
            auto const first = in_.word();
            if (first.starts_with("//")) {
                static_cast<void>(in_.until("\n"));
            } else if (in_.take_if(':')) {
                named[first] = all.size();
                read_operation(in_.word(), all);
            } else if (auto const label = named.find(first); label != named.end()) {
                if (auto const word = in_.word(); word != "requires" && word != "irequires") {
                    in_.at().refuse_word(word, "requires");
                }
                auto const word = in_.word();
                auto const before = named.find(word);
                if (before == named.end()) { in_.at().refuse_word(word, "a label"); }
                all[label->second].after.push_back(before->second);
            } else {
                read_operation(first, all);
            }
        }
    }

    void read_operation(std::string_view first, std::vector<operation>& all) {
        operation one{.at = in_.at()};
        bool const sends = first == "send";
        if (sends || first == "recv") {
            one.what = sends ? operation::kind::send : operation::kind::receive;
            auto bytes = in_.word();
            bytes.remove_suffix(bytes.ends_with('b') ? 1 : 0);
            auto const length = in_.at().number_in(bytes, "the length of a message", largest);
            if (length_.value_or(length) != length) {
                one.at.refuse("messages of different lengths do not say which parts of the vector they are");
            }
            length_ = length;
            if (!in_.take_word(sends ? "to" : "from")) { one.at.refuse_word(in_.word(), sends ? "to" : "from"); }
            one.peer = in_.number("a rank", ranks_.size() - 1);
        } else if (first == "calc") {
            static_cast<void>(in_.number("a time", largest));
        } else {
            one.at.refuse_word(first, "send, recv, calc or a label");
        }
        for (auto const& name : {"tag", "cpu", "nic"}) {
            if (!in_.take_word(name)) { continue; }
            auto const number = in_.number(name, largest);
            if (name == std::string_view{"tag"}) { one.channel = number; }
        }
        all.push_back(std::move(one));
    }

    void add_steps() {
        auto const elements = std::max<std::size_t>(length_.value_or(0) / sizeof(double), 1);
        in_.at().set_size(result_, ranks_.size(), partition::equal(elements, 1));
        result_.states_order = false;
        std::set<operation const*> combined;
        for (auto& all : ranks_) {
            for (auto const& each : all) {
                if (each.what == operation::kind::local) { combine(all, each.after, combined); }
            }
        }
        std::size_t rounds = 0;
        for (auto const& [rank, index, round] : rounds_of_operations{ranks_}.run()) {
            auto const& [what, peer, channel, after, at] = ranks_[rank][index];
            if (what == operation::kind::local) { continue; }
            rounds = round + 1;
            auto one = what == operation::kind::send ? step::send(round, peer, buffer::result(), 0)
                                                     : step::receive(round, peer, buffer::result(), 0);
            if (one.receives() && combined.contains(&ranks_[rank][index])) {
                one.what = action::receive_combine;
                one.operand = peer < rank ? side::left : side::right;
            }
            at.add(result_, rank, std::move(one));
        }
        result_.rounds.assign(ranks_.size(), rounds);
    }

    /// What is received is combined when all that its computation requires, and that stands before it, has ended.
    static void combine(std::vector<operation>& all, std::vector<std::size_t> const& required,
                        std::set<operation const*>& combined) {
        for (auto const received : required) {
            if (all[received].what != operation::kind::receive) { continue; }
            combined.insert(&all[received]);
            for (auto const other : required) {
                bool const is_received = all[other].what == operation::kind::receive;
                if (other < received && !is_received) { all[received].after.push_back(other); }
            }
        }
    }

    scanner in_;
    schedule_table result_{};
    std::optional<std::size_t> length_{};  ///< of all messages
    std::vector<std::vector<operation>> ranks_{};
};

}  // namespace tutti::analysis
