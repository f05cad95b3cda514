// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace word_count {

using counts = std::map<std::string, std::size_t>;

/// How often each word occurs, and how many words have 1, 2, 3, ... letters; the last number is for longer ones too.
struct tally {
    counts words;
    std::array<std::size_t, 16> lengths{};

    /// Counts the words of a file: its runs of letters, whether small or capital.
    void add(std::filesystem::path const& file) {
        std::ifstream text{file};
        std::string word;
        auto const end_word = [&] {
            if (word.empty()) { return; }
            ++lengths[std::min(word.size(), lengths.size()) - 1];
            ++words[word];
            word.clear();
        };
        for (char c; text.get(c);) {
            auto const small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
            if (small >= 'a' && small <= 'z') {
                word += small;
            } else {
                end_word();
            }
        }
        end_word();
        if (!text.eof()) { throw std::runtime_error{"cannot read " + file.string()}; }
    }

    friend bool operator==(tally const&, tally const&) = default;
};

[[nodiscard]] inline bool is_readable(std::filesystem::path const& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) && std::ifstream{file}.good();
}

/// Licenses and copyright notices, of which every Debian has some megabytes; not more than four.
[[nodiscard]] inline std::vector<std::string> texts_of_this_machine() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    std::vector<std::string> found;
    for (auto const& entry : fs::directory_iterator{"/usr/share/common-licenses", ignored}) {
        if (!entry.is_symlink(ignored)) { found.push_back(entry.path().string()); }
    }
    for (auto const& entry : fs::directory_iterator{"/usr/share/doc", ignored}) {
        found.push_back((entry.path() / "copyright").string());
    }
    std::erase_if(found, [](auto const& file) { return !is_readable(file); });
    std::sort(found.begin(), found.end());

    std::uintmax_t bytes = 0;
    auto const last = std::find_if(found.begin(), found.end(), [&](auto const& file) {
        bytes += fs::file_size(file, ignored);
        return bytes > 4'000'000;
    });
    found.erase(last, found.end());
    return found;
}

/// The files to count: those that are named, otherwise some of this machine. None, once it has been said why, if one
/// of them cannot be read.
[[nodiscard]] inline std::vector<std::string> choose_texts(std::vector<std::string> named) {
    if (named.empty()) { named = texts_of_this_machine(); }
    if (named.empty()) { std::cerr << "word_count: found no texts on this machine; name some files\n"; }
    auto const bad = std::find_if_not(named.begin(), named.end(), is_readable);
    if (bad != named.end()) {
        std::cerr << "word_count: cannot read " << *bad << '\n';
        named.clear();
    }
    return named;
}

}  // namespace word_count
