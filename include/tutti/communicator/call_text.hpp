// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tutti/communicator.hpp>
#include <tutti/error.hpp>
#include <tutti/type_name.hpp>

namespace tutti {

/// "reduce by binomial of 10 double to root 0"
[[nodiscard, gnu::cold]] inline std::string text_of(call const& entered, bool with_algorithm) {
    auto const outwards = entered.collective == "broadcast" || entered.collective == "scatter";
    auto text =
        joined({entered.collective, with_algorithm ? " by " : "", with_algorithm ? entered.algorithm : "", " of "});
    if (entered.elements != call::known_to_root) { text += joined({entered.elements, " "}); }
    text += entered.element;
    if (entered.root) { text += joined({outwards ? " from root " : " to root ", *entered.root}); }
    for (std::size_t rank = 0; rank != entered.counts.size(); ++rank) {
        text += joined({rank == 0 ? " in parts of " : ", ", entered.counts[rank]});
    }
    return text;
}

/// `digest` with one more number in it, of which all bits matter.
[[nodiscard]] constexpr std::uint64_t digest_with(std::uint64_t digest, std::uint64_t number) {
    auto const mixed = (digest ^ number) * 0x9e3779b97f4a7c15U;
    return mixed ^ (mixed >> 29U);
}

/// Equal for equal calls, and for others by chance only.
[[nodiscard]] inline std::uint64_t digest_of(call const& entered) {
    std::uint64_t digest = 0;
    for (auto const word : {entered.collective, entered.algorithm, entered.element}) {
        digest = digest_with(digest, hash_of_name(word));
    }
    digest = digest_with(digest, entered.elements);
    digest = digest_with(digest, entered.root ? static_cast<std::uint64_t>(*entered.root) : ~std::uint64_t{0});
    for (auto const count : entered.counts) { digest = digest_with(digest, count); }
    return digest;
}

}  // namespace tutti
