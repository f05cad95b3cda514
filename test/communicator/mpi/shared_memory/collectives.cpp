// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/mman.h>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/barrier.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/plan.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/collective/scatter.hpp>
#include <tutti/communicator/mpi.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>
#include <tutti/communicator/recover.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/cost/measure.hpp>
#include <tutti/error.hpp>
#include <tutti/execution/configure.hpp>
#include <tutti/execution/packed_messages.hpp>
#include <tutti/generator/all.hpp>

namespace {

/// A word, which no rank knows the length of but the one that has it.
struct word {
    std::string text;
    friend bool operator==(word const&, word const&) = default;
};

/// x -> a x + b modulo a prime: composition keeps its order.
struct affine {
    std::int64_t a = 1;
    std::int64_t b = 0;
    friend bool operator==(affine const&, affine const&) = default;
};

constexpr std::int64_t prime = 1'000'003;

affine composed(affine const& first, affine const& second) {
    return {first.a * second.a % prime, (second.a * first.b + second.b) % prime};
}

}  // namespace

template <>
struct tutti::serialization<word> {
    static void save(std::span<word const> in, std::vector<std::byte>& packed) {
        for (auto const& each : in) {
            auto const length = each.text.size();
            auto const* const bytes = reinterpret_cast<std::byte const*>(&length);
            packed.insert(packed.end(), bytes, bytes + sizeof length);
            auto const* const text = reinterpret_cast<std::byte const*>(each.text.data());
            packed.insert(packed.end(), text, text + length);
        }
    }
    static void load(std::span<std::byte const> packed, std::span<word> out) {
        for (auto& each : out) {
            std::size_t length = 0;
            std::memcpy(&length, packed.data(), sizeof length);
            each.text.assign(reinterpret_cast<char const*>(packed.data() + sizeof length), length);
            packed = packed.subspan(sizeof length + length);
        }
    }
};

BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory_collectives)

