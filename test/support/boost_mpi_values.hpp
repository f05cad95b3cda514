// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The kinds of values with which Boost.MPI's collectives are tested: MPI datatypes built in and declared by the
// user, serialised types with an operator that commutes and with one that does not.

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/datatype.hpp>
#include <boost/mpi/operations.hpp>
#include <boost/mpl/bool.hpp>
#include <boost/serialization/access.hpp>
#include <boost/serialization/string.hpp>

namespace support {

/// An MPI datatype of the user's.
struct location {
    int x = 0;
    int y = 0;
    int z = 0;

    friend bool operator==(location const&, location const&) = default;
    friend auto operator<=>(location const&, location const&) = default;
    friend location operator+(location const& a, location const& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend std::ostream& operator<<(std::ostream& out, location const& at) {
        return out << at.x << ' ' << at.y << ' ' << at.z;
    }

private:
    friend class boost::serialization::access;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive & x & y & z;
    }
};

/// Serialised, though it need not be.
class boxed {
public:
    boxed() = default;
    explicit boxed(int value) : value_{value} {}
    boxed(boxed const& other) : value_{other.value_} {}
    boxed& operator=(boxed const& other) {
        value_ = other.value_;
        return *this;
    }
    friend bool operator==(boxed const& a, boxed const& b) { return a.value_ == b.value_; }
    friend boxed operator+(boxed const& a, boxed const& b) { return boxed{a.value_ + b.value_}; }
    friend std::ostream& operator<<(std::ostream& out, boxed const& box) { return out << box.value_; }

private:
    friend class boost::serialization::access;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive & value_;
    }
    int value_ = 0;
};

struct bits_of_both {
    int operator()(int a, int b) const { return a & b; }
};

/// Calls `test(value of each rank, operator)` for all kinds.
template <class Test>
void for_all_kinds(Test test) {
    auto const number = [](int rank) { return rank + 1; };
    test(number, std::plus<int>{});
    test(number, std::multiplies<int>{});
    test(number, boost::mpi::maximum<int>{});
    test(number, boost::mpi::minimum<int>{});
    test([](int rank) { return rank + 17; }, bits_of_both{});
    test([](int rank) { return location{rank, 1, 2 * rank}; }, std::plus<location>{});
    test([](int rank) { return boxed{rank + 17}; }, std::plus<boxed>{});
    test([](int rank) { return std::to_string(rank) + (rank == 1 ? " sled" : " sleds"); }, std::plus<std::string>{});
}

/// Calls `test(value of each rank)` for one kind of each sort: nothing is combined.
template <class Test>
void for_each_value(Test test) {
    test([](int rank) { return rank + 1; });
    test([](int rank) { return location{rank, 1, 2 * rank}; });
    test([](int rank) { return boxed{rank + 17}; });
    test([](int rank) { return std::to_string(rank) + " sleds"; });
}

/// What `value` gives for all ranks, each of them `count` times, one after the other.
template <class Value>
[[nodiscard]] auto of_all_ranks(int size, Value value, std::size_t count) {
    std::vector<decltype(value(0))> all;
    for (int rank = 0; rank != size; ++rank) { all.insert(all.end(), count, value(rank)); }
    return all;
}

/// What `value` gives for all ranks, in their order.
template <class Value, class Op>
[[nodiscard]] auto reduced(int size, Value value, Op op) {
    auto result = value(0);
    for (int rank = 1; rank < size; ++rank) { result = op(result, value(rank)); }
    return result;
}

}  // namespace support

namespace boost::mpi {

template <>
struct is_mpi_datatype<support::location> : boost::mpl::true_ {};

template <>
struct is_commutative<std::plus<support::boxed>, support::boxed> : boost::mpl::true_ {};

}  // namespace boost::mpi
