// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <boost/serialization/list.hpp>
#include <boost/serialization/string.hpp>

#include <tutti/boost_mpi.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/scatter.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/generator/all.hpp>

#include <support/sentences.hpp>

namespace {

/// Cannot be read again on some ranks.
struct fragile {
    int value = 0;

    template <class Archive>
    void save(Archive& archive, unsigned) const {
        archive << value;
    }
    template <class Archive>
    void load(Archive& archive, unsigned) {
        archive >> value;
        if (value == 1) { throw std::domain_error{"this cannot be read"}; }
    }
    BOOST_SERIALIZATION_SPLIT_MEMBER()
};

}  // namespace

template <>
inline constexpr bool tutti::travels_as_bytes<fragile> = false;

BOOST_AUTO_TEST_SUITE(execution_packed_messages)

using support::contains;

namespace {

/// A communicator whose messages have at most `bytes` bytes.
class limited {
public:
    explicit limited(std::size_t bytes) : world{boost::mpi::communicator{}, boost::mpi::comm_duplicate} {
        tutti::communicator_of<boost::mpi::communicator>::get(world).message_limit(bytes);
    }
    boost::mpi::communicator world;
};

/// Strings from none to more than the first message of a packet holds.
std::vector<std::string> texts(int rank, int repeated = 1, std::size_t longest = 20'000) {
    std::vector<std::string> all;
    for (auto const length : {std::size_t{0}, std::size_t{1}, std::size_t{10}, longest / 4, longest, std::size_t{3}}) {
        std::string text;
        for (int i = 0; i != repeated; ++i) { text += std::string(length, static_cast<char>('a' + (rank + i) % 26)); }
        all.push_back(text);
    }
    return all;
}

constexpr std::size_t no_limit = std::numeric_limits<int>::max();

}  // namespace

