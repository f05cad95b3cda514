// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pmpi/call_signature.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/text.hpp>
#include <watch/call_record.hpp>
#include <watch/known_communicators.hpp>

namespace tutti::watch {

[[nodiscard]] inline std::string text_of_seconds(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    return text.data();
}

inline constexpr std::size_t most_state_bytes = 4096;  ///< of a `rank_state` as it travels, and what is around it

/// So that a state is no longer.
[[nodiscard]] inline std::string shortened(std::string const& text) { return text.substr(0, 300); }

/// Where a rank of MPI_COMM_WORLD is, as it tells others: its call, or the one that ended last.
struct rank_state : call_fields {
    std::int64_t rank = 0;
    std::uint64_t asked_calls = 0;  ///< that it has begun on the communicator that it was asked about
    double seconds = 0;             ///< in the call, or since it ended
    bool is_brief = false;          ///< no arguments are known
    std::string name{};             ///< empty: it has called nothing yet
    std::string through{};
    std::string communicator_name{};
    std::string op{};
    std::string type{};
    std::string site{};
    std::string python{};
    std::string now{};  ///< not empty: this is the call that it was asked about, which it has begun, and here it is now

    rank_state() = default;
    rank_state(int of_rank, call_record const& note) : call_fields{note}, rank{of_rank}, name{note.name} {
        if (note.through != nullptr) { through = note.through; }
        if (note.op == word_of(MPI_OP_NULL)) { return; }
        auto const* const op_name = name_of_operator(handle_of<MPI_Op>(note.op));
        op = op_name != nullptr ? op_name : "an operator of the program's";
        if (note.type == word_of(MPI_DATATYPE_NULL)) { return; }
        auto const* const type_name = name_of_type(handle_of<MPI_Datatype>(note.type));
        type = type_name != nullptr ? type_name : "another type";
    }

    static void members_of(auto& one, auto use) {
        use(one.of, one.communicator, one.number, one.bytes, one.equal, one.peer, one.tag, one.type_kind, one.has_ended,
            one.rank, one.asked_calls, one.seconds, one.is_brief, one.name, one.through, one.communicator_name, one.op,
            one.type, one.site, one.python, one.now);
    }

    [[nodiscard]] bool is_inside() const { return !name.empty() && has_ended == 0; }
    [[nodiscard]] bool is_of(std::uint64_t asked, std::uint64_t asked_number) const {
        return !name.empty() && communicator == asked && number == asked_number;
    }

    /// From the same place there may have been others, with other arguments.
    void forget_arguments() {
        bytes = -1;
        peer = call_signature::none;
        type_kind = 0;
        op.clear();
        type.clear();
        is_brief = true;
    }

    /// "MPI_Allreduce of 8 bytes, MPI_SUM of MPI_DOUBLE, call 120 on MPI_COMM_WORLD, main, solver.c:88".
    [[nodiscard]] std::string call_text() const {
        auto text = through.empty() ? name : through + " for " + name;
        if (bytes >= 0) { text += text::joined({" of ", {bytes, "byte"}}); }
        if (peer != call_signature::none && of == kind::collective) {
            text += ", root " + std::to_string(peer);
        } else if (peer != call_signature::none) {
            bool const sends = name.find("end") != std::string::npos;
            text += (sends ? " to " : " from ") + (peer < 0 ? "any rank" : "rank " + std::to_string(peer));
        }
        if (tag != call_signature::none) { text += tag < 0 ? ", any tag" : ", tag " + std::to_string(tag); }
        if (!op.empty()) { text += ", " + op; }
        if (!type.empty()) { text += (op.empty() ? ", " : " of ") + type; }
        if (number != 0) { text += ", call " + std::to_string(number); }
        if (number != 0 || !communicator_name.empty()) { text += " on " + communicator_name; }
        auto const& line = python.empty() ? site : python;
        return line.empty() ? text : text + ", " + line;
    }

    /// Where it is, or was last: "it is in ...".
    [[nodiscard]] std::string place_text() const {
        if (name.empty()) { return "it has called nothing yet"; }
        if (has_ended == 0) { return "it is in " + call_text(); }
        return "its last call was " + call_text() + ", which ended " + text_of_seconds(seconds) + " ago";
    }

    /// What has to be the same on all ranks of a collective, as the library compares it. Refers to this state's names.
    [[nodiscard]] control::call entered() const {
        auto const length = equal != 0 ? static_cast<std::size_t>(bytes) : 0;
        control::call result{function(), "", "", length, static_cast<int>(peer)};
        result.combine = op;
        result.arguments = type_kind;
        return result;
    }

