// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Elements that are no numbers.

#include <cstddef>
#include <map>
#include <string>

#if defined(TUTTI_TEST_OVER_BOOST_MPI)
#include <boost/serialization/map.hpp>
#include <boost/serialization/string.hpp>
#endif

namespace support {

/// Neither made from nothing nor assigned to: every one is constructed where it stays.
class interval {
public:
    interval() = delete;
    interval(int first, int last) : first_{first}, last_{last} {}
    friend bool operator==(interval const&, interval const&) = default;
    friend interval join(interval const& a, interval const& b);

private:
    int first_;
    int last_;
};

[[nodiscard]] inline interval join(interval const& a, interval const& b) { return {a.first_, b.last_}; }

/// The last digits of ranks `first` to `last - 1`, one after the other.
[[nodiscard]] inline std::string digits(int first, int last) {
    std::string all;
    for (int rank = first; rank != last; ++rank) { all += static_cast<char>('0' + rank % 10); }
    return all;
}

/// More than fits in the first message of a packed block.
inline constexpr std::size_t long_text = 10'000;

/// How often words come.
using word_counts = std::map<std::string, int>;

struct merged_counts {
    word_counts operator()(word_counts a, word_counts const& b) const {
        for (auto const& [word, count] : b) { a[word] += count; }
        return a;
    }
};

}  // namespace support
