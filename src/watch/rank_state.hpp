// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <watch/known_communicators.hpp>
#include <watch/thread_place.hpp>

namespace tutti::watch {

/// A text that travels as bytes, and is cut where it is too long.
template <std::size_t Room>
class short_text {
public:
    short_text& operator=(std::string_view text) {
        auto const n = std::min(text.size(), Room - 1);
        std::memcpy(text_.data(), text.data(), n);
        text_[n] = '\0';
        return *this;
    }
    [[nodiscard]] std::string_view view() const { return text_.data(); }
    [[nodiscard]] bool empty() const { return text_[0] == '\0'; }

private:
    std::array<char, Room> text_{};
};

[[nodiscard]] inline std::string text_of_seconds(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    return text.data();
}

/// Where a rank of MPI_COMM_WORLD is, as it tells others: its call, or the one that ended last.
struct rank_state {
    enum class place : std::int32_t {
        unknown,
        inside,
        outside,
        begun,  ///< this is the call that it was asked about, which it has begun: where it is now is in `since`
    };

    std::int32_t rank = 0;
    place where = place::unknown;
    std::uint64_t asked_calls = 0;  ///< that it has begun on the communicator that it was asked about
    std::uint64_t communicator = 0;
    std::uint64_t number = 0;
    std::int64_t bytes = -1;
    std::uint64_t type_kind = 0;
    double seconds = 0;  ///< in the call, or since it ended
    std::int32_t peer = call_facts::none;
    std::int32_t tag = call_facts::none;
    std::int32_t is_collective = 0;
    std::int32_t equal = 1;
    std::int32_t is_brief = 0;  ///< no arguments are known
    short_text<32> name;  ///< empty: none yet
    short_text<16> through;
    short_text<96> communicator_name;
    short_text<96> op;
    short_text<32> type;
    short_text<240> site;
    short_text<240> python;
    short_text<300> since;

    [[nodiscard]] bool is_in(std::uint64_t asked, std::uint64_t asked_number) const {
        return where == place::inside && communicator == asked && number == asked_number;
    }

