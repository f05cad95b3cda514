// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include <tutti/generator.hpp>

namespace tutti {

/// `name(inside, across)`, each algorithm as it is called in its collective; for the `Default` the name alone.
template <class Default, class NodeAware, class Inside, class Across>
[[nodiscard, gnu::cold]] std::string name_with_parts(std::string_view name, NodeAware const& all, Inside inside,
                                                     Across across) {
    if constexpr (std::same_as<NodeAware, Default>) {
        return std::string{name};
    } else {
        return name_with_parts(name, {name_of(inside, all.inside), name_of(across, all.across)});
    }
}

}  // namespace tutti
