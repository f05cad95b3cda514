// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// What the headers only declare where TUTTI_COMPILED is defined. The target tutti::compiled compiles this file, and
// <tutti/compiled_mpi.hpp>, once; a program without CMake includes it in one translation unit of its own.
#include <tutti/language.hpp>

static_assert(!tutti::engine::is_linked,
              "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile "
              "it without that");

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <tutti/collective.hpp>
#include <tutti/threads.hpp>

namespace tutti {

template engine::program selection::plan_program<collective::reduce>(selection::planned_call const&);
template engine::program selection::plan_program<collective::all_reduce>(selection::planned_call const&);
template engine::program selection::plan_program<collective::inclusive_scan>(selection::planned_call const&);
template engine::program selection::plan_program<collective::exclusive_scan>(selection::planned_call const&);
template engine::program selection::plan_program<collective::scan_reduce>(selection::planned_call const&);
template engine::program selection::plan_program<collective::reduce_scatter>(selection::planned_call const&);
template engine::program selection::plan_program<collective::broadcast>(selection::planned_call const&);
template engine::program selection::plan_program<collective::all_gather>(selection::planned_call const&);
template engine::program selection::plan_program<collective::gather>(selection::planned_call const&);
template engine::program selection::plan_program<collective::scatter>(selection::planned_call const&);

template selection::held_algorithm* selection::hold_reproducible_for<collective::reduce>(void const*);
template selection::held_algorithm* selection::hold_reproducible_for<collective::all_reduce>(void const*);
template selection::held_algorithm* selection::hold_reproducible_for<collective::inclusive_scan>(void const*);
template selection::held_algorithm* selection::hold_reproducible_for<collective::exclusive_scan>(void const*);
template selection::held_algorithm* selection::hold_reproducible_for<collective::scan_reduce>(void const*);
template selection::held_algorithm* selection::hold_reproducible_for<collective::reduce_scatter>(void const*);
template selection::held_algorithm* selection::hold_reproducible<void>(planned_call const&, void const*);

template std::string engine::explain_program<collective::reduce>(selection::planned_call const&, std::string_view);
template std::string engine::explain_program<collective::all_reduce>(selection::planned_call const&, std::string_view);
template std::string engine::explain_program<collective::inclusive_scan>(selection::planned_call const&,
                                                                         std::string_view);
template std::string engine::explain_program<collective::exclusive_scan>(selection::planned_call const&,
                                                                         std::string_view);
template std::string engine::explain_program<collective::scan_reduce>(selection::planned_call const&, std::string_view);
template std::string engine::explain_program<collective::reduce_scatter>(selection::planned_call const&,
                                                                         std::string_view);
template std::string engine::explain_program<collective::broadcast>(selection::planned_call const&, std::string_view);
template std::string engine::explain_program<collective::all_gather>(selection::planned_call const&, std::string_view);
template std::string engine::explain_program<collective::gather>(selection::planned_call const&, std::string_view);
template std::string engine::explain_program<collective::scatter>(selection::planned_call const&, std::string_view);

template int argument::rank_of(threads::communicator const&);
template int argument::size_of(threads::communicator const&);
template void engine::set_nodes(threads::communicator&, node_map const&);
template void engine::set_execution(threads::communicator&, execution const&);
template void engine::recover_ranks(threads::communicator&);
template void control::enter_together(threads::communicator&, control::call const&);
template void engine::note_refusal(threads::communicator&, std::string_view, bool);
template void
engine::perform_prepared(engine::prepared_call<threads::communicator, std::byte, operators::byte_operator> const&);
template std::unique_ptr<engine::persistent_call>
engine::make_persistent(engine::prepared_call<threads::communicator, std::byte, operators::byte_operator> const&);

}  // namespace tutti
