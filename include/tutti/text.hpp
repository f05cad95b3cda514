// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

/// Sentences for users, and the names in them.
namespace tutti::text {

/// The name of a type, as this compiler writes it: where ranks compare their calls. See `public_name` for sentences.
template <class T>
[[nodiscard]] constexpr std::string_view type_name() {
    std::string_view const signature = __PRETTY_FUNCTION__;
    auto const first = signature.find("T = ") + 4;
    return signature.substr(first, std::min(signature.find(';', first), signature.rfind(']')) - first);
}

/// What compilers write in names of types, and what users write.
inline constexpr std::string_view spellings[][2] = {
    {"> >", ">>"},
    {"<void>", ""},
    {"<>", ""},
    {"{anonymous}::", ""},
    {"(anonymous namespace)::", ""},
    {"std::__cxx11::", "std::"},
    {"std::basic_string<char>", "std::string"},
    {"long long unsigned int", "unsigned long long"},
    {"long unsigned int", "unsigned long"},
    {"short unsigned int", "unsigned short"},
    {"long int", "long"},
    {"short int", "short"},
    {"tutti::operators::operator_with_identity", "tutti::with_identity"},
    {"tutti::operators::commutative_operator", "tutti::commutative"},
    {"tutti::operators::operator_on_members", "tutti::each"},
    {"tutti::operators::block_operator", "tutti::on_blocks"},
    {"tutti::generators::by_collective<", ""},
    {"_of<tutti::generators::choice_of_fewest_rounds>, "
     "tutti::generators::choice_of_fewest_rounds>>",
     ""},
    {"_of<tutti::generators::choice_of_least_volume>, "
     "tutti::generators::choice_of_least_volume>>",
     ""},
    {"tutti::generators::chained", "tutti::then"},
    {"tutti::generators::reversed", "tutti::reverse"},
    {"tutti::selection::choice_among", "tutti::automatic_among"}};

/// A name that `type_name` gives, as users write it and all compilers alike: tutti::ring for tutti::generators::ring,
/// std::plus for std::plus<void>. Lambdas have no name that compilers agree on.
[[nodiscard, gnu::cold]] inline std::string public_name(std::string_view type) {
    if (type.find("lambda") != std::string_view::npos) { return "a lambda"; }
    std::string name{type};
    for (auto const& [compilers, users] : spellings) {
        for (auto at = name.find(compilers); at != std::string::npos; at = name.find(compilers, at)) {
            name.replace(at, compilers.size(), users);
        }
    }
    constexpr std::string_view own = "tutti::";
    for (auto at = name.find(own); at != std::string::npos; at = name.find(own, at)) {  // without the rooms
        at += own.size();
        auto const end = std::min(name.find_first_of("<>,: (", at), name.size());
        if (name.compare(end, 2, "::") != 0) { continue; }
        name.erase(at, end + 2 - at);
        at -= own.size();  // there may be a room in it
    }
    return name;
}

/// The same on all machines: 64-bit FNV-1a.
[[nodiscard]] constexpr std::uint64_t hash_of_name(std::string_view name) {
    std::uint64_t result = 0xcbf29ce484222325U;
    for (char const each : name) { result = (result ^ static_cast<unsigned char>(each)) * 0x100000001b3U; }
    return result;
}

/// A part of a message for users: words, a whole number, or a number of things: "1 element", "2 elements".
class word {
public:
    word(char const* words) : words_{words} {}
    word(std::string_view words) : words_{words} {}
    word(std::string const& words) : words_{words} {}
    template <std::integral Number>
    word(Number number)
        : number_{static_cast<std::uint64_t>(number)}, kind_{std::cmp_less(number, 0) ? negative : positive} {}
    word(std::integral auto number, std::string_view of) : word{number} { words_ = of; }

    [[gnu::cold]] void append_to(std::string& text) const {
        switch (kind_) {
        case verbal: text += words_; break;
        case positive: text += std::to_string(number_); break;
        case negative: text += std::to_string(static_cast<std::int64_t>(number_)); break;
        }
        if (kind_ != verbal && !words_.empty()) { text.append(" ").append(words_).append(number_ == 1 ? "" : "s"); }
    }

private:
    std::string_view words_{};
    std::uint64_t number_ = 0;
    enum : std::uint8_t { verbal, positive, negative } kind_ = verbal;
};

/// All parts, one after the other. One function for all messages: the compiler takes long for strings that are put
/// together where an error is thrown.
[[nodiscard, gnu::cold, gnu::noinline]] inline std::string joined(std::initializer_list<word> parts) {
    std::string text;
    for (auto const& each : parts) { each.append_to(text); }
    return text;
}

/// `sentence` without the word with which all of the library's begin, to be quoted in another one.
[[nodiscard]] constexpr std::string_view quoted(std::string_view sentence) {
    constexpr std::string_view first = "tutti: ";
    return sentence.starts_with(first) ? sentence.substr(first.size()) : sentence;
}

/// What a user has written, to be shown on a terminal: other characters than printable ones as their code in base 16,
/// and the first ones where there are too many.
[[nodiscard, gnu::cold]] inline std::string printable(std::string_view text) {
    constexpr std::size_t most = 80;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    for (char const each : text) {
        auto const code = static_cast<unsigned char>(each);
        bool const is_shown = code >= ' ' && code <= '~' && each != '\\';
        if (result.size() + (is_shown ? 1 : 4) > most) { return result + "..."; }
        if (is_shown) {
            result += each;
        } else {
            result += {'\\', 'x', digits[code / 16U], digits[code % 16U]};
        }
    }
    return result;
}

}  // namespace tutti::text
