// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti {

/// The collectives as types, and what each of them means. The placement of arguments, the verifier, the explorer and
/// the tests read this table and nothing else.
namespace collective {

/// The ranks that hold a block of the vector. A block has an owner where the vector is divided among the ranks, see
/// `ownership` in problem.hpp.
enum class holder : std::uint8_t { none, root, owner, every_rank };

/// The ranks whose operands a result consists of, each once and in rank order.
enum class operands : std::uint8_t { of_all, up_to_own, of_root, of_owner };

/// What a collective does with a block of the vector.
struct meaning {
    holder gives;           ///< who has an operand before the call
    holder is_owed;         ///< who has the result after it
    operands result;        ///< what the result consists of
    bool prefix = false;    ///< whether rank r is owed the operands of the ranks before r, too
};

struct reduce         { static constexpr std::string_view name = "reduce";
                        static constexpr meaning means{holder::every_rank, holder::root, operands::of_all}; };
struct all_reduce     { static constexpr std::string_view name = "all_reduce";
                        static constexpr meaning means{holder::every_rank, holder::every_rank, operands::of_all}; };
struct inclusive_scan { static constexpr std::string_view name = "inclusive_scan";
                        static constexpr meaning means{holder::every_rank, holder::every_rank, operands::up_to_own}; };
struct exclusive_scan { static constexpr std::string_view name = "exclusive_scan";
                        static constexpr meaning means{holder::every_rank, holder::none, operands::of_all, true}; };
struct scan_reduce    { static constexpr std::string_view name = "scan_reduce";
    static constexpr meaning means{holder::every_rank, holder::every_rank, operands::of_all, true};
};
struct reduce_scatter { static constexpr std::string_view name = "reduce_scatter";
                        static constexpr meaning means{holder::every_rank, holder::owner, operands::of_all}; };
struct broadcast      { static constexpr std::string_view name = "broadcast";
                        static constexpr meaning means{holder::root, holder::every_rank, operands::of_root}; };
struct all_gather     { static constexpr std::string_view name = "all_gather";
                        static constexpr meaning means{holder::owner, holder::every_rank, operands::of_owner}; };
struct gather         { static constexpr std::string_view name = "gather";
                        static constexpr meaning means{holder::owner, holder::root, operands::of_owner}; };
struct scatter        { static constexpr std::string_view name = "scatter";
                        static constexpr meaning means{holder::root, holder::owner, operands::of_root}; };

template <class...>
struct list {};

using all = list<reduce, all_reduce, inclusive_scan, exclusive_scan, scan_reduce, reduce_scatter, broadcast, all_gather,
                 gather, scatter>;

inline constexpr auto names = []<class... Each>(list<Each...>) { return std::array{Each::name...}; }(all{});

/// Row of the table.
template <class Collective>
inline constexpr meaning traits = Collective::means;

/// Whether the collective distinguishes a root.
template <class Collective>
inline constexpr bool is_rooted =
    traits<Collective>.gives == holder::root || traits<Collective>.is_owed == holder::root;

/// Whether the collective applies an operator.
template <class Collective>
inline constexpr bool combines = traits<Collective>.gives == holder::every_rank;

/// Whether every rank owns a part of the vector.
template <class Collective>
inline constexpr bool divides =
    traits<Collective>.gives == holder::owner || traits<Collective>.is_owed == holder::owner;

/// Whether results depend on how the ranks are numbered, for a commutative operator too.
template <class Collective>
inline constexpr bool is_scan = traits<Collective>.prefix || traits<Collective>.result == operands::up_to_own;

/// The collective that moves the same data the other way: what was combined is handed out.
template <class Collective>
struct opposite;

template <> struct opposite<broadcast>  { using type = reduce; };
template <> struct opposite<all_gather> { using type = reduce_scatter; };
template <> struct opposite<scatter>    { using type = gather; };
template <> struct opposite<gather>     { using type = scatter; };

template <class Collective>
using opposite_t = typename opposite<Collective>::type;

template <class Collective>
concept scan_collective = is_scan<Collective>;

/// How many results each rank receives: of a scan_reduce prefix and total.
template <class Collective>
inline constexpr std::size_t results_of = std::is_same_v<Collective, scan_reduce> ? 2 : 1;

}  // namespace collective

}  // namespace tutti
