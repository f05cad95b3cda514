// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// What the headers only declare where TUTTI_COMPILED is defined. The target tutti::compiled compiles this file, and
// <tutti/compiled_mpi.hpp>, once; a program without CMake includes it in one translation unit of its own.
#include <tutti/language.hpp>

static_assert(!tutti::is_linked, "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile "
                                 "it without that");

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <tutti/collective.hpp>
#include <tutti/threads.hpp>

namespace tutti {

template program plan_program<collective::reduce>(planned_call const&);
template program plan_program<collective::all_reduce>(planned_call const&);
template program plan_program<collective::inclusive_scan>(planned_call const&);
template program plan_program<collective::exclusive_scan>(planned_call const&);
template program plan_program<collective::scan_reduce>(planned_call const&);
template program plan_program<collective::reduce_scatter>(planned_call const&);
template program plan_program<collective::broadcast>(planned_call const&);
template program plan_program<collective::all_gather>(planned_call const&);
template program plan_program<collective::gather>(planned_call const&);
template program plan_program<collective::scatter>(planned_call const&);

template held_algorithm* hold_reproducible_for<collective::reduce>(void const*);
template held_algorithm* hold_reproducible_for<collective::all_reduce>(void const*);
template held_algorithm* hold_reproducible_for<collective::inclusive_scan>(void const*);
template held_algorithm* hold_reproducible_for<collective::exclusive_scan>(void const*);
template held_algorithm* hold_reproducible_for<collective::scan_reduce>(void const*);
template held_algorithm* hold_reproducible_for<collective::reduce_scatter>(void const*);
template held_algorithm* hold_reproducible<void>(std::string_view);

template std::string explain_program<collective::reduce>(planned_call const&, std::string_view);
template std::string explain_program<collective::all_reduce>(planned_call const&, std::string_view);
template std::string explain_program<collective::inclusive_scan>(planned_call const&, std::string_view);
template std::string explain_program<collective::exclusive_scan>(planned_call const&, std::string_view);
template std::string explain_program<collective::scan_reduce>(planned_call const&, std::string_view);
template std::string explain_program<collective::reduce_scatter>(planned_call const&, std::string_view);
template std::string explain_program<collective::broadcast>(planned_call const&, std::string_view);
template std::string explain_program<collective::all_gather>(planned_call const&, std::string_view);
template std::string explain_program<collective::gather>(planned_call const&, std::string_view);
template std::string explain_program<collective::scatter>(planned_call const&, std::string_view);

template int argument::rank_of(threads::communicator const&);
template int argument::size_of(threads::communicator const&);
template void set_nodes(threads::communicator&, node_map const&);
template void set_execution(threads::communicator&, execution const&);
template void recover_ranks(threads::communicator&);
template void enter_together(threads::communicator&, call const&);
template void note_refusal(threads::communicator&, std::string_view);
template void perform_prepared(prepared_call<threads::communicator, std::byte, byte_operator> const&);
template std::unique_ptr<persistent_call>
make_persistent(prepared_call<threads::communicator, std::byte, byte_operator> const&);

}  // namespace tutti
