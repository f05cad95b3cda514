// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <list>
#include <string>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <boost/serialization/list.hpp>

#include <support/boost_mpi_values.hpp>
#include <support/displaced_parts.hpp>
#include <tutti/boost_mpi.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/linear.hpp>

BOOST_AUTO_TEST_SUITE(collective_boost_mpi)

using boost::mpi::communicator;
using tutti::all_gather;
using tutti::all_gatherv;
using tutti::all_reduce;
using tutti::broadcast;
using tutti::gather;
using tutti::gatherv;
using tutti::inplace;
using tutti::reduce;
using tutti::scan;
using tutti::scatter;
using tutti::scatterv;

namespace {

communicator const comm;

template <class T>
void broadcast_from_every_root(T const& sent) {
    for (int root = 0; root != comm.size(); ++root) {
        T value{};
        if (comm.rank() == root) { value = sent; }
        broadcast(comm, value, root);
        BOOST_TEST((value == sent));

        std::vector<T> values(3);
        if (comm.rank() == root) { values.assign(3, sent); }
        broadcast(comm, values.data(), 3, root);
        BOOST_TEST((values == std::vector<T>(3, sent)));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_gather_of_values) {
    support::for_each_value([&](auto value) {
        auto const mine = value(comm.rank());
        auto const expected = support::of_all_ranks(comm.size(), value, 1);
        std::vector<decltype(value(0))> result;
        all_gather(comm, mine, result);
        BOOST_TEST((result == expected));
        result.assign(expected.size(), value(0));
        all_gather(comm, mine, result.data());
        BOOST_TEST((result == expected));
        result.assign(3 * expected.size(), value(0));
        all_gather(comm, value(comm.rank()), result);
        BOOST_TEST((result == expected));
    });
}

BOOST_AUTO_TEST_CASE(all_gather_of_pointer_and_count) {
    support::for_each_value([&](auto value) {
        std::vector const mine(10, value(comm.rank()));
        auto const expected = support::of_all_ranks(comm.size(), value, 10);
        std::vector<decltype(value(0))> result;
        all_gather(comm, &mine[0], static_cast<int>(mine.size()), result);
        BOOST_TEST((result == expected));
        result.assign(expected.size(), value(0));
        all_gather(comm, mine.data(), 10, result.data());
        BOOST_TEST((result == expected));
    });
}

BOOST_AUTO_TEST_CASE(all_gatherv_of_parts_of_several_sizes) {
    auto const sizes = support::sizes_of(comm.size());
    auto const displacements = support::displacements_of(sizes);
    support::for_each_displaced(sizes, comm.rank(), [&](auto value, auto& mine, auto& row, auto& with_gaps) {
        std::vector<decltype(value(0))> out;
        all_gatherv(comm, mine, out, sizes);
        BOOST_TEST((out == row));
        out.assign(row.size(), value(99));
        all_gatherv(comm, mine.data(), out.data(), sizes);
        BOOST_TEST((out == row));
        out.assign(with_gaps.size(), value(99));
        all_gatherv(comm, mine.data(), out.data(), sizes, displacements);
        BOOST_TEST((out == with_gaps));
        out.assign(3, value(99));
        all_gatherv(comm, mine, out, sizes, displacements);
        BOOST_TEST(out.size() == with_gaps.size() - 1);  // up to the last part
        for (std::size_t i = 0; i != out.size(); ++i) {
            if (with_gaps[i] != value(99)) { BOOST_TEST((out[i] == with_gaps[i])); }
        }
    });
}

BOOST_AUTO_TEST_CASE(all_gatherv_of_one_value_of_each_rank) {
    std::vector<int> const ones(static_cast<std::size_t>(comm.size()), 1);
    support::for_each_value([&](auto value) {
        auto const expected = support::of_all_ranks(comm.size(), value, 1);
        auto out = expected;
        for (auto& each : out) { each = value(99); }
        all_gatherv(comm, value(comm.rank()), out.data(), ones);
        BOOST_TEST((out == expected));
        std::vector<int> in_order;
        for (int rank = 0; rank != comm.size(); ++rank) { in_order.push_back(rank); }
        for (auto& each : out) { each = value(99); }
        all_gatherv(comm, value(comm.rank()), out.data(), ones, in_order);
        BOOST_TEST((out == expected));
    });
}

BOOST_AUTO_TEST_CASE(all_reduce_of_values) {
    support::for_all_kinds([&](auto value, auto op) {
        auto const expected = support::reduced(comm.size(), value, op);
        auto const mine = value(comm.rank());
        BOOST_TEST(all_reduce(comm, mine, op) == expected);
        auto result = value(0);
        all_reduce(comm, mine, result, op);
        BOOST_TEST(result == expected);
        auto both = mine;
        all_reduce(comm, inplace(both), op);
        BOOST_TEST(both == expected);
    });
}

BOOST_AUTO_TEST_CASE(all_reduce_of_pointer_and_count) {
    support::for_all_kinds([&](auto value, auto op) {
        std::vector const expected(10, support::reduced(comm.size(), value, op));
        std::vector both(10, value(comm.rank()));
        std::vector result(10, value(0));
        all_reduce(comm, &both[0], static_cast<int>(both.size()), &result[0], op);
        BOOST_TEST((result == expected));
        all_reduce(comm, inplace(&both[0]), both.size(), op);
        BOOST_TEST((both == expected));
    });
}

BOOST_AUTO_TEST_CASE(containers_become_as_large_as_the_roots) {
    support::for_each_value([&](auto value) {
        using values = std::vector<decltype(value(0))>;
        for (int root = 0; root != comm.size(); ++root) {
            for (auto const n : std::vector<std::size_t>{0, 1, 3, 7'000}) {
                auto const expected = values(n, value(root));
                values result;  // shorter than that of the root
                if (comm.rank() == root) { result = expected; }
                broadcast(comm, result, root);
                BOOST_TEST((result == expected));
                if (comm.rank() != root) { result.assign(9'000, value(root)); }  // longer, on the second time
                broadcast(comm, result, root, tutti::reverse(tutti::linear{}));
                BOOST_TEST((result == expected));
                if (comm.rank() == root) {  // which may be const
                    broadcast(comm, expected, root);
                } else {
                    result.clear();
                    broadcast(comm, result, root);
                    BOOST_TEST((result == expected));
                }
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(a_plan_leaves_sizes_alone) {
    std::vector<int> values(3, comm.rank());
    tutti::async::broadcast(comm, values, 0).wait();
    BOOST_TEST((values == std::vector<int>(3, 0)));
}

BOOST_AUTO_TEST_CASE(broadcast_of_integers) { broadcast_from_every_root(17); }

BOOST_AUTO_TEST_CASE(broadcast_of_values_of_the_user) {
    broadcast_from_every_root(support::location{39, 16, 20});
    broadcast_from_every_root(support::boxed{26});
}

BOOST_AUTO_TEST_CASE(broadcast_of_strings) { broadcast_from_every_root(std::string{"Rosie"}); }

BOOST_AUTO_TEST_CASE(broadcast_of_lists) { broadcast_from_every_root(std::list<std::string>{"Hello", "MPI", "World"}); }

BOOST_AUTO_TEST_CASE(gather_of_values_to_every_root) {
    support::for_each_value([&](auto value) {
        using type = decltype(value(0));
        auto const mine = value(comm.rank());
        auto const expected = support::of_all_ranks(comm.size(), value, 1);
        for (int root = 0; root != comm.size(); ++root) {
            std::vector<type> result;
            gather(comm, mine, result, root);
            BOOST_TEST((result == (comm.rank() == root ? expected : std::vector<type>{})));
            if (comm.rank() == root) {
                gather(comm, mine, result, root);
                BOOST_TEST((result == expected));
                result.assign(expected.size(), value(0));
                gather(comm, mine, result.data(), root);
                BOOST_TEST((result == expected));
            } else {
                gather(comm, mine, root);
                gather(comm, mine, static_cast<type*>(nullptr), root);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(gather_of_pointer_and_count_to_every_root) {
    support::for_each_value([&](auto value) {
        using type = decltype(value(0));
        std::vector const mine(10, value(comm.rank()));
        auto const expected = support::of_all_ranks(comm.size(), value, 10);
        for (int root = 0; root != comm.size(); ++root) {
            std::vector<type> result;
            gather(comm, &mine[0], static_cast<int>(mine.size()), result, root);
            BOOST_TEST((result == (comm.rank() == root ? expected : std::vector<type>{})));
            if (comm.rank() == root) {
                result.assign(expected.size(), value(0));
                gather(comm, mine.data(), 10, result.data(), root);
                BOOST_TEST((result == expected));
            } else {
                gather(comm, mine.data(), 10, root);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(gatherv_of_parts_of_several_sizes) {
    auto const sizes = support::sizes_of(comm.size());
    auto const displacements = support::displacements_of(sizes);
    auto const n = sizes[static_cast<std::size_t>(comm.rank())];
    support::for_each_displaced(sizes, comm.rank(), [&](auto value, auto& mine, auto& row, auto& with_gaps) {
        using values = std::vector<decltype(value(0))>;
        for (int root = 0; root != comm.size(); ++root) {
            bool const is_root = comm.rank() == root;
            values out(is_root ? row.size() : 0, value(99));
            auto const check_out = [&](values const& expected) {
                BOOST_TEST((out == (is_root ? expected : values{})));
                out.assign(is_root ? with_gaps.size() : 0, value(99));
            };
            gatherv(comm, mine, out.data(), sizes, root);
            check_out(row);
            gatherv(comm, mine, out.data(), sizes, displacements, root);
            check_out(with_gaps);
            gatherv(comm, mine.data(), n, out.data(), sizes, displacements, root);
            check_out(with_gaps);
            if (is_root) {
                gatherv(comm, mine.data(), n, out.data(), sizes, root);
                out.resize(row.size());
                BOOST_TEST((out == row));
                out.assign(with_gaps.size(), value(99));
                gatherv(comm, mine, out.data(), sizes, displacements, root);
                BOOST_TEST((out == with_gaps));
            } else {  // sizes matter on the root only
                gatherv(comm, mine.data(), n, root);
                gatherv(comm, mine, root);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(reduce_of_values_to_every_root) {
    support::for_all_kinds([&](auto value, auto op) {
        auto const mine = value(comm.rank());
        for (int root = 0; root != comm.size(); ++root) {
            if (comm.rank() == root) {
                auto result = value(0);
                reduce(comm, mine, result, op, root);
                BOOST_TEST(result == support::reduced(comm.size(), value, op));
            } else {
                reduce(comm, mine, op, root);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(reduce_of_pointer_and_count_to_every_root) {
    support::for_all_kinds([&](auto value, auto op) {
        std::vector const mine(10, value(comm.rank()));
        for (int root = 0; root != comm.size(); ++root) {
            if (comm.rank() == root) {
                std::vector result(10, value(0));
                reduce(comm, mine.data(), 10, result.data(), op, root);
                BOOST_TEST((result == std::vector(10, support::reduced(comm.size(), value, op))));
            } else {
                reduce(comm, mine.data(), 10, op, root);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(reduce_in_place) {
    support::for_all_kinds([&](auto value, auto op) {
        int const root = comm.size() - 1;
        std::vector both(10, value(comm.rank()));
        reduce(comm, inplace(&both[0]), static_cast<int>(both.size()), op, root);
        auto one = value(comm.rank());
        reduce(comm, inplace(one), op, root);
        if (comm.rank() == root) {
            BOOST_TEST((both == std::vector(10, support::reduced(comm.size(), value, op))));
            BOOST_TEST(one == support::reduced(comm.size(), value, op));
        }
    });
}

BOOST_AUTO_TEST_CASE(what_the_user_told_boost_mpi_holds) {
    using plus = std::plus<support::boxed>;
    static_assert(tutti::operators::is_commutative_v<plus, support::boxed>);
    static_assert(!tutti::operators::is_commutative_v<std::plus<support::location>, support::location>);
    static_assert(tutti::travels_as_bytes<support::location> && !tutti::travels_as_bytes<support::boxed>);
    // an algorithm for commutative operators only
    support::boxed result;
    reduce(comm, support::boxed{1}, result, plus{}, 0, tutti::uni_greedy{});
    if (comm.rank() == 0) { BOOST_TEST(result == support::boxed{comm.size()}); }
}

BOOST_AUTO_TEST_CASE(scan_of_values) {
    support::for_all_kinds([&](auto value, auto op) {
        auto const expected = support::reduced(comm.rank() + 1, value, op);
        auto const mine = value(comm.rank());
        BOOST_TEST(scan(comm, mine, op) == expected);
        auto result = value(0);
        scan(comm, mine, result, op);
        BOOST_TEST(result == expected);
    });
}

BOOST_AUTO_TEST_CASE(scan_of_pointer_and_count) {
    support::for_all_kinds([&](auto value, auto op) {
        std::vector const mine(10, value(comm.rank()));
        std::vector result(10, value(0));
        scan(comm, &mine[0], static_cast<int>(mine.size()), &result[0], op);
        BOOST_TEST((result == std::vector(10, support::reduced(comm.rank() + 1, value, op))));
    });
}

BOOST_AUTO_TEST_CASE(scatter_of_values_from_every_root) {
    support::for_each_value([&](auto value) {
        auto const all = support::of_all_ranks(comm.size(), value, 1);
        auto const expected = value(comm.rank());
        for (int root = 0; root != comm.size(); ++root) {
            auto result = value(0);
            scatter(comm, all, result, root);
            BOOST_TEST((result == expected));
            result = value(0);
            scatter(comm, all.data(), result, root);  // to const: Boost.MPI takes an int after an int* for a count
            BOOST_TEST((result == expected));
            result = value(0);
            if (comm.rank() == root) {
                scatter(comm, all, result, root);
            } else {
                scatter(comm, result, root);
            }
            BOOST_TEST((result == expected));
        }
    });
}

BOOST_AUTO_TEST_CASE(scatter_of_pointer_and_count_from_every_root) {
    support::for_each_value([&](auto value) {
        auto const all = support::of_all_ranks(comm.size(), value, 10);
        std::vector const expected(10, value(comm.rank()));
        for (int root = 0; root != comm.size(); ++root) {
            std::vector result(10, value(0));
            auto const check = [&] {
                BOOST_TEST((result == expected));
                result.assign(10, value(0));
            };
            scatter(comm, all, &result[0], static_cast<int>(result.size()), root);
            check();
            scatter(comm, all.data(), result.data(), 10, root);
            check();
            if (comm.rank() == root) {
                scatter(comm, &all[0], &result[0], 10, root);
            } else {
                int ten = 10;
                scatter(comm, &result[0], ten, root);
            }
            check();
        }
    });
}

BOOST_AUTO_TEST_CASE(scatterv_of_parts_of_several_sizes) {
    auto const sizes = support::sizes_of(comm.size());
    auto const displacements = support::displacements_of(sizes);
    auto const n = sizes[static_cast<std::size_t>(comm.rank())];
    support::for_each_displaced(sizes, comm.rank(), [&](auto value, auto& mine, auto& row, auto& with_gaps) {
        using values = std::vector<decltype(value(0))>;
        for (int root = 0; root != comm.size(); ++root) {
            values out(mine.size(), value(99));
            auto const check_out = [&] {
                BOOST_TEST((out == mine));
                out.assign(mine.size(), value(99));
            };
            scatterv(comm, row, sizes, out.data(), root);
            check_out();
            scatterv(comm, row.data(), sizes, out.data(), root);
            check_out();
            scatterv(comm, with_gaps, sizes, displacements, out.data(), n, root);
            check_out();
            if (comm.rank() == root) {
                scatterv(comm, row, sizes, out.data(), root);
                check_out();
                scatterv(comm, with_gaps.data(), sizes, displacements, out.data(), n, root);
            } else {  // sizes matter on the root only
                scatterv(comm, out.data(), n, root);
                check_out();
                scatterv(comm, values{}, out.data(), n, root);
            }
            check_out();
        }
    });
}

BOOST_AUTO_TEST_CASE(scatterv_of_parts_of_one_size) {
    support::for_each_value([&](auto value) {
        auto const all = support::of_all_ranks(comm.size(), value, 2);
        std::vector out(2, value(99));
        scatterv(comm, all, out.data(), 2, 0);
        BOOST_TEST((out == std::vector(2, value(comm.rank()))));
    });
}

BOOST_AUTO_TEST_SUITE_END()
