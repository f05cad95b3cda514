// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/element.hpp>
#include <tutti/element/packed_archive.hpp>

namespace tutti {

/// Every type that does not travel as bytes is packed by Boost.Serialization. A type it does not know is a compile
/// error of its own, which names the missing serialize().
template <class T>
    requires(!travels_as_bytes<T>)
struct serialization<T> {
    static void save(std::span<T const> in, std::vector<std::byte>& packed) {
        if (in.empty()) { return; }
        packing::output_archive archive{packed};
        for (auto const& value : in) { archive << value; }
    }

    static void load(std::span<std::byte const> packed, std::span<T> out) {
        if (!out.empty()) {
            packing::input_archive archive{packed};
            for (auto& value : out) { archive >> value; }
            packed = archive.rest();
        }
        if (!packed.empty()) {
            throw std::runtime_error{"tutti: a packed message holds more than the " + std::to_string(out.size()) +
                                     " elements expected; do the ranks agree on the type and number of elements?"};
        }
    }
};

}  // namespace tutti
