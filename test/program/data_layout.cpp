// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tutti/collective/execute.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/program/data_layout.hpp>

BOOST_AUTO_TEST_SUITE(program_data_layout)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::schedules;

namespace {

/// A string that counts those of its kind, in all threads.
class counted {
public:
    explicit counted(std::string text) : text_{std::move(text)} { ++constructed; }
    counted(counted const& other) : text_{other.text_} { ++constructed; }
    counted& operator=(counted const&) = default;
    ~counted() { --constructed; }
    friend counted operator+(counted const& a, counted const& b) { return counted{a.text_ + b.text_}; }
    [[nodiscard]] std::string const& text() const { return text_; }

    static inline std::atomic<int> constructed = 0;

private:
    std::string text_;
};

constexpr std::size_t count = 300;

}  // namespace

BOOST_AUTO_TEST_CASE(a_cell_rests_until_several_sends_have_begun_in_later_rounds) {
    block_allocator slots;
    auto const first = slots.allocate(0, 0);
    BOOST_TEST(slots.allocate(0, 0) != first);
    slots.release(first, 0, 1);
    BOOST_TEST(slots.allocate(1, 1) == 2U);
    BOOST_TEST(slots.allocate(7, block_allocator::sends_between) == 3U);
    BOOST_TEST(slots.allocate(7, block_allocator::sends_between + 1) == first);
    BOOST_TEST(slots.allocate(7, block_allocator::sends_between + 1) == 4U);
    BOOST_TEST(slots.count() == 5U);
}

// Two ranks that exchange blocks in a round would wait for each other.
BOOST_AUTO_TEST_CASE(in_the_same_round_a_cell_is_used_again_when_its_messages_are_long_gone) {
    block_allocator slots;
    auto const first = slots.allocate(3, 0);
    slots.release(first, 3, 1);
    BOOST_TEST(slots.allocate(3, send_window) != first);
    BOOST_TEST(slots.allocate(3, send_window + 1) == first);
}

BOOST_AUTO_TEST_CASE(last_uses_of_blocks) {
    std::vector<step> const steps{step::receive(0, 1, buffer::scratch(0), 2),
                                  step::combine(1, buffer::scratch(0), buffer::result(), 2, side::left),
                                  step::send(2, 1, buffer::result(), 2), step::send(2, 1, buffer::result(), 0)};
    last_uses const uses{steps, 3};
    BOOST_TEST(uses.single_blocks());
    BOOST_TEST((uses.is_last(buffer::scratch(0), 2, 1) && !uses.is_last(buffer::scratch(0), 2, 0)));
    BOOST_TEST((uses.is_last(buffer::result(), 2, 2) && uses.is_last(buffer::result(), 0, 3)));
    BOOST_TEST(!last_uses({steps.data(), 1}, 3).is_last(buffer::scratch(0), 2, 1));
    std::vector<step> const wide{step::send(0, 1, buffer::result(), block_range{0, 2})};
    BOOST_TEST(!last_uses(wide, 3).single_blocks());
}

// Blocks of one and of two elements take turns in the same places, so that a place may hold one element that lives and
// one that does not.
BOOST_AUTO_TEST_CASE(blocks_of_different_lengths_share_a_cell) {
    threads::run(3, [](auto& world) {
        std::vector<counted> const in(count, counted{std::string(40, static_cast<char>('a' + world.rank()))});
        std::vector<counted> out(count, counted{""});
        for (int round = 0; round != 3; ++round) {
            reduce(world, in, out, std::plus<>{}, 0, pipeline{.segments = 200});
        }
        if (world.rank() != 0) { return; }
        for (auto const& each : out) {
            if (each.text() != std::string(40, 'a') + std::string(40, 'b') + std::string(40, 'c')) {
                throw std::runtime_error{"wrong result: " + each.text()};
            }
        }
    });
    BOOST_TEST(counted::constructed == 0);
}

BOOST_AUTO_TEST_SUITE_END()
