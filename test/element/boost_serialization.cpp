// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>
#include <boost/serialization/export.hpp>
#include <boost/serialization/map.hpp>
#include <boost/serialization/shared_ptr.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>

#include <tutti/element/boost_serialization.hpp>

namespace {

/// Saves `in` and loads it over `out`, whose elements are alive and hold something else.
template <class T>
std::vector<T> travelled(std::vector<T> const& in, std::vector<T> out) {
    static_assert(!tutti::travels_as_bytes<T>);
    static_assert(tutti::packing::element<T>);
    std::vector<std::byte> packed{std::byte{42}};  // what was there stays: save appends
    tutti::serialization<T>::save(in, packed);
    BOOST_TEST((packed.at(0) == std::byte{42}));
    tutti::serialization<T>::load(std::span<std::byte const>{packed}.subspan(1), out);
    return out;
}

/// Neither default-constructible nor trivially copyable.
class account {
public:
    account(std::string owner, long balance) : owner_{std::move(owner)}, balance_{balance} {}
    friend bool operator==(account const&, account const&) = default;

private:
    friend class boost::serialization::access;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive & owner_;
        archive & balance_;
    }

    std::string owner_;
    long balance_;
};

struct shape {
    virtual ~shape() = default;
    [[nodiscard]] virtual double area() const = 0;
    template <class Archive>
    void serialize(Archive&, unsigned /*version*/) {}
};

struct square : shape {
    square() = default;
    explicit square(double length) : side{length} {}
    [[nodiscard]] double area() const override { return side * side; }
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive & boost::serialization::base_object<shape>(*this);
        archive & side;
    }
    double side = 0;
};

/// A user's serialize() that is a function beside the type, with a version.
struct versioned {
    std::vector<double> values;
};

template <class Archive>
void serialize(Archive& archive, versioned& value, unsigned version) {
    if (version != 3) { throw std::logic_error{"the version was lost"}; }
    archive & value.values;
}

}  // namespace

BOOST_CLASS_EXPORT(square)
BOOST_CLASS_VERSION(versioned, 3)

BOOST_AUTO_TEST_SUITE(element_boost_serialization)

BOOST_AUTO_TEST_CASE(strings) {
    std::vector<std::string> const in{"", "a", std::string(100000, 'x'), std::string{"with\0zero", 9}};
    BOOST_TEST(travelled(in, {"overwritten", "", "b", "c"}) == in, boost::test_tools::per_element());
    std::vector<std::wstring> const wide{L"ab", L""};
    BOOST_TEST((travelled(wide, {L"", L"x"}) == wide));
}

BOOST_AUTO_TEST_CASE(maps_of_strings) {
    using counts = std::map<std::string, std::size_t>;
    std::vector<counts> const in{{{"one", 1}, {"largest", std::numeric_limits<std::size_t>::max()}}, {}};
    BOOST_TEST((travelled(in, {{{"old", 7}}, {{"older", 8}}}) == in));
}

BOOST_AUTO_TEST_CASE(nested_vectors) {
    std::vector<std::vector<std::string>> const words{{"a", "b"}, {}, {"c"}};
    BOOST_TEST((travelled(words, {{"x"}, {"y", "z"}, {}}) == words));
    std::vector<std::vector<double>> const numbers{{1.5, -2.5}, {}, std::vector<double>(10000, 0.1)};
    BOOST_TEST((travelled(numbers, {{}, {9}, {1}}) == numbers));
    std::vector<std::vector<bool>> const bits{{true, false, true}};
    BOOST_TEST((travelled(bits, {{}}) == bits));
    std::vector<std::pair<int, std::string>> const pairs{{1, "one"}};
    BOOST_TEST((travelled(pairs, {{2, "two"}}) == pairs));
}

