// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <bit>
#include <set>
#include <string>

#include <range/v3/range/conversion.hpp>

#include <laws/schedule_laws.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/papers/bi_greedy.hpp>
#include <tutti/program/compile.hpp>

BOOST_AUTO_TEST_SUITE(generator_papers_bi_greedy)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::generators;

namespace {

using numbers = std::vector<std::size_t>;

partition equal_segments(std::size_t blocks) { return partition::equal(blocks, blocks); }

std::size_t fewest_rounds(std::size_t size, std::size_t segments) {
    return static_cast<std::size_t>(std::bit_width(size - 1)) + segments - 1;
}

/// "r0 segment:sender->receiver ...; r1 ..."
std::string text(std::vector<bi_greedy::transfer> const& all) {
    std::string result;
    std::size_t rounds = 0;
    for (auto const& each : all) {
        if (each.round == rounds) {
            result += (rounds == 0 ? "r" : "; r") + std::to_string(rounds);
            ++rounds;
        }
        result += ' ' + std::to_string(each.segment) + ':' + std::to_string(each.sender) + "->" +
                  std::to_string(each.receiver);
    }
    return result;
}

/// Tries all reductions to rank 0 in which a rank sends one segment and receives one segment a round.
class round_search {
public:
    round_search(std::size_t size, std::size_t segments) : size_{size}, segments_{segments} {}

    [[nodiscard]] std::size_t fewest_rounds() {
        std::set<std::size_t> reached{(std::size_t{1} << (size_ - 1) * segments_) - 1};
        std::size_t rounds = 0;
        for (; !reached.contains(0); ++rounds) {
            next_.clear();
            for (auto const holders : reached) { send(1, holders, holders, numbers(size_, segments_)); }
            reached.swap(next_);
        }
        return rounds;
    }

private:
    // a bit for every rank but the root and every segment: whether the rank has still to send it
    [[nodiscard]] bool holds(std::size_t holders, std::size_t rank, std::size_t segment) const {
        return rank == 0 || (holders >> bit(rank, segment) & 1) != 0;
    }
    [[nodiscard]] std::size_t bit(std::size_t rank, std::size_t segment) const {
        return segment * (size_ - 1) + rank - 1;
    }

    /// What ranks from `sender` on may do in a round that began with `before`.
    void send(std::size_t sender, std::size_t before, std::size_t after, numbers const& received) {
        if (sender == size_) {
            next_.insert(after);
            return;
        }
        send(sender + 1, before, after, received);
        for (std::size_t segment = 0; segment < segments_; ++segment) {
            if (!holds(before, sender, segment) || received[sender] == segment) { continue; }
            for (std::size_t receiver = 0; receiver < size_; ++receiver) {
                if (receiver == sender || received[receiver] != segments_ || !holds(after, receiver, segment)) {
                    continue;
                }
                auto now = received;
                now[receiver] = segment;
                send(sender + 1, before, after & ~(std::size_t{1} << bit(sender, segment)), now);
            }
        }
    }

