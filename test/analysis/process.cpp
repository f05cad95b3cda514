// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>

#include <tutti/analysis/process.hpp>
#include <tutti/generator/named.hpp>
#include <tutti/schedule.hpp>

BOOST_AUTO_TEST_SUITE(analysis_process)

namespace {

using namespace tutti;
using namespace tutti::schedules;
using analysis::simulation::filled_blocks;
using analysis::simulation::overlap;

constexpr auto unidirectional = ports::unidirectional;
constexpr auto bidirectional = ports::bidirectional;
constexpr auto overlapped = ports::overlapped;
constexpr std::array all_ports{unidirectional, bidirectional, overlapped};

auto const input = buffer::input();
auto const result = buffer::result();
auto const scratch = buffer::scratch(0);

using schedule_type = decltype(stored_schedule(0, {}));
using process = analysis::simulation::process<schedule_type>;

schedule_type const nothing_to_do = stored_schedule(0, {});

/// A rank that has arrived and come to the end of its program.
process idle() {
    process self{nothing_to_do.begin(), nothing_to_do.end(), filled_blocks{4}};
    self.arrived = true;
    return self;
}

process standing_at(step const& now, std::size_t index) {
    auto self = idle();
    self.now = now;
    self.index = index;
    self.offers = true;
    return self;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lists_overlap_if_they_share_a_block) {
    BOOST_TEST(overlap(3, 3));
    BOOST_TEST(!overlap(3, 4));
    BOOST_TEST(!overlap(block_range{0, 3}, block_range{3, 5}));
    BOOST_TEST(overlap(block_range{0, 4}, block_range{3, 5}));
    BOOST_TEST(overlap(block_range{2, 3}, block_range{0, 9}));
    BOOST_TEST(overlap(block_list::cyclic(6, 4, 8), 1));
    BOOST_TEST(!overlap(block_list::cyclic(6, 4, 8), block_range{2, 6}));
    BOOST_TEST(!overlap({}, block_range{0, 9}));
}

BOOST_AUTO_TEST_CASE(input_and_result_are_filled_from_the_beginning) {
    filled_blocks const filled{2};
    for (std::size_t block = 0; block < 2; ++block) {
        BOOST_TEST(filled.test(input, block));
        BOOST_TEST(filled.test(result, block));
        BOOST_TEST(!filled.test(buffer::prefix(), block));
        BOOST_TEST(!filled.test(scratch, block));
        BOOST_TEST(!filled.test(buffer::scratch(7), block));
    }
}

BOOST_AUTO_TEST_CASE(other_buffers_are_filled_block_by_block) {
    filled_blocks filled{3};
    filled.set(buffer::scratch(2), 1);
    filled.set(buffer::prefix(), 0);
    filled.set(result, 2);
    BOOST_TEST(filled.test(buffer::scratch(2), 1));
    BOOST_TEST(!filled.test(buffer::scratch(2), 0));
    BOOST_TEST(!filled.test(buffer::scratch(1), 1));
    BOOST_TEST(!filled.test(buffer::scratch(3), 1));
    BOOST_TEST(filled.test(buffer::prefix(), 0));
    BOOST_TEST(!filled.test(buffer::prefix(), 2));
}

BOOST_AUTO_TEST_CASE(a_process_has_finished_when_nothing_is_left) {
    BOOST_TEST(idle().finished());
    auto late = idle();
    late.arrived = false;
    BOOST_TEST(!late.finished());
    auto sending = idle();
    sending.sends.push_back({step::send(0, 1, result, 0), 0});
    BOOST_TEST(!sending.finished());
    auto working = idle();
    working.jobs.push_back({step::copy(0, input, result, 0), 0, 0, 0});
    BOOST_TEST(!working.finished());
    auto const more = stored_schedule(1, {step::send(0, 1, result, 0)});
    process begun{more.begin(), more.end(), filled_blocks{4}};
    begun.arrived = true;
    BOOST_TEST(!begun.finished());
}

BOOST_AUTO_TEST_CASE(a_block_is_needed_until_earlier_sends_of_it_have_ended) {
    auto self = idle();
    self.sends.push_back({step::send(0, 1, result, block_range{1, 3}), 4});
    auto const needed = [&](block_list const& blocks, buffer into, std::size_t before) {
        return self.still_sends(step::receive(0, 2, into, blocks), before);
    };
    BOOST_TEST(needed(2, result, 5));
    BOOST_TEST(!needed(2, result, 4));
    BOOST_TEST(!needed(3, result, 5));
    BOOST_TEST(!needed(2, scratch, 5));
}

BOOST_AUTO_TEST_CASE(a_block_is_not_there_until_earlier_work_on_it_has_ended) {
    auto self = idle();
    self.jobs.push_back({step::combine(0, scratch, result, 1, side::left), 4, 1, 1});
    BOOST_TEST(self.still_computes(result, 1, 5, false));
    BOOST_TEST(!self.still_computes(result, 1, 4, false));
    BOOST_TEST(!self.still_computes(result, 0, 5, false));
    BOOST_TEST(!self.still_computes(scratch, 1, 5, false));
    BOOST_TEST(self.still_computes(scratch, 1, 5, true));
    // what came as a message has no source here
    self.jobs.front().what = step::receive_combine(0, 1, result, 1, side::left);
    self.jobs.front().what.source = scratch;
    BOOST_TEST(!self.still_computes(scratch, 1, 5, true));
}

BOOST_AUTO_TEST_CASE(sending_excludes_what_the_ports_say) {
    analysis::simulation::posted_send const one{step::send(0, 1, result, 0), 4};
    for (auto const model : all_ports) {
        BOOST_TEST(idle().may_send(one, model));
        auto sending = idle();
        sending.sending = true;
        BOOST_TEST(!sending.may_send(one, model));
        auto receiving = idle();
        receiving.receiving = true;
        BOOST_TEST(receiving.may_send(one, model) == (model == bidirectional));
        auto computing = idle();
        computing.computing = true;
        BOOST_TEST(computing.may_send(one, model) == (model == overlapped));
        auto not_ready = idle();
        not_ready.jobs.push_back({step::receive_combine(0, 2, result, 0, side::left), 3, 1, 1});
        BOOST_TEST(!not_ready.may_send(one, model));
    }
}

BOOST_AUTO_TEST_CASE(receiving_excludes_what_the_ports_say) {
    auto const taking = standing_at(step::receive_combine(0, 1, result, 0, side::left), 4);
    for (auto const model : all_ports) {
        BOOST_TEST(taking.may_receive(model));
        auto elsewhere = taking;
        elsewhere.offers = false;
        BOOST_TEST(!elsewhere.may_receive(model));
        auto receiving = taking;
        receiving.receiving = true;
        BOOST_TEST(!receiving.may_receive(model));
        auto sending = taking;
        sending.sending = true;
        BOOST_TEST(sending.may_receive(model) == (model == bidirectional));
        auto computing = taking;
        computing.computing = true;
        BOOST_TEST(computing.may_receive(model) == (model == overlapped));
    }
}

BOOST_AUTO_TEST_CASE(only_what_is_overwritten_at_once_must_be_free_before_it_comes) {
    analysis::simulation::posted_send const own{step::send(0, 2, result, 0), 3};
    analysis::simulation::job const reads{step::combine(0, result, scratch, 0, side::left), 3, 1, 1};
    for (auto const model : all_ports) {
        auto overwriting = standing_at(step::receive(0, 1, result, 0), 4);
        BOOST_TEST(overwriting.may_receive(model));
        overwriting.sends.push_back(own);
        BOOST_TEST(!overwriting.may_receive(model));
        overwriting.sends.clear();
        overwriting.jobs.push_back(reads);
        BOOST_TEST(!overwriting.may_receive(model));
        auto combining = standing_at(step::receive_combine(0, 1, result, 0, side::left), 4);
        combining.sends.push_back(own);
        combining.jobs.push_back(reads);
        BOOST_TEST(combining.may_receive(model));
    }
}

BOOST_AUTO_TEST_CASE(computing_excludes_what_the_ports_say) {
    auto ready = idle();
    ready.jobs.push_back({step::receive_combine(0, 1, result, 0, side::left), 4, 1, 1});
    for (auto const model : all_ports) {
        BOOST_TEST(!idle().may_compute(model));
        BOOST_TEST(ready.may_compute(model));
        auto computing = ready;
        computing.computing = true;
        BOOST_TEST(!computing.may_compute(model));
        for (bool process::*const port : {&process::sending, &process::receiving}) {
            auto busy = ready;
            busy.*port = true;
            BOOST_TEST(busy.may_compute(model) == (model == overlapped));
            busy.jobs.front().duration = 0;
            BOOST_TEST(busy.may_compute(model));
        }
        auto still_needed = ready;
        still_needed.sends.push_back({step::send(0, 2, result, 0), 3});
        BOOST_TEST(!still_needed.may_compute(model));
        still_needed.sends.front().index = 5;
        BOOST_TEST(still_needed.may_compute(model));
    }
}

BOOST_AUTO_TEST_SUITE_END()