    /// "MPI_Allreduce of 8 bytes, MPI_SUM of MPI_DOUBLE, call 120 on MPI_COMM_WORLD, main, solver.c:88".
    [[nodiscard]] std::string call_text() const {
        std::string text;
        if (!through.empty()) { text += std::string{through.view()} + " for "; }
        text += name.view();
        if (bytes >= 0) { text += " of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }
        if (is_collective != 0) {
            if (peer != call_facts::none) { text += ", root " + std::to_string(peer); }
        } else if (peer != call_facts::none) {
            bool const sends = name.view().find("end") != std::string_view::npos;
            text += (sends ? " to " : " from ") + (peer < 0 ? std::string{"any rank"} : "rank " + std::to_string(peer));
        }
        if (tag != call_facts::none) { text += tag < 0 ? ", any tag" : ", tag " + std::to_string(tag); }
        if (!op.empty()) { text += ", " + std::string{op.view()}; }
        if (!type.empty()) { text += (op.empty() ? ", " : " of ") + std::string{type.view()}; }
        if (number != 0) {
            text += ", call " + std::to_string(number) + " on " + std::string{communicator_name.view()};
        } else if (!communicator_name.empty()) {
            text += " on " + std::string{communicator_name.view()};
        }
        if (!python.empty()) { return text + ", " + std::string{python.view()}; }
        return site.empty() ? text : text + ", " + std::string{site.view()};
    }

    /// Where it is, or was last: "it is in ...".
    [[nodiscard]] std::string place_text() const {
        if (where == place::inside) { return "it is in " + call_text(); }
        if (name.empty()) { return "it has called nothing yet"; }
        return "its last call was " + call_text() + ", which ended " + text_of_seconds(seconds) + " ago";
    }

    /// The function: one with large counts is the same, and a nonblocking one is another.
    [[nodiscard]] std::string_view function() const {
        auto const text = name.view();
        return text.ends_with("_c") ? text.substr(0, text.size() - 2) : text;
    }

    /// What has to be the same on all ranks of a collective, and differs; null if nothing does.
    [[nodiscard]] char const* differs_from(rank_state const& other) const {
        if (function() != other.function()) {
            return is_nonblocking(other) || other.is_nonblocking(*this)
                       ? "the functions differ, since a nonblocking one is performed with none that blocks"
                       : "the functions differ";
        }
        if (is_brief != 0 || other.is_brief != 0) { return nullptr; }
        if (peer != other.peer) { return "the roots differ"; }
        if (op.view() != other.op.view()) { return "the operators differ"; }
        if (equal != 0 && other.equal != 0 && bytes >= 0 && other.bytes >= 0 && bytes != other.bytes) {
            return "the numbers of bytes differ";
        }
        if (type_kind != other.type_kind) { return "the datatypes differ"; }
        return nullptr;
    }

private:
    /// Whether it is the nonblocking form of another.
    [[nodiscard]] bool is_nonblocking(rank_state const& of) const {
        constexpr std::string_view prefix = "MPI_I";
        auto const own = function();
        auto const other = of.function();
        return own.size() == other.size() + 1 && own.starts_with(prefix) &&
               own.substr(prefix.size() + 1) == other.substr(prefix.size());
    }
};

/// Lines "ranks 0-5, 7: TEXT", those with the lowest ranks first.
[[nodiscard]] inline std::string lines_by_ranks(std::vector<std::pair<int, std::string>> const& all) {
    std::vector<std::pair<std::string, std::vector<int>>> groups;
    for (auto const& [rank, text] : all) {
        auto const same = [&t = text](auto const& each) { return each.first == t; };
        auto found = std::find_if(groups.begin(), groups.end(), same);
        if (found == groups.end()) { found = groups.insert(found, {text, {}}); }
        found->second.push_back(rank);
    }
    std::string lines;
    for (auto const& [text, ranks] : groups) {
        lines += (ranks.size() == 1 ? "tutti:   rank " : "tutti:   ranks ") + text_of_ranks(ranks) + ": " + text + '\n';
    }
    return lines;
}

/// What a rank waits for that has been in a collective for so long.
///
/// `all` has the states of the communicator's ranks that have answered; `silent` has for the others why they have not.
[[nodiscard]] inline std::string hang_report(rank_state const& asking, std::vector<rank_state> const& all,
                                             std::vector<std::pair<int, std::string>> const& silent) {
    std::vector<std::pair<int, std::string>> come;
    std::vector<std::pair<int, std::string>> others;
    char const* mismatch = nullptr;
    bool is_crossed = false;
    for (auto const& each : all) {
        if (each.is_in(asking.communicator, asking.number)) {
            come.emplace_back(each.rank, each.call_text());
            if (mismatch == nullptr) { mismatch = each.differs_from(asking); }
            continue;
        }
        if (each.where == rank_state::place::begun) {
            auto const* const differs = each.differs_from(asking);
            if (mismatch == nullptr) { mismatch = differs; }
            others.emplace_back(each.rank, (differs != nullptr ? "has called " + each.call_text() + " instead, and "
                                                               : std::string{"has begun it, and "}) +
                                               std::string{each.since.view()});
        } else if (each.asked_calls >= asking.number) {
            others.emplace_back(each.rank, "has begun call " + std::to_string(each.asked_calls) +
                                               " of the communicator, and " + each.place_text());
        } else {
            others.emplace_back(each.rank, "has not come, " + each.place_text());
            is_crossed = is_crossed || (each.where == rank_state::place::inside && each.is_collective != 0 &&
                                        each.communicator != asking.communicator);
        }
    }
    for (auto const& each : silent) { others.push_back(each); }
    std::string text = "tutti: " + std::string{asking.name.view()} + ", call " + std::to_string(asking.number) +
                       " on " + std::string{asking.communicator_name.view()} + ", has waited for " +
                       text_of_seconds(asking.seconds) + ":\n" + lines_by_ranks(come) + lines_by_ranks(others);
    if (mismatch != nullptr) {
        text += "tutti:   these calls do not match: " + std::string{mismatch} + '\n';
    } else if (is_crossed) {
        text +=
            "tutti:   ranks are in collectives of different communicators, which all ranks have to call in the same "
            "order\n";
    }
    return text;
}

}  // namespace tutti::watch
