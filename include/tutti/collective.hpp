// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <array>
#include <concepts>
#include <string_view>

namespace tutti {

/// The collectives as types: what a generator implements, where results must stand.
namespace collective {

struct reduce         { static constexpr std::string_view name = "reduce"; };
struct all_reduce     { static constexpr std::string_view name = "all_reduce"; };
struct inclusive_scan { static constexpr std::string_view name = "inclusive_scan"; };
struct exclusive_scan { static constexpr std::string_view name = "exclusive_scan"; };
struct scan_reduce    { static constexpr std::string_view name = "scan_reduce"; };
struct reduce_scatter { static constexpr std::string_view name = "reduce_scatter"; };
struct broadcast      { static constexpr std::string_view name = "broadcast"; };
struct all_gather     { static constexpr std::string_view name = "all_gather"; };
struct gather         { static constexpr std::string_view name = "gather"; };
struct scatter        { static constexpr std::string_view name = "scatter"; };

inline constexpr std::array names{reduce::name,      all_reduce::name,     inclusive_scan::name, exclusive_scan::name,
                                  scan_reduce::name, reduce_scatter::name, broadcast::name,      all_gather::name,
                                  gather::name,      scatter::name};

/// Whether the collective distinguishes a root.
template <class Collective>
inline constexpr bool is_rooted = std::same_as<Collective, reduce> || std::same_as<Collective, broadcast> ||
                                  std::same_as<Collective, gather> || std::same_as<Collective, scatter>;

/// Whether the collective applies an operator.
template <class Collective>
inline constexpr bool combines = !(std::same_as<Collective, broadcast> || std::same_as<Collective, all_gather> ||
                                   std::same_as<Collective, gather> || std::same_as<Collective, scatter>);

}  // namespace collective

namespace ownership {

/// Whether every rank owns a part of the vector.
template <class Collective>
inline constexpr bool divides =
    std::same_as<Collective, collective::reduce_scatter> || std::same_as<Collective, collective::all_gather> ||
    std::same_as<Collective, collective::gather> || std::same_as<Collective, collective::scatter>;

}  // namespace ownership

}  // namespace tutti