    std::size_t size_;
    std::size_t segments_;
    std::set<std::size_t> next_;
};

/// The most segments that a rank has received and not sent, or, as the root, not yet received from all.
struct open_segments {
    std::size_t root = 0;
    std::size_t others = 0;
};

open_segments most_open(std::size_t size, std::size_t segments) {
    auto const all = transfers_of(bi_greedy{}, size, 0, equal_segments(segments));
    std::vector<std::set<std::size_t>> open(size);
    numbers left(segments, size - 1);
    open_segments most;
    for (auto at = all.begin(); at != all.end();) {
        auto const end = std::find_if(at, all.end(), [&](auto const& each) { return each.round != at->round; });
        for (auto each = at; each != end; ++each) {
            open[each->receiver].insert(each->segment);
            auto& counted = each->receiver == 0 ? most.root : most.others;
            counted = std::max(counted, open[each->receiver].size());
        }
        for (; at != end; ++at) {
            open[at->sender].erase(at->segment);
            if (--left[at->segment] == 0) { open[0].erase(at->segment); }
        }
    }
    return most;
}

/// Elements of workspace that a rank needs for blocks of one element.
std::size_t workspace_of(std::size_t rank, std::size_t size, std::size_t segments) {
    auto const cut = equal_segments(segments);
    data_layout where;
    where.result = rank == 0 ? location::output : location::nowhere;
    where.provided = {0, segments};
    where.required = {0, rank == 0 ? segments : 0};
    auto const run = compiler{cut, where}(generate(collective::reduce{}, bi_greedy{}, problem{rank, size, 0, cut}));
    std::size_t elements = 0;
    for (auto const each : run.workspaces) { elements += each; }
    return elements;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_to_any_root) { laws::check_schedules(collective::reduce{}, bi_greedy{}); }

BOOST_AUTO_TEST_CASE(gives_a_broadcast_and_an_all_reduce) {
    numbers const sizes{1, 2, 3, 5, 8, 13, 31, 64};
    laws::check_schedules(collective::broadcast{}, reverse(bi_greedy{}), sizes);
    laws::check_schedules(collective::all_reduce{}, then(bi_greedy{}, reverse(bi_greedy{})), sizes);
}

BOOST_AUTO_TEST_CASE(canonical_schedules_are_those_published) {
    auto const schedule = [](std::size_t size, std::size_t segments) {
        return text(transfers_of(bi_greedy{}, size, 0, equal_segments(segments)));
    };
    BOOST_TEST(schedule(3, 2) == "r0 0:2->0 1:1->2; r1 0:1->0; r2 1:2->0");
    BOOST_TEST(schedule(5, 3) == "r0 0:3->0 0:4->1 1:1->3 1:2->4; r1 0:2->0 1:4->3 2:1->2 2:3->4; "
                                 "r2 0:1->0 2:4->2; r3 1:3->0; r4 2:2->0");
    BOOST_TEST(schedule(8, 4) == "r0 0:4->0 0:5->1 0:6->2 0:7->3 1:1->4 1:2->5 1:3->6; "
                                 "r1 0:2->0 0:3->1 1:6->4 1:7->5 2:1->2 2:4->3 2:5->6; "
                                 "r2 0:1->0 1:5->4 2:6->2 2:7->3 3:2->1 3:3->5 3:4->6; "
                                 "r3 1:4->0 2:3->2 3:6->1 3:7->5; r4 2:2->0 3:5->1; r5 3:1->0");
}

BOOST_AUTO_TEST_CASE(other_roots_move_all_ranks_round) {
    std::size_t const size = 7;
    auto const cut = equal_segments(5);
    for (std::size_t root = 0; root < size; ++root) {
        auto moved = transfers_of(bi_greedy{}, size, 0, cut);
        for (auto& each : moved) {
            each.sender = (each.sender + root) % size;
            each.receiver = (each.receiver + root) % size;
        }
        BOOST_TEST((transfers_of(bi_greedy{}, size, root, cut) == moved));
    }
}

BOOST_AUTO_TEST_CASE(a_rank_sends_before_it_receives_in_a_round) {
    auto const cut = equal_segments(3);
    auto const steps = ranges::to<std::vector>(generate(collective::reduce{}, bi_greedy{}, problem{1, 5, 0, cut}));
    auto const result = buffer::result();
    BOOST_TEST(
        (steps == std::vector<step>{step::send(0, 3, result, 1), step::receive_combine(0, 4, result, 0, side::right),
                                    step::send(1, 2, result, 2), step::send(2, 0, result, 0)}));
}

BOOST_AUTO_TEST_CASE(takes_as_few_rounds_as_possible_up_to_512_ranks) {
    for (std::size_t size = 2; size <= 512; ++size) {
        for (std::size_t segments = 1; segments <= 16; ++segments) {
            auto const rounds = for_each_transfer(bi_greedy{}, size, 0, equal_segments(segments), [](auto const&) {});
            BOOST_REQUIRE_MESSAGE(rounds == fewest_rounds(size, segments),
                                  size << " ranks, " << segments << " segments: " << rounds << " rounds");
        }
    }
    BOOST_TEST(for_each_transfer(bi_greedy{}, 4099, 5, equal_segments(700), [](auto const&) {}) ==
               fewest_rounds(4099, 700));
}

BOOST_AUTO_TEST_CASE(no_reduction_takes_fewer_rounds) {
    for (auto const& [size, most_segments] :
         std::vector<std::pair<std::size_t, std::size_t>>{{2, 4}, {3, 4}, {4, 4}, {5, 3}, {6, 2}}) {
        for (std::size_t segments = 1; segments <= most_segments; ++segments) {
            auto const rounds = for_each_transfer(bi_greedy{}, size, 0, equal_segments(segments), [](auto const&) {});
            BOOST_TEST(round_search(size, segments).fewest_rounds() == rounds);
        }
    }
}

BOOST_AUTO_TEST_CASE(every_rank_but_the_root_sends_every_block_once) {
    for (std::size_t size : {2U, 9U, 16U}) {
        cost::check(collective::reduce{}, bi_greedy{}, size, size / 2, partition::equal(20, 4),
                    cost::rounds == fewest_rounds(size, 4), cost::rounds_used == cost::rounds,
                    cost::messages == 4 * (size - 1), cost::volume == 20 * (size - 1),
                    cost::combines == 20 * (size - 1), cost::max_messages_sent == 4U);
    }
}

BOOST_AUTO_TEST_CASE(takes_the_published_time_when_ranks_start_as_early_as_they_can) {
    auto const makespan = [](std::size_t size, std::size_t segments, double tcomm, double tcomp) {
        return simulate(collective::reduce{}, bi_greedy{}, size, 0, equal_segments(segments),
                        cost_model::per_block(tcomm, tcomp, ports::bidirectional))
            .makespan();
    };
    BOOST_TEST(makespan(16, 5, 2, 1) == 24);
    for (auto const& [tcomm, tcomp] :
         std::vector<std::pair<double, double>>{{1, 0}, {1, 1}, {2, 1}, {3, 1}, {1, 2}, {2, 3}}) {
        for (std::size_t size : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 12U, 15U, 16U, 17U, 24U, 31U, 33U, 48U, 64U}) {
            for (std::size_t segments : {1U, 2U, 3U, 5U, 8U, 16U}) {
                BOOST_TEST(makespan(size, segments, tcomm, tcomp) ==
                           static_cast<double>(fewest_rounds(size, segments)) * (tcomm + tcomp));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(blocks_without_elements_take_no_round) {
    auto const sparse = partition::of_sizes(numbers{0, 4, 0, 0, 1, 0});
    auto dense = transfers_of(bi_greedy{}, 6, 2, equal_segments(2));
    for (auto& each : dense) { each.segment = each.segment == 0 ? 1 : 4; }
    BOOST_TEST((transfers_of(bi_greedy{}, 6, 2, sparse) == dense));
    BOOST_TEST(generate(collective::reduce{}, bi_greedy{}, problem{3, 6, 2, sparse}).rounds() == fewest_rounds(6, 2));
    for (auto const& nothing : {equal_segments(0), partition::equal(0, 4)}) {
        BOOST_TEST(transfers_of(bi_greedy{}, 6, 2, nothing).empty());
        BOOST_TEST(generate(collective::reduce{}, bi_greedy{}, problem{3, 6, 2, nothing}).rounds() == 0U);
    }
    BOOST_TEST(transfers_of(bi_greedy{}, 1, 0, equal_segments(3)).empty());
    BOOST_TEST(generate(collective::reduce{}, bi_greedy{}, problem{0, 1, 0, sparse}).rounds() == 0U);
}

BOOST_AUTO_TEST_CASE(a_rank_holds_two_open_segments_at_most_and_the_root_one) {
    std::size_t others = 0;
    for (std::size_t size = 2; size <= 100; ++size) {
        for (std::size_t segments : {1U, 2U, 3U, 5U, 9U, 16U, 40U}) {
            auto const most = most_open(size, segments);
            BOOST_REQUIRE(most.root == 1);
            BOOST_REQUIRE(most.others <= 2);
            others = std::max(others, most.others);
        }
    }
    BOOST_TEST(others == 2U);
}

// A place rests for a few sends before it is used again.
BOOST_AUTO_TEST_CASE(memory_for_open_segments_does_not_grow_with_their_number) {
    for (std::size_t size : {2U, 3U, 8U, 13U, 32U}) {
        BOOST_TEST(workspace_of(0, size, 1000) == 0U);
        for (std::size_t rank = 1; rank < size; ++rank) {
            auto const elements = workspace_of(rank, size, 500);
            BOOST_TEST(elements <= 2 + block_allocator::sends_between);
            BOOST_TEST(workspace_of(rank, size, 1000) == elements);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