namespace {

using tutti::mpi::shared_memory;

affine of(int rank, std::size_t i) {
    return {2 + rank * 3 + static_cast<std::int64_t>(i % 5), 7 + rank + static_cast<std::int64_t>(i % 11)};
}

/// Of ranks [first, last), element by element.
std::vector<affine> expected(int first, int last, std::size_t n, std::size_t skipped = 0) {
    std::vector<affine> result(n);
    for (std::size_t i = 0; i != n; ++i) {
        for (int rank = first; rank != last; ++rank) { result[i] = composed(result[i], of(rank, skipped + i)); }
    }
    return result;
}

std::vector<affine> joined(int size, std::size_t n) {
    std::vector<affine> result;
    for (int rank = 0; rank != size; ++rank) {
        auto const part = expected(rank, rank + 1, n);
        result.insert(result.end(), part.begin(), part.end());
    }
    return result;
}

/// Short, as long as a message may be, longer than all slots of a pair, and in between.
std::vector<std::size_t> lengths(shared_memory& world) {
    auto const longest = std::min<std::size_t>(world.lent_limit(), 40'000) / sizeof(affine);
    return {1, 5, 100, longest, longest + 1, 25 * longest + 3};
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_collective_with_elements_that_travel_as_bytes) {
    shared_memory world{MPI_COMM_WORLD};
    int const size = world.size();
    int const rank = world.rank();
    for (auto const n : lengths(world)) {
        auto const in = expected(rank, rank + 1, n);
        auto const all = expected(0, size, n);
        auto const before = expected(0, rank, n);
        auto const whole_of_all = joined(size, n);
        auto const root = static_cast<int>(n) % size;
        std::vector<affine> out(n);
        tutti::all_reduce(world, in, out, composed);
        BOOST_TEST((out == all));
        out.assign(n, {});
        tutti::reduce(world, in, out, composed, root);
        if (rank == root) { BOOST_TEST((out == all)); }
        tutti::inclusive_scan(world, in, out, composed);
        BOOST_TEST((out == expected(0, rank + 1, n)));
        tutti::exclusive_scan(world, in, out, composed);
        if (rank != 0) { BOOST_TEST((out == before)); }
        std::vector<affine> total(n);
        tutti::scan_reduce(world, in, out, total, composed);
        if (rank != 0) { BOOST_TEST((out == before)); }
        BOOST_TEST((total == all));
        out = in;
        tutti::broadcast(world, out, root);
        BOOST_TEST((out == expected(root, root + 1, n)));

        auto const ranks = static_cast<std::size_t>(size);
        auto const whole = expected(rank, rank + 1, n * ranks);
        tutti::reduce_scatter(world, whole, out, composed);
        BOOST_TEST((out == expected(0, size, n, n * static_cast<std::size_t>(rank))));
        std::vector<affine> parts(n * ranks);
        tutti::all_gather(world, in, parts);
        BOOST_TEST((parts == whole_of_all));
        parts.assign(n * ranks, {});
        tutti::gather(world, in, parts, root);
        if (rank == root) { BOOST_TEST((parts == whole_of_all)); }
        parts = whole_of_all;
        tutti::scatter(world, parts, out, root);
        BOOST_TEST((out == in));
        tutti::barrier(world);
    }
}

BOOST_AUTO_TEST_CASE(elements_that_are_serialised) {
    shared_memory world{MPI_COMM_WORLD};
    auto const join = [](word const& a, word const& b) { return word{a.text + b.text}; };
    for (std::size_t const length : {1U, 300U, 70'000U}) {
        std::vector<word> in;
        std::vector<word> all(5);
        for (std::size_t i = 0; i != 5; ++i) {
            for (int rank = 0; rank != world.size(); ++rank) {
                word const mine{std::string((length + i) % 40'000 + 1, static_cast<char>('a' + rank))};
                if (rank == world.rank()) { in.push_back(mine); }
                all[i] = join(all[i], mine);
            }
        }
        std::vector<word> out(5);
        tutti::all_reduce(world, in, out, join);
        BOOST_TEST((out == all));
        out.assign(5, {});
        tutti::reduce(world, in, out, join, 0, tutti::pipeline{.segments = 3});
        if (world.rank() == 0) { BOOST_TEST((out == all)); }
        tutti::broadcast(world, out, 0);
        BOOST_TEST((out == all));
    }
}

BOOST_AUTO_TEST_CASE(algorithms_by_name_and_a_lower_limit) {
    shared_memory world{MPI_COMM_WORLD};
    for (auto const limit : {world.message_limit(), std::size_t{1000}, std::size_t{16}}) {
        world.message_limit(limit);
        std::size_t const n = limit == 16 ? 300 : 30'000;
        std::vector<std::int64_t> in(n);
        std::iota(in.begin(), in.end(), world.rank());
        std::vector<std::int64_t> sums(n);
        for (std::size_t i = 0; i != n; ++i) {
            sums[i] = world.size() * static_cast<std::int64_t>(i) + world.size() * (world.size() - 1) / 2;
        }
        auto const check = [&](auto const& algorithm) {
            std::vector<std::int64_t> out(n);
            tutti::all_reduce(world, in, out, std::plus<>{}, algorithm);
            BOOST_TEST((out == sums));
            out = in;
            tutti::all_reduce(world, tutti::inplace(out), std::plus<>{}, algorithm);
            BOOST_TEST((out == sums));
        };
        check(tutti::ring{});
        check(tutti::recursive_doubling{});
        check(tutti::pipeline{.segments = 7});
        check(tutti::binomial{});
    }
}

// They wait for each other on different ranks, which keeps messages of several tags waiting.
BOOST_AUTO_TEST_CASE(plans_are_waited_for_in_any_order) {
    shared_memory world{MPI_COMM_WORLD};
    constexpr std::size_t n = 200'000;
    std::vector<int> const in(n, 1);
    std::vector<int> const expected(n, world.size());
    std::vector<std::vector<int>> out(4, std::vector<int>(n));
    using plan = decltype(tutti::plan::all_reduce(world, in, out[0], std::plus<>{}, tutti::pipeline{}));
    std::vector<plan> plans;
    for (std::size_t i = 0; i != out.size(); ++i) {
        plans.push_back(tutti::plan::all_reduce(world, in, out[i], std::plus<>{}, tutti::pipeline{.segments = 3 + i}));
    }
    for (std::size_t round = 0; round != 6; ++round) {
        auto const mine = static_cast<std::size_t>(world.rank()) + round;
        // a rank starts one only when another is over, though its messages have come
        for (std::size_t i = 0; i != plans.size(); ++i) { plans[(i + mine) % plans.size()].start(); }
        if (round % 2 == 1) { BOOST_TEST(tutti::all_reduce(world, 1, std::plus<>{}) == world.size()); }
        for (std::size_t i = 0; i != plans.size(); ++i) {
            auto& next = plans[(i * (1 + mine % 2 * 2) + mine) % plans.size()];
            if (round == 2) {
                while (!next.test()) {}
            }
            next.wait();
        }
        for (auto& each : out) {
            BOOST_TEST((each == expected));
            each.assign(n, -1);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_an_operator_throws_leaves_the_call_and_the_memory_stays_usable) {
    shared_memory world{MPI_COMM_WORLD};
    std::vector<int> const in(100'000, 1);
    std::vector<int> out(in.size());
    auto const dislikes = [](int, int) -> int { throw std::domain_error{"no"}; };
    for (int round = 0; round != 3; ++round) {
        if (world.size() > 1) { BOOST_CHECK_THROW(tutti::all_reduce(world, in, out, dislikes), std::exception); }
        tutti::all_reduce(world, in, out, std::plus<>{});
        BOOST_TEST((out == std::vector<int>(in.size(), world.size())));
    }
}

BOOST_AUTO_TEST_CASE(after_a_message_of_another_length_memory_is_usable_when_the_ranks_have_recovered) {
    shared_memory world{MPI_COMM_WORLD};
    tutti::configure(world, {});  // compares no calls, whatever the environment says
    bool const sends = world.rank() == 0;
    for (int round = 0; round != 5; ++round) {
        std::vector<int> wrong(sends ? 40'000 : 30'000, 1);
        std::vector<int> const in(100'000, 1);
        std::vector<int> out(in.size());
        auto refused = tutti::plan::broadcast(world, wrong, 0, tutti::linear{});
        auto sound = tutti::plan::all_reduce(world, in, out, std::plus<>{}, tutti::pipeline{});
        auto const run = [&] {
            refused.start();
            refused.wait();
        };
        if (sends) {
            // it may hear of the others' error while it sends
            try {
                run();
            } catch (std::runtime_error const&) {
                BOOST_TEST(world.size() > 1);
            }
        } else {
            BOOST_CHECK_THROW(run(), std::runtime_error);
        }
        tutti::recover(world);
        sound.start();
        sound.wait();
        BOOST_TEST((out == std::vector<int>(in.size(), world.size())));
        MPI_Barrier(MPI_COMM_WORLD);  // who is told of the next failure gives up what it waits for, be it this plan
    }
}

BOOST_AUTO_TEST_CASE(what_messages_cost_can_be_measured_and_used) {
    shared_memory world{MPI_COMM_WORLD};
    auto const model = tutti::measure(world);
    BOOST_TEST(model.within_node.per_byte > 0);
    tutti::use(world, model);
    std::vector<int> const in(50'000, 1);
    std::vector<int> out(in.size());
    tutti::all_reduce(world, in, out, std::plus<>{});
    BOOST_TEST((out == std::vector<int>(in.size(), world.size())));
}

namespace {

template <std::size_t bytes>
struct wide {
    std::array<unsigned char, bytes> all{};
    friend bool operator==(wide const&, wide const&) = default;
};

template <std::size_t bytes>
void check_wide(shared_memory& world) {
    using element = wide<bytes>;
    auto const of = [](int number) {
        element result;
        for (std::size_t i = 0; i != bytes; ++i) {
            result.all[i] = static_cast<unsigned char>((i % 251 + 1) * static_cast<std::size_t>(number));
        }
        return result;
    };
    auto const sum = [](element const& a, element const& b) {
        element result;
        for (std::size_t i = 0; i != bytes; ++i) { result.all[i] = static_cast<unsigned char>(a.all[i] + b.all[i]); }
        return result;
    };
    std::vector<element> const in(3, of(world.rank() + 1));
    std::vector<element> out(3), all(3 * static_cast<std::size_t>(world.size()));
    tutti::all_reduce(world, in, out, sum);
    BOOST_TEST((out == std::vector<element>(3, of(world.size() * (world.size() + 1) / 2))));
    tutti::all_gather(world, in, all);
    for (int rank = 0; rank != world.size(); ++rank) {
        BOOST_TEST((all[3 * static_cast<std::size_t>(rank) + 1] == of(rank + 1)));
    }
}

}  // namespace

// One such element is longer than what two ranks have room for at a time.
BOOST_AUTO_TEST_CASE(elements_that_are_longer_than_a_slot_travel_in_pieces) {
    shared_memory world{MPI_COMM_WORLD};
    check_wide<32 * 1024>(world);
    check_wide<32 * 1024 + 1>(world);
    check_wide<64 * 1024>(world);
    check_wide<100'001>(world);
}

// The news that an operand is missing is shorter than the element, but has to come the same way.
BOOST_FIXTURE_TEST_CASE(long_elements_and_an_operator_that_throws_without_single_copies, support::own_world) {
    support::single_copies const never{"never"};
    tutti::configure(world, tutti::execution{.shared_memory = tutti::memory_sharing::always});
    using element = wide<65'536>;
    std::vector<element> const in(4);
    std::vector<element> out(4);
    auto const sum = [&](element const& a, element const&) {
        if (rank == 1) { throw std::domain_error{"no sum"}; }
        return a;
    };
    std::string said;
    try {
        tutti::reduce(world, in, out, sum, 0, tutti::pipeline{.segments = 4});
    } catch (std::exception const& wrong) { said = wrong.what(); }
    if (rank == 1 && size > 2) { BOOST_TEST(said == "no sum"); }
    if (rank == 0 && size > 2) { BOOST_TEST(said.find("an operand is missing") != std::string::npos, said); }
}

// A rank frees what it still sends, so that the receiver finds nothing to read.
BOOST_AUTO_TEST_CASE(memory_that_is_gone_ends_the_call_on_all_ranks_until_they_recover) {
    shared_memory world{MPI_COMM_WORLD};
    constexpr std::size_t bytes = std::size_t{1} << 20;
    if (world.size() == 1 || world.lent_limit() < bytes) { return; }  // it is copied before
    auto* const page = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    BOOST_REQUIRE((page != MAP_FAILED));
    std::span<std::int64_t> const in{static_cast<std::int64_t*>(page), bytes / sizeof(std::int64_t)};
    std::vector<std::int64_t> out(in.size());
    std::string said;
    try {
        auto plan = tutti::plan::reduce(world, in, out, std::plus<>{}, 0, tutti::linear{});
        if (world.rank() != 0) {
            plan.start();
            BOOST_REQUIRE(::mprotect(page, bytes, PROT_NONE) == 0);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (world.rank() == 0) { plan.start(); }
        plan.wait();
    } catch (std::exception const& wrong) { said = wrong.what(); }
    if (world.rank() == 0) {
        BOOST_TEST((said.find("tutti: the memory of process ") == 0), said);
        BOOST_CHECK_THROW(tutti::barrier(world), tutti::communicator_failed);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    tutti::recover(world);
    BOOST_TEST(tutti::all_reduce(world, 1, std::plus<>{}) == world.size());
    ::munmap(page, bytes);
}

BOOST_AUTO_TEST_SUITE_END()
