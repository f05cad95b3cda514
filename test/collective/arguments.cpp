// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <concepts>
#include <list>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/collective/arguments.hpp>

BOOST_AUTO_TEST_SUITE(collective_arguments)

using namespace tutti::argument;

namespace {

/// Whether the argument stands for these elements.
template <class T>
bool stands_for(std::span<T> block, T const* first, std::size_t count) {
    return block.data() == first && block.size() == count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(contiguous_ranges_are_their_elements) {
    std::vector<int> vector(3);
    std::vector<int> const& constant = vector;
    std::array<double, 4> array{};
    long c_array[5] = {};
    std::span<int> const view{vector};
    std::span<int, 3> const fixed{vector};
    BOOST_TEST(stands_for(as_span(vector), vector.data(), 3));
    BOOST_TEST(stands_for(as_span(array), array.data(), 4));
    BOOST_TEST(stands_for(as_span(c_array), &c_array[0], 5));
    BOOST_TEST(stands_for(as_span(view), vector.data(), 3));
    BOOST_TEST(stands_for(as_span(fixed), vector.data(), 3));
    static_assert(std::same_as<decltype(as_span(constant)), std::span<int const>>);
    static_assert(std::same_as<decltype(as_span(view)), std::span<int>>);
    static_assert(!is_single<std::vector<int>> && !is_single<int[5]> && !is_single<std::span<int>>);
}

BOOST_AUTO_TEST_CASE(everything_else_is_one_value) {
    int number = 1;
    std::string text = "four";
    std::list<int> list{1, 2};
    std::map<int, int> const map;
    BOOST_TEST(stands_for(as_span(number), &number, 1));
    BOOST_TEST(stands_for(as_span(text), &text, 1));
    BOOST_TEST((as_span(list).data() == &list && as_span(list).size() == 1));
    static_assert(std::same_as<decltype(as_span(map)), std::span<std::map<int, int> const>>);
    static_assert(is_single<int> && is_single<std::string> && is_single<std::wstring const> &&
                  is_single<std::list<int>>);
}

BOOST_AUTO_TEST_CASE(callers_may_say_what_they_mean) {
    std::vector<int> vector(3);
    std::string text = "four";
    std::string const constant = "four";
    BOOST_TEST((as_span(tutti::value(vector)).data() == &vector && as_span(tutti::value(vector)).size() == 1));
    BOOST_TEST(stands_for(as_span(tutti::elements(text)), text.data(), 4));
    static_assert(std::same_as<decltype(as_span(tutti::elements(constant))), std::span<char const>>);
    static_assert(std::same_as<element_of<std::vector<int> const&>, int>);
    static_assert(is_single<decltype(tutti::value(vector))> && !is_single<decltype(tutti::elements(text))>);
}

BOOST_AUTO_TEST_CASE(in_place_arguments) {
    std::vector<int> vector(3);
    int c_array[5] = {};
    int number = 1;
    int* pointer = vector.data();
    int const* const constant = pointer;
    BOOST_TEST(stands_for(tutti::inplace(vector).block, vector.data(), 3));
    BOOST_TEST(stands_for(tutti::inplace(std::span{vector}).block, vector.data(), 3));
    BOOST_TEST(stands_for(tutti::inplace(c_array).block, &c_array[0], 5));
    BOOST_TEST(stands_for(tutti::inplace(number).block, &number, 1));
    BOOST_TEST((tutti::inplace(tutti::value(vector)).block.data() == &vector));
    BOOST_TEST(tutti::inplace(pointer).first == pointer);
    BOOST_TEST(tutti::inplace(vector.data()).first == pointer);
    static_assert(std::same_as<decltype(tutti::inplace(constant)), in_place_pointer<int const>>);
}

BOOST_AUTO_TEST_CASE(pointer_and_count) {
    int data[3] = {};
    BOOST_TEST(stands_for(counted(data, 3), &data[0], 3));
    BOOST_TEST(stands_for(counted(data, 3UL), &data[0], 3));
    BOOST_TEST(counted(data, 0).empty());
    BOOST_CHECK_EXCEPTION(static_cast<void>(counted(data, -1)), std::invalid_argument, [](auto const& wrong) {
        return wrong.what() == std::string{"tutti: a count of elements must not be negative"};
    });
}

BOOST_AUTO_TEST_SUITE_END()
