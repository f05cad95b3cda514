// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include <tutti/communicator.hpp>
#include <tutti/error.hpp>

namespace tutti {

/// "reduce by binomial of 10 double to root 0"
[[nodiscard, gnu::cold]] inline std::string text_of(call const& said, bool with_algorithm) {
    auto const outwards = said.collective == "broadcast" || said.collective == "scatter";
    auto text = joined({said.collective, with_algorithm ? " by " : "", with_algorithm ? said.algorithm : "", " of "});
    if (said.elements != call::known_to_root) { text += joined({said.elements, " "}); }
    text += said.element;
    if (said.root) { text += joined({outwards ? " from root " : " to root ", *said.root}); }
    for (std::size_t rank = 0; rank != said.counts.size(); ++rank) {
        text += joined({rank == 0 ? " in parts of " : ", ", said.counts[rank]});
    }
    return text;
}

/// `digest` with one more number in it, of which all bits matter.
[[nodiscard]] constexpr std::uint64_t digest_with(std::uint64_t digest, std::uint64_t number) {
    auto const mixed = (digest ^ number) * 0x9e3779b97f4a7c15U;
    return mixed ^ (mixed >> 29U);
}

/// Equal for equal calls, and for others by chance only.
[[nodiscard]] inline std::uint64_t digest_of(call const& said) {
    std::uint64_t digest = 0;
    for (auto const word : {said.collective, said.algorithm, said.element}) {
        digest = digest_with(digest, std::hash<std::string_view>{}(word));
    }
    digest = digest_with(digest, said.elements);
    digest = digest_with(digest, said.root ? static_cast<std::uint64_t>(*said.root) : ~std::uint64_t{0});
    for (auto const count : said.counts) { digest = digest_with(digest, count); }
    return digest;
}

}  // namespace tutti
