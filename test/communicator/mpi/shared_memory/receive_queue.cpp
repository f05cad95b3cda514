// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tutti/communicator/mpi/shared_memory/receive_queue.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory_receive_queue)

BOOST_AUTO_TEST_CASE(a_copy_stays_until_its_block_is_put_back) {
    tutti::mpi::node::overflow_pool spare{100};
    std::array<std::byte, 100> data{};
    data.fill(std::byte{1});
    auto* const first = spare.copy_of(data.data(), 100);
    data.fill(std::byte{2});
    auto* const second = spare.copy_of(data.data(), 3);
    BOOST_TEST(first != second);
    BOOST_TEST(static_cast<int>(first[99]) == 1);
    BOOST_TEST(static_cast<int>(second[2]) == 2);
    spare.put_back(first, 100);
    BOOST_TEST(spare.copy_of(data.data(), 100) == first);
    BOOST_TEST(std::memcmp(first, data.data(), 100) == 0);
}

// An operator may read a message there, as it may in a slot.
BOOST_AUTO_TEST_CASE(blocks_are_aligned_as_slots_are) {
    tutti::mpi::node::overflow_pool spare{10};
    std::byte const one{7};
    for (int i = 0; i != 5; ++i) {
        auto const place = reinterpret_cast<std::uintptr_t>(spare.copy_of(&one, 1));
        BOOST_TEST(place % tutti::mpi::node::segment_layout::page == 0U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
