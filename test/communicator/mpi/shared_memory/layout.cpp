// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>

#include <tutti/communicator/mpi/shared_memory/layout.hpp>

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory_layout)

using tutti::mpi::node::layout;
using tutti::mpi::node::notice;
using tutti::mpi::node::presence;
using tutti::mpi::node::receipt;

BOOST_AUTO_TEST_CASE(nothing_lies_upon_anything_else) {
    for (std::size_t const ranks : {1U, 2U, 7U, 32U, 33U, 64U, 200U}) {
        for (std::size_t const most_slots : {4U, 16U, 64U}) {
            layout const where{ranks, most_slots};
            BOOST_TEST(where.receipt_at(0) >= sizeof(presence));
            BOOST_TEST(where.ring_at(0) >= where.receipt_at(ranks - 1) + sizeof(receipt));
            BOOST_TEST(where.slots_at(0) >= where.ring_at(ranks - 1) + where.notices() * sizeof(notice));
            BOOST_TEST(where.bytes() == where.slots_at(ranks - 1) + where.slots() * where.slot_bytes());
            for (std::size_t receiver = 0; receiver != ranks; ++receiver) {
                BOOST_TEST(where.receipt_at(receiver) % alignof(receipt) == 0U);
                BOOST_TEST(where.ring_at(receiver) % alignof(notice) == 0U);
                BOOST_TEST(where.slots_at(receiver) % layout::page == 0U);
            }
        }
    }
}

// Slots are marked by the bits of a word, and counted in powers of two, as the numbers of notices wrap around.
BOOST_AUTO_TEST_CASE(the_fewer_ranks_the_more_and_the_longer_slots) {
    std::size_t room = layout{1, 16}.slots() * layout{1, 16}.slot_bytes();
    for (std::size_t ranks = 1; ranks <= 300; ++ranks) {
        layout const where{ranks, 16};
        BOOST_TEST(std::has_single_bit(where.slots()));
        BOOST_TEST(std::has_single_bit(where.notices()));
        BOOST_TEST(where.slots() >= layout::fewest_slots);
        BOOST_TEST(where.slots() <= 16U);
        BOOST_TEST(where.slot_bytes() >= layout::shortest_slot);
        BOOST_TEST(where.slot_bytes() <= layout::longest_slot);
        BOOST_TEST(where.slots() * where.slot_bytes() <= room);
        BOOST_TEST(where.keeps_budget() == (ranks <= 32));
        room = where.slots() * where.slot_bytes();
    }
    BOOST_TEST(layout(22, 64).slot_bytes() == layout::longest_slot);
}

BOOST_AUTO_TEST_SUITE_END()
