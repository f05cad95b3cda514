// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <tutti/operation/combine.hpp>
#include <tutti/operation/run_time_operator.hpp>

BOOST_AUTO_TEST_SUITE(operation_run_time_operator)

namespace {

/// inout = in · factor + inout, on the first int of elements of `extent` bytes.
struct state {
    std::size_t extent;
    int factor;
    std::size_t calls = 0;

    static void combine(void* raw, void const* in, void* inout, std::size_t n) {
        auto& self = *static_cast<state*>(raw);
        ++self.calls;
        for (std::size_t i = 0; i != n; ++i) {
            auto const* const a = reinterpret_cast<int const*>(static_cast<std::byte const*>(in) + i * self.extent);
            auto* const b = reinterpret_cast<int*>(static_cast<std::byte*>(inout) + i * self.extent);
            *b = *a * self.factor + *b;
        }
    }
};

/// Elements of `extent` bytes that begin with `value`.
std::vector<int> elements(std::size_t extent, std::size_t n, int value) {
    std::vector<int> result(n * extent / sizeof(int), -1);
    for (std::size_t i = 0; i != n; ++i) { result[i * extent / sizeof(int)] = value; }
    return result;
}

std::byte* bytes(std::vector<int>& x) { return reinterpret_cast<std::byte*>(x.data()); }

void check(std::size_t extent) {
    constexpr std::size_t n = 3000;
    state f{extent, 10};
    tutti::run_time_operator const op{state::combine, &f, false};
    auto left = elements(extent, n, 4);
    auto right = elements(extent, n, 2);
    auto const expected = elements(extent, n, 42);
    std::vector<int> out(left.size());
    op.combine_bytes(bytes(left), bytes(right), bytes(out), n, extent);
    BOOST_TEST((out == expected));
    out = right;
    op.combine_bytes(bytes(left), bytes(out), bytes(out), n, extent);
    BOOST_TEST((out == expected));
    BOOST_TEST(f.calls == 2);
    op.combine_bytes(bytes(left), bytes(right), bytes(left), n, extent);
    BOOST_TEST((left == expected));
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements_of_any_extent) {
    for (std::size_t const extent : std::vector<std::size_t>{4, 12, 64, 4096, 5000}) { check(extent); }
}

BOOST_AUTO_TEST_CASE(operands_change_places_where_they_may) {
    state f{sizeof(int), 1};
    tutti::run_time_operator const op{state::combine, &f, true};
    std::vector<int> left(10'000, 4);
    std::vector<int> const right(10'000, 2);
    tutti::operators::combine(op, left.data(), right.data(), left.data(), left.size());
    BOOST_TEST((left == std::vector<int>(10'000, 6)));
    BOOST_TEST(f.calls == 1);
}

BOOST_AUTO_TEST_CASE(the_type_says_what_it_is) {
    using op = tutti::run_time_operator;
    BOOST_TEST(tutti::operators::is_block_operator<op>);
    BOOST_TEST(tutti::operators::is_run_time_operator<op>);
    BOOST_TEST(tutti::operators::is_run_time_operator<std::reference_wrapper<op const>>);
    BOOST_TEST((tutti::operators::operator_on<op const, double>));
    BOOST_TEST(!(tutti::operators::operator_on<op, std::vector<int>>));
    BOOST_TEST(!(tutti::operators::is_commutative_v<op, int>));
}

BOOST_AUTO_TEST_SUITE_END()
