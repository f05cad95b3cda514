// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include <support/scripted_communicator.hpp>

#include <tutti/execution.hpp>
#include <tutti/program/compile.hpp>

// A rank that has sent all its messages may leave a call, though its receiver has no room yet to receive them. So what
// a rank awaits, and may complain of, is only what it has posted.
BOOST_AUTO_TEST_SUITE(execution_awaited)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::schedules;

namespace {

/// A message from each of `peers` ranks is combined into a block of its own, so that all are ready at once, but there
/// are not slots enough for all.
program receives_from(std::size_t peers, std::size_t elements) {
    auto const cut = partition::equal(peers * elements, peers);
    data_layout where;
    where.result = location::output;
    where.provided = where.required = {0, peers};
    std::vector<step> steps;
    for (std::size_t i = 0; i != peers; ++i) {
        steps.push_back(step::receive_combine(i, i + 1, buffer::result(), block_range{i, i + 1}, side::right));
    }
    return compiler{cut, where}(stored_schedule(peers, std::move(steps)));
}

/// Of the requests that were posted and have not ended.
std::set<int> peers_of_pending(support::scripted_communicator const& world, std::set<int> const& ended) {
    std::set<int> result;
    for (std::size_t i = 0; i != world.posted.size(); ++i) {
        if (!ended.contains(world.posted[i])) { result.insert(world.peers[i]); }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_awaited_has_been_posted) {
    for (std::size_t const elements : {1U, 5000U, 60'000U}) {
        constexpr std::size_t peers = 12;
        support::scripted_communicator world;
        std::plus<> plus;
        std::vector<int> in(peers * elements, 1), out(in);
        int const tag = world.new_tag();
        executor<support::scripted_communicator, int, std::plus<>> run{world, tag, receives_from(peers, elements)};
        run.start(in.data(), out.data(), nullptr, plus);
        BOOST_TEST(world.posted.size() < peers);
        std::set<int> ended;
        for (std::size_t done = 0; run.running(); ++done) {
            auto const awaited = world.supervisor().under_way(tag)->awaited();
            auto const pending = peers_of_pending(world, ended);
            BOOST_TEST((std::set<int>(awaited.begin(), awaited.end()) == pending));
            BOOST_REQUIRE(done < world.posted.size());
            // the newest first, so that the oldest holds up what has no slot yet
            for (auto i = world.posted.size(); i-- != 0;) {
                if (!ended.contains(world.posted[i])) {
                    ended.insert(world.posted[i]);
                    world.ended.push_back(world.posted[i]);
                    break;
                }
            }
            static_cast<void>(run.test());
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
