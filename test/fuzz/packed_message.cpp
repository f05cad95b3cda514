// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "check.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/serialization/map.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>

#include <tutti/element/boost_serialization.hpp>
#include <tutti/execution/packed_messages.hpp>

// What another rank sends packed is refused, or unpacked, whatever it is: its header, its parts, and its elements.
// Elements have no pointers: Boost.Serialization believes what a message says of their classes and objects.

namespace {

struct leaf {
    int value = 0;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive & value;
    }
};

struct everything {
    std::string text;
    std::vector<std::string> texts;
    std::map<std::string, std::vector<double>> lists;
    std::map<int, std::string> names;
    leaf last;
    std::vector<std::vector<std::uint8_t>> bytes;

    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive & text & texts & lists & names & last & bytes;
    }
};

constexpr std::size_t elements = 2;
constexpr std::size_t longest_head = 64;  // so that a packet may have more than one message

/// As packed_messages does it.
void unpack(std::span<std::byte const> packet) {
    auto const type = tutti::text::type_name<everything>();
    tutti::engine::packet_expectation const expected{1, elements, type, tutti::text::hash_of_name(type)};
    auto const said =
        tutti::engine::checked_header(packet.first(std::min(packet.size(), longest_head)), longest_head, expected);
    fuzz::require(said.bytes >= sizeof said, "a header is believed that is too short");
    if (said.bytes != packet.size()) { return; }  // more messages would have to come
    tutti::engine::check_ranges(packet, elements, expected);
    auto rest = packet.subspan(sizeof said);
    for (std::size_t part = 0; part != elements; ++part) {
        std::size_t size = 0;
        std::memcpy(&size, rest.data(), sizeof size);
        std::vector<everything> out(1);
        tutti::serialization<everything>::load(rest.subspan(sizeof size, size), out);
        rest = rest.subspan(sizeof size + size);
    }
}

template <class T>
[[nodiscard]] std::vector<std::byte> bytes_of(T const& value) {
    std::vector<std::byte> result(sizeof value);
    std::memcpy(result.data(), &value, sizeof value);
    return result;
}

void load(std::span<std::byte const> packed) {
    std::vector<everything> out(1);
    tutti::serialization<everything>::load(packed, out);
}

/// Errors that a receiver reports; all else ends the program.
template <class Action>
void try_to(Action action) {
    try {
        action();
    } catch (tutti::control::packet_mismatch const& refused) {
        fuzz::require_sentence(refused.what());
    } catch (boost::archive::archive_exception const&) {
    } catch (std::runtime_error const& refused) {
        fuzz::require_sentence(refused.what());
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const bytes = std::as_bytes(std::span{data, size});
    try_to([&] { unpack(bytes); });
    // the same with a header that is right, which no luck finds
    auto const type = tutti::text::type_name<everything>();
    auto packet = bytes_of(tutti::engine::packet_header{sizeof(tutti::engine::packet_header) + size, elements,
                                                        tutti::text::hash_of_name(type)});
    packet.insert(packet.end(), bytes.begin(), bytes.end());
    try_to([&] { unpack(packet); });
    try_to([&] { load(bytes); });
    return 0;
}
