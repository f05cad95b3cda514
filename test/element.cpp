// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <tutti/element.hpp>

namespace {

struct plain {
    int number;
    double value[3];
};

struct with_history {
    with_history() = default;
    with_history(with_history const&) {}
    with_history& operator=(with_history const&) { return *this; }
    int number = 0;
};

/// Two integers whose user vouches for their bytes.
struct vouched : with_history {};

/// Trivially copyable, but what it points to has to travel.
struct view_of_text {
    char const* text;
};

/// Its address lies behind members that are none, the last of which has no default.
struct with_address {
    int numbers[3];
    std::optional<int> perhaps;
    plain const* where;
    std::reference_wrapper<int> last;
};

/// An address that is the same in all processes, as its user says.
struct agreed {
    void* at;
};

template <class T, class Unit>
struct quantity {
    T value;
};

struct word {
    std::string text;
};

}  // namespace

template <>
inline constexpr bool tutti::travels_as_bytes<vouched> = true;
template <>
inline constexpr bool tutti::travels_as_bytes<view_of_text> = false;
template <>
inline constexpr bool tutti::means_the_same_elsewhere<agreed> = true;

template <>
struct tutti::serialization<word> {
    static void save(std::span<word const> in, std::vector<std::byte>& packed) {
        for (auto const& one : in) {
            packed.push_back(static_cast<std::byte>(one.text.size()));
            auto const bytes = std::as_bytes(std::span{one.text});
            packed.insert(packed.end(), bytes.begin(), bytes.end());
        }
    }
    static void load(std::span<std::byte const> packed, std::span<word> out) {
        for (auto& one : out) {
            one.text.resize(std::to_integer<std::size_t>(packed[0]));
            std::memcpy(one.text.data(), packed.data() + 1, one.text.size());
            packed = packed.subspan(1 + one.text.size());
        }
    }
};

BOOST_AUTO_TEST_SUITE(element)

BOOST_AUTO_TEST_CASE(trivially_copyable_types_travel_as_bytes) {
    BOOST_TEST(tutti::travels_as_bytes<int>);
    BOOST_TEST(tutti::travels_as_bytes<std::complex<double>>);
    BOOST_TEST(tutti::travels_as_bytes<plain>);
    BOOST_TEST(!tutti::travels_as_bytes<std::string>);
    BOOST_TEST(!tutti::travels_as_bytes<with_history>);
    BOOST_TEST(!tutti::packing::element<with_history>);
}

BOOST_AUTO_TEST_CASE(pairs_tuples_and_arrays_of_bytes_travel_as_bytes) {
    BOOST_TEST((tutti::travels_as_bytes<std::pair<int, double>>));
    BOOST_TEST((tutti::travels_as_bytes<std::pair<int, std::pair<char, plain>>>));
    BOOST_TEST((tutti::travels_as_bytes<std::tuple<int, float, std::array<std::pair<int, int>, 2>>>));
    BOOST_TEST((!tutti::travels_as_bytes<std::pair<int, std::string>>));
    BOOST_TEST((!tutti::travels_as_bytes<std::pair<int&, int>>));
    BOOST_TEST((!tutti::travels_as_bytes<std::tuple<int, std::string>>));
    BOOST_TEST((!tutti::travels_as_bytes<std::array<std::string, 2>>));
}

BOOST_AUTO_TEST_CASE(the_user_has_the_last_word) {
    BOOST_TEST(tutti::travels_as_bytes<vouched>);
    BOOST_TEST((tutti::travels_as_bytes<std::array<int, 2>>));
    BOOST_TEST(!tutti::travels_as_bytes<view_of_text>);
    BOOST_TEST((!tutti::travels_as_bytes<std::pair<int, view_of_text>>));
    BOOST_TEST(!tutti::packing::element<view_of_text>);
}

BOOST_AUTO_TEST_CASE(addresses_mean_nothing_in_another_process) {
    BOOST_TEST(!tutti::means_the_same_elsewhere<int*>);
    BOOST_TEST(!tutti::means_the_same_elsewhere<void (*)(int)>);
    BOOST_TEST(!tutti::means_the_same_elsewhere<int plain::*>);
    BOOST_TEST(!tutti::means_the_same_elsewhere<std::string_view>);
    BOOST_TEST(!tutti::means_the_same_elsewhere<std::span<int>>);
    BOOST_TEST(!tutti::means_the_same_elsewhere<std::vector<int>::iterator>);
    BOOST_TEST(!tutti::means_the_same_elsewhere<std::reference_wrapper<int>>);
    BOOST_TEST((!tutti::means_the_same_elsewhere<std::tuple<int, int&>>));
    BOOST_TEST((!tutti::means_the_same_elsewhere<std::variant<int, std::pair<int, char*>>>));
    BOOST_TEST((!tutti::means_the_same_elsewhere<std::array<view_of_text, 2>>));
    BOOST_TEST(!tutti::means_the_same_elsewhere<with_address>);
    BOOST_TEST(!tutti::packing::element<with_address>);
}

BOOST_AUTO_TEST_CASE(values_mean_the_same_in_every_process) {
    BOOST_TEST(tutti::means_the_same_elsewhere<double>);
    BOOST_TEST(tutti::means_the_same_elsewhere<std::complex<double>>);
    BOOST_TEST(tutti::means_the_same_elsewhere<plain>);
    BOOST_TEST((tutti::means_the_same_elsewhere<std::variant<int, std::optional<plain>>>));
    BOOST_TEST((tutti::means_the_same_elsewhere<quantity<double, struct only_a_name>>));
    BOOST_TEST(tutti::means_the_same_elsewhere<agreed>);
    BOOST_TEST(tutti::packing::element<agreed>);
}

BOOST_AUTO_TEST_CASE(a_type_with_a_serialization_is_an_element) {
    BOOST_TEST(tutti::packing::serializable<word>);
    BOOST_TEST(tutti::packing::element<word>);
    BOOST_TEST(!tutti::packing::serializable<std::string>);
    BOOST_TEST(!tutti::packing::element<std::string>);
    BOOST_TEST(tutti::packing::element<int>);

    std::vector<word> const in{{"a"}, {""}, {"collective"}};
    std::vector<std::byte> packed;
    tutti::serialization<word>::save(in, packed);
    std::vector<word> out(3, word{"what was there before"});
    tutti::serialization<word>::load(packed, out);
    for (std::size_t i = 0; i != in.size(); ++i) { BOOST_TEST(out[i].text == in[i].text); }
}

BOOST_AUTO_TEST_SUITE_END()
