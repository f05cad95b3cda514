// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <support/sentences.hpp>
#include <tutti/execution/packed_messages.hpp>

BOOST_AUTO_TEST_SUITE(execution_packed_messages_packet)

using support::contains;

namespace {

constexpr std::string_view type = "word";
tutti::engine::packed_type const known{"sentence"};
tutti::engine::packet_expectation const expected{3, 5, type, tutti::text::hash_of_name(type)};
constexpr std::size_t longest = 4096;

void append(std::vector<std::byte>& to, std::uint64_t number) {
    to.resize(to.size() + sizeof number);
    std::memcpy(to.data() + to.size() - sizeof number, &number, sizeof number);
}

/// A packet of parts of so many bytes.
std::vector<std::byte> packet(std::vector<std::size_t> const& parts, tutti::engine::packet_header said) {
    std::vector<std::byte> result(sizeof said);
    for (auto const each : parts) {
        append(result, each);
        result.resize(result.size() + each);
    }
    said.bytes = result.size();
    std::memcpy(result.data(), &said, sizeof said);
    return result;
}

std::vector<std::byte> right() { return packet({10, 0, 7}, {0, 5, expected.hash}); }

/// Reads a packet as a receiver does; says why not.
std::string read(std::span<std::byte const> bytes, std::size_t parts = 3) {
    try {
        auto const said =
            tutti::engine::checked_header(bytes.first(std::min(bytes.size(), longest)), longest, expected);
        if (said.bytes != bytes.size()) { return "the rest is still to come"; }
        tutti::engine::check_ranges(bytes, parts, expected);
        return "";
    } catch (tutti::control::packet_mismatch const& wrong) { return wrong.what(); }
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_right_is_read) {
    BOOST_TEST(read(right()) == "");
    BOOST_TEST(read(packet({5000}, {0, 5, expected.hash}), 1) == "");
    static_assert(tutti::text::hash_of_name("int") != tutti::text::hash_of_name("double"));
}

BOOST_AUTO_TEST_CASE(other_types_and_numbers_are_named) {
    BOOST_TEST(
        read(packet({1}, {0, 4, expected.hash})) ==
        "tutti: a message: rank 3 sent 4 word in 33 bytes to rank 0, which expects 5 word; give every rank the same "
        "type and number of elements and the same algorithm");
    BOOST_TEST(
        contains(read(packet({1}, {0, 9, tutti::text::hash_of_name("sentence")})), "sent 9 sentence in 33 bytes"));
    BOOST_TEST(contains(read(packet({1}, {0, 5, 1})), "a type that this rank does not know"));
    BOOST_TEST(contains(read(std::vector<std::byte>(8)), "8 bytes that are no packed elements"));
}

BOOST_AUTO_TEST_CASE(sizes_are_not_believed) {
    auto const claims = [](std::uint64_t bytes) {
        auto result = right();
        std::memcpy(result.data(), &bytes, sizeof bytes);
        return read(result);
    };
    BOOST_TEST(contains(claims(0), "a packed message of 0 bytes"));
    BOOST_TEST(contains(claims(std::uint64_t{1} << 42), "begins with 65"));
    BOOST_TEST(contains(read(right(), 2), "more than their 2 parts"));
    BOOST_TEST(contains(read(right(), 4), "end in part 4 of 4"));
    for (auto const part : std::vector<std::size_t>{24, 42, 50}) {
        auto wrong = right();
        std::memset(wrong.data() + part, 0xff, sizeof(std::size_t));
        BOOST_TEST(contains(read(wrong), "bytes that end in part"));
    }
}

// Nothing that comes makes a receiver read past the end, or ask for memory that it does not need.
BOOST_AUTO_TEST_CASE(random_bytes_are_read_or_refused) {
    std::mt19937_64 draw{7};
    std::size_t refused = 0;
    for (int i = 0; i != 200'000; ++i) {
        auto bytes = right();
        bytes.resize(draw() % (bytes.size() + 1));
        for (auto changes = draw() % 4; changes != 0 && !bytes.empty(); --changes) {
            bytes[draw() % bytes.size()] = static_cast<std::byte>(draw());
        }
        bytes.shrink_to_fit();
        if (read(bytes) != "") { ++refused; }
    }
    BOOST_TEST(refused > 150'000U);
    BOOST_TEST(refused < 200'000U);
}

BOOST_AUTO_TEST_SUITE_END()