    /// What differs first; null if nothing does, as far as it is known.
    [[nodiscard]] char const* differs_from(rank_state const& other) const {
        if (is_nonblocking(other) || other.is_nonblocking(*this)) {
            return "the functions differ, since a nonblocking one is performed with none that blocks";
        }
        auto const mine = entered();
        auto const theirs = other.entered();
        if (mine.collective != theirs.collective) { return "the functions differ"; }
        if (is_brief || other.is_brief) { return nullptr; }
        if (mine.root != theirs.root) { return "the roots differ"; }
        if (mine.combine != theirs.combine) { return "the operators differ"; }
        bool const are_lengths_known = bytes >= 0 && other.bytes >= 0;
        if (are_lengths_known && mine.elements != theirs.elements) { return "the numbers of bytes differ"; }
        return mine.arguments != theirs.arguments ? "the datatypes differ" : nullptr;
    }

private:
    /// One with large counts is the same function, and a nonblocking one is another.
    [[nodiscard]] std::string_view function() const {
        std::string_view const text = name;
        return text.ends_with("_c") ? text.substr(0, text.size() - 2) : text;
    }

    /// Whether it is the nonblocking form of another.
    [[nodiscard]] bool is_nonblocking(rank_state const& of_other) const {
        constexpr std::string_view prefix = "MPI_I";
        auto const own = function();
        auto const other = of_other.function();
        return own.size() == other.size() + 1 && own.starts_with(prefix) &&
               own.substr(prefix.size() + 1) == other.substr(prefix.size());
    }
};

/// Lines "ranks 0-5, 7: TEXT", in the order in which their texts came first.
class rank_lines {
public:
    void add(std::int64_t rank, std::string const& text) {
        auto const same = [&](auto const& each) { return each.first == text; };
        auto found = std::find_if(groups_.begin(), groups_.end(), same);
        if (found == groups_.end()) { found = groups_.insert(found, {text, {}}); }
        found->second.push_back(static_cast<int>(rank));
    }
    [[nodiscard]] std::string text() const {
        std::string lines;
        for (auto const& [text, ranks] : groups_) {
            lines += (ranks.size() == 1 ? "tutti:   rank " : "tutti:   ranks ") + text_of_ranks(ranks) + ": ";
            lines += text + '\n';
        }
        return lines;
    }

private:
    std::vector<std::pair<std::string, std::vector<int>>> groups_;
};

/// What a rank waits for that has been in a collective for so long.
///
/// `all` has the states of the communicator's ranks that have answered; `silent` why the others have not.
[[nodiscard]] inline std::string hang_report(rank_state const& asking, std::vector<rank_state> const& all,
                                             rank_lines const& silent) {
    rank_lines come;
    rank_lines others;
    char const* mismatch = nullptr;
    bool is_crossed = false;
    for (auto const& each : all) {
        bool const has_begun = !each.now.empty();
        bool const has_come = !has_begun && each.is_inside() && each.is_of(asking.communicator, asking.number);
        auto const* const differs = has_come || has_begun ? each.differs_from(asking) : nullptr;
        if (mismatch == nullptr) { mismatch = differs; }
        if (has_come) {
            come.add(each.rank, each.call_text());
        } else if (has_begun) {
            auto const begun = differs != nullptr ? "has called " + each.call_text() + " instead" : "has begun it";
            others.add(each.rank, begun + ", and " + each.now);
        } else if (each.asked_calls >= asking.number) {
            others.add(each.rank, "has begun call " + std::to_string(each.asked_calls) + " of the communicator, and " +
                                      each.place_text());
        } else {
            others.add(each.rank, "has not come, " + each.place_text());
            is_crossed = is_crossed || (each.is_in_collective() && each.communicator != asking.communicator);
        }
    }
    auto text = "tutti: " + asking.name + ", call " + std::to_string(asking.number) + " on " +
                asking.communicator_name + ", has waited for " + text_of_seconds(asking.seconds) + ":\n" + come.text() +
                others.text() + silent.text();
    if (mismatch != nullptr) {
        text += "tutti:   these calls do not match: " + std::string{mismatch} + '\n';
    } else if (is_crossed) {
        text += "tutti:   ranks are in collectives of different communicators, which all ranks have to call in the "
                "same order\n";
    }
    return text;
}

}  // namespace tutti::watch