BOOST_AUTO_TEST_CASE(packets_of_all_lengths) {
    for (auto const limit : std::vector<std::size_t>{std::size_t{24}, std::size_t{100}, std::size_t{4095}, no_limit}) {
        limited const at{limit};
        auto const rank = at.world.rank();
        std::size_t const longest = limit == 24 ? 1500 : 20'000;  // thousands of messages are enough
        auto const expected = texts(0, at.world.size(), longest);
        auto const check = [&](auto const& algorithm) {
            auto both = texts(rank, 1, longest);
            auto plan = tutti::plan::all_reduce(at.world, tutti::inplace(both), std::plus<>{}, algorithm);
            for (int round = 0; round != 2; ++round) {
                auto const given = texts(rank, 1, longest);
                std::copy(given.begin(), given.end(), both.begin());
                plan.start();
                plan.wait();
                BOOST_TEST((both == expected));
            }
        };
        check(tutti::recursive_doubling{});
        check(tutti::binary_tree{.segments = 4});
        for (int root = 0; root < at.world.size(); root += 3) {
            auto both = texts(rank, 1, longest);
            tutti::broadcast(at.world, both, root, tutti::pipeline{.segments = 6});
            BOOST_TEST((both == texts(root, 1, longest)));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_length_of_a_packet_must_fit_into_a_message) {
    limited const at{23};
    auto const call = [&] { static_cast<void>(tutti::all_reduce(at.world, std::string{"x"}, std::plus<>{})); };
    BOOST_CHECK_EXCEPTION(call(), std::invalid_argument,
                          support::says("tutti: serialised elements need messages of at least 24 bytes"));
}

// Ranks pass on more than they own, and some own nothing.
BOOST_AUTO_TEST_CASE(ranks_pass_on_what_they_have_nothing_like) {
    boost::mpi::communicator const world;
    auto const ranks = static_cast<std::size_t>(world.size());
    for (std::size_t owner = 0; owner != ranks; ++owner) {
        std::vector<int> counts(ranks);
        counts[owner] = 6;
        auto const mine = owner == static_cast<std::size_t>(world.rank()) ? texts(1) : std::vector<std::string>{};
        for (int root = 0; root < world.size(); root += 3) {
            std::vector<std::string> whole(world.rank() == root ? 6 : 0);
            tutti::gather(world, mine, whole, counts, root, tutti::binomial{});
            if (world.rank() == root) { BOOST_TEST((whole == texts(1))); }
            std::vector<std::string> part(mine.size());
            tutti::scatter(world, whole, part, counts, root, tutti::binomial{});
            BOOST_TEST((part == mine));
        }
    }
}

namespace {

/// Not made from nothing.
struct made_of_a_text {
    explicit made_of_a_text(std::string t) : text{std::move(t)} {}
    std::string text;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive & text;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(objects_to_read_into_must_come_from_somewhere) {
    boost::mpi::communicator const world;
    std::vector<int> counts(static_cast<std::size_t>(world.size()), 1);
    std::vector<made_of_a_text> const whole(counts.size(), made_of_a_text{"seven"});
    made_of_a_text part{"none"};
    tutti::scatter(world, whole, part, counts, 0, tutti::binomial{});
    BOOST_TEST(part.text == "seven");
    if (world.size() != 4) { return; }
    // rank 2 owns nothing, but passes on what rank 3 does
    counts[2] = 0;
    auto const call = [&] {
        tutti::scatter(world, std::span{whole}.first(3), std::span{&part, world.rank() == 2 ? 0U : 1U}, counts, 0,
                       tutti::binomial{});
    };
    if (world.rank() == 2) {
        BOOST_CHECK_EXCEPTION(call(), std::logic_error, support::mentions("type has a default constructor"));
    } else if (world.rank() == 3) {
        BOOST_CHECK_THROW(call(), tutti::operand_missing);
    } else {
        BOOST_CHECK_NO_THROW(call());
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_an_error_where_it_is_read) {
    boost::mpi::communicator const world;
    fragile both{world.rank()};
    auto const call = [&] {
        tutti::broadcast(world, both, world.size() > 1 ? 1 : 0, tutti::linear{});
    };
    if (world.size() == 1 || world.rank() == 1) {
        BOOST_CHECK_NO_THROW(call());
    } else {
        BOOST_CHECK_THROW(call(), std::domain_error);
    }
    BOOST_TEST(tutti::all_reduce(world, 1, std::plus<>{}) == world.size());
}

// Ranks that disagree, each time on a communicator of its own.
namespace {

/// What a rank other than the root says of a broadcast of its `both` where the root's is another.
template <class Root, class Others>
std::string disagreement(Root at_root, Others elsewhere) {
    boost::mpi::communicator const world{boost::mpi::communicator{}, boost::mpi::comm_duplicate};
    tutti::configure(world, {});  // compares no calls, whatever the environment says
    std::string result;
    auto const call = [&](auto& both) {
        // a vector would take the root's size
        result = support::sentence_of([&] { tutti::broadcast(world, std::span{both}, 0, tutti::linear{}); });
    };
    if (world.rank() == 0) {
        call(at_root);
    } else {
        call(elsewhere);
    }
    tutti::recover(world);
    return world.rank() != 0 ? result : "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_comes_is_not_believed) {
    boost::mpi::communicator const world;
    std::vector<std::string> const words{"one", "two", std::string(500'000, 'x')};
    auto const more = disagreement(words, std::vector<std::string>(2));
    auto const numbers = disagreement(std::vector<std::uint64_t>(10, std::uint64_t{1} << 42), words);
    auto const short_one = disagreement(std::vector<char>(3), words);
    auto const lists = disagreement(std::vector<std::list<int>>(3), words);
    if (world.rank() == 0) { return; }
    BOOST_TEST(contains(more, "rank 0 sent 3 "), more);
    BOOST_TEST(contains(more, ", which expects 2 std::string; "), more);
    BOOST_TEST(contains(more, "string"), more);
    BOOST_TEST(contains(numbers, "elements of a type that this rank does not know"), numbers);
    BOOST_TEST(contains(short_one, "rank 0 sent 3 bytes that are no packed elements to rank "), short_one);
    BOOST_TEST(contains(lists, "rank 0 sent 3 std::"), lists);
    BOOST_TEST(contains(lists, "list<int"), lists);
}

BOOST_AUTO_TEST_SUITE_END()
