// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <support/scan_counts.hpp>

/// What every generator of scans must keep.
namespace laws {

/// The letters of at most ten ranks are concatenated from left to right.
template <class Generator>
void check_concatenation(Generator const& generator, std::size_t size) {
    using boost::test_tools::per_element;
    std::string const letters{"abcdefghij", size};
    std::vector<std::string> before;
    std::vector<std::string> until;
    for (std::size_t rank = 0; rank != size; ++rank) {
        before.push_back(letters.substr(0, rank));
        until.push_back(letters.substr(0, rank + 1));
    }
    std::vector<std::string> const total(size, letters);
    auto const prefix = tutti::buffer::prefix();
    auto const result = tutti::buffer::result();
    BOOST_TEST(scans::terms(scans::exclusive, generator, size, prefix) == before, per_element());
    BOOST_TEST(scans::terms(scans::inclusive, generator, size, result) == until, per_element());
    BOOST_TEST(scans::terms(scans::both, generator, size, prefix) == before, per_element());
    BOOST_TEST(scans::terms(scans::both, generator, size, result) == total, per_element());
}

}  // namespace laws
