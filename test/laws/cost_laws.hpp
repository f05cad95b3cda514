// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <concepts>
#include <cstddef>

#include <tutti/analysis/verify.hpp>

/// What schedules cost. `cost::check(collective, generator, ranks, root, cut, cost::rounds == 3, cost::messages <= 7)`
/// proves the schedules of all ranks, and compares what the proof has counted.
namespace cost {

using tutti::analysis::verification;

struct expectation;

/// One of the counts of a proof; compared with a number or with another count it is an expectation.
struct count {
    char const* name;
    std::size_t verification::*of;

    constexpr expectation operator==(std::size_t value) const;
    constexpr expectation operator==(count const& other) const;
    constexpr expectation operator<=(std::size_t value) const;
    constexpr expectation operator<(std::size_t value) const;
};

struct expectation {
    count seen;
    char const* order;  ///< "==", "<=" or "<"
    std::size_t value = 0;
    std::size_t verification::*other = nullptr;  ///< in place of the value

    void check(verification const& found) const {
        auto const due = other != nullptr ? found.*other : value;
        auto const is = found.*seen.of;
        bool const holds = order[0] == '=' ? is == due : order[1] == '=' ? is <= due : is < due;
        BOOST_CHECK_MESSAGE(holds, seen.name << ' ' << order << ' ' << due << " does not hold for " << is);
    }
};

constexpr expectation count::operator==(std::size_t value) const { return {*this, "==", value}; }
constexpr expectation count::operator==(count const& other) const { return {*this, "==", 0, other.of}; }
constexpr expectation count::operator<=(std::size_t value) const { return {*this, "<=", value}; }
constexpr expectation count::operator<(std::size_t value) const { return {*this, "<", value}; }

inline constexpr count rounds{"rounds", &verification::rounds};
inline constexpr count rounds_used{"rounds_used", &verification::rounds_used};
inline constexpr count messages{"messages", &verification::messages};
inline constexpr count volume{"volume", &verification::volume};
inline constexpr count combines{"combines", &verification::combines};
inline constexpr count max_messages_sent{"max_messages_sent", &verification::max_messages_sent};
inline constexpr count max_messages_received{"max_messages_received", &verification::max_messages_received};
inline constexpr count max_volume_sent{"max_volume_sent", &verification::max_volume_sent};
inline constexpr count max_volume_received{"max_volume_received", &verification::max_volume_received};
inline constexpr count max_combines{"max_combines", &verification::max_combines};

inline void check(verification const& found, std::same_as<expectation> auto... expected) {
    BOOST_TEST(found.ok, found.reason);
    (expected.check(found), ...);
}

template <class Collective, class Generator>
verification check(Collective which, Generator const& generator, std::size_t size, std::size_t root,
                   tutti::partition const& cut, std::same_as<expectation> auto... expected) {
    auto found = tutti::verify(which, generator, size, root, cut);
    BOOST_TEST_CONTEXT(name_of(which, generator)
                       << ", " << size << " ranks, root " << root << ", " << cut.blocks() << " blocks") {
        check(found, expected...);
    }
    return found;
}

}  // namespace cost