BOOST_AUTO_TEST_CASE(big_integers) {
    using boost::multiprecision::cpp_int;
    std::vector<cpp_int> const in{0, -1, pow(cpp_int{7}, 1000), -pow(cpp_int{2}, 64)};
    BOOST_TEST((travelled(in, {1, pow(cpp_int{3}, 500), 2, 3}) == in));
}

BOOST_AUTO_TEST_CASE(classes_without_a_default_constructor) {
    std::vector<account> const in{{"Ada", 1}, {"Grace", -1}};
    BOOST_TEST((travelled(in, {{"nobody", 0}, {"no one", 0}}) == in));
}

BOOST_AUTO_TEST_CASE(versions_are_kept) {
    std::vector<versioned> const in{{{1, 2, 3}}, {{4}}};
    auto const out = travelled(in, {{}, {}});
    BOOST_TEST(out[0].values == in[0].values, boost::test_tools::per_element());
    BOOST_TEST(out[1].values == in[1].values, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pointers_to_exported_classes) {
    auto const shared = std::make_shared<square>(3.0);
    std::vector<std::shared_ptr<shape>> const in{shared, nullptr, shared};
    auto const out = travelled(in, {nullptr, shared, nullptr});
    BOOST_REQUIRE((out[0] != nullptr));
    BOOST_TEST(out[0]->area() == 9.0);
    BOOST_TEST((out[1] == nullptr));
    BOOST_TEST((out[0] == out[2]));
    BOOST_TEST((out[0] != in[0]));
}

BOOST_AUTO_TEST_CASE(no_elements_take_no_bytes) {
    std::vector<std::byte> packed;
    tutti::serialization<std::string>::save({}, packed);
    BOOST_TEST(packed.empty());
    tutti::serialization<std::string>::load(packed, {});
}

BOOST_AUTO_TEST_CASE(a_message_of_the_wrong_length_is_an_error) {
    std::vector<std::string> const in{"collective", "reduction"};
    std::vector<std::byte> packed;
    tutti::serialization<std::string>::save(in, packed);
    std::vector<std::string> out(3);
    auto const starts_with_tutti = [](std::runtime_error const& thrown) {
        return std::string{thrown.what()}.starts_with("tutti: a packed message ");
    };
    auto const load = [&](std::size_t bytes, std::size_t elements) {
        tutti::serialization<std::string>::load(std::span<std::byte const>{packed}.first(bytes),
                                                std::span{out}.first(elements));
    };
    BOOST_CHECK_EXCEPTION(load(packed.size(), 3), std::runtime_error, starts_with_tutti);
    BOOST_CHECK_EXCEPTION(load(packed.size(), 1), std::runtime_error, starts_with_tutti);
    BOOST_CHECK_EXCEPTION(load(packed.size(), 0), std::runtime_error, starts_with_tutti);
    BOOST_CHECK_EXCEPTION(load(packed.size() - 1, 2), std::runtime_error, starts_with_tutti);
    BOOST_CHECK_EXCEPTION(load(3, 1), std::runtime_error, starts_with_tutti);
    BOOST_CHECK_NO_THROW(load(packed.size(), 2));
}

// Memory is not allocated for elements that cannot be there.
BOOST_AUTO_TEST_CASE(a_collection_that_lies_about_its_size_is_refused) {
    using collection = std::vector<int>;
    std::vector<collection> const in{collection(300, 7)};
    std::vector<std::byte> packed;
    tutti::serialization<collection>::save(in, packed);
    std::uint64_t const count = 300;
    std::uint64_t const lie = std::uint64_t{1} << 42;
    bool found = false;
    for (std::size_t at = 0; at + sizeof count <= packed.size(); ++at) {
        if (std::memcmp(packed.data() + at, &count, sizeof count) != 0) { continue; }
        std::memcpy(packed.data() + at, &lie, sizeof lie);
        found = true;
        break;
    }
    BOOST_REQUIRE(found);
    std::vector<collection> out(1);
    BOOST_CHECK_THROW(tutti::serialization<collection>::load(packed, out), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
