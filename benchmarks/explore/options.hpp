// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tutti/generator.hpp>

namespace tutti::explore {

/// What may be asked for at most: what more ranks choose, and their schedules, are no longer found in seconds, and more
/// elements have bytes that overflow.
inline constexpr std::size_t most_ranks = 1'000'000;
inline constexpr std::size_t most_ranks_of_schedules = 65'536;
inline constexpr std::size_t most_elements = std::numeric_limits<std::size_t>::max() / 16;

enum class format : std::uint8_t { text, json, svg, trace, goal };

/// What the command line asks for; what is not given has its default elsewhere.
struct options {
    std::string collective;
    std::string algorithm = "automatic";
    std::optional<std::size_t> size;
    std::size_t root = 0;

    std::optional<std::size_t> elements;
    std::optional<std::size_t> blocks;
    std::optional<std::size_t> segment;
    std::optional<std::vector<std::size_t>> sizes;
    std::optional<std::vector<std::size_t>> counts;

    std::optional<double> tcomm;
    std::optional<double> tcomp;
    std::optional<double> alpha;
    std::optional<double> beta;
    std::optional<double> gamma;
    std::optional<double> tau;
    std::optional<ports> model;
    std::vector<double> arrivals;

    std::optional<std::size_t> bytes;   ///< with `choose`
    std::optional<bool> commutative;    ///< with `choose`
    bool threads = false;               ///< with `choose`
    std::string machine;                ///< file that says what tutti chooses by

    std::vector<std::pair<std::string, std::string>> parameters;  ///< name and value
    explore::format format = format::text;
    std::string output;
    bool verify = false;
    bool list = false;
    bool choose = false;
    bool help = false;
};

/// Reads `--name value` and `--name=value`. Throws `refusal` for what it does not understand.
[[nodiscard]] options read_options(std::vector<std::string> const& arguments);

/// What --help prints.
[[nodiscard]] std::string usage();

}  // namespace tutti::explore
