// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include <preload/environment.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/cost/choice_rule.hpp>
#include <tutti/cost/file.hpp>
#include <tutti/cost/machine.hpp>

namespace tutti::preload {

/// The files of `TUTTI=learn:FILE` and `TUTTI=use:FILE`: machine models, whose rules may name `mpi` as an algorithm.
class tuning_file {
public:
    static constexpr std::string_view by_mpi = "mpi";

    /// After MPI_Init, on all ranks: they use what rank 0 reads.
    static void begin() {
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        if (!environment::get().use_file) { return; }
        std::string text;
        if (rank_ == 0) {
            try {
                std::ostringstream out;
                auto const& file = *environment::get().use_file;
                pricing::write(out, load_machine(access(file.path.c_str(), F_OK) == 0 ? file.path : file.given));
                text = out.str();
            } catch (std::exception const& wrong) {
                std::fprintf(stderr, "%s; so TUTTI=use:FILE decides nothing\n", wrong.what());
            }
        }
        unsigned long size = text.size();
        PMPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
        text.resize(size);
        PMPI_Bcast(text.data(), static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD);
        std::istringstream in{text};
        if (size != 0) { used_ = new machine_model{pricing::read_machine(in, environment::get().use_file->path)}; }
    }

    /// The model that is used; null if none is.
    [[nodiscard]] static machine_model const* used() { return used_; }

    /// Whether the rule for such calls names tutti; nothing if there is no rule.
    [[nodiscard]] static std::optional<bool> takes(function which, std::size_t bytes, int ranks) {
        if (used_ == nullptr) { return std::nullopt; }
        auto const collective = collective_of(which);
        auto const rule = pricing::rule_for(used_->choices, collective, static_cast<std::size_t>(ranks), bytes);
        return rule ? std::optional{!rule->names(by_mpi)} : std::nullopt;
    }

    /// A decision that later runs are to use.
    static void add(function which, std::size_t bytes, int ranks, std::string_view algorithm) {
        auto const is_known =
            pricing::rule_for(learned().choices, collective_of(which), static_cast<std::size_t>(ranks), bytes);
        if (is_known) { return; }  // of another communicator
        choice_rule one{std::string{collective_of(which)}, bytes, bytes + 1, std::string{algorithm}};
        one.ranks = static_cast<std::size_t>(ranks);
        learned().choices.push_back(std::move(one));
    }

    /// After MPI_Finalize: rank 0 of MPI_COMM_WORLD writes.
    static void write() {
        if (rank_ != 0 || !environment::get().learn_file) { return; }
        std::ostringstream out;
        pricing::write(out, learned());
        environment::get().learn_file->write("tuning file", out.str());
    }

private:
    [[nodiscard]] static machine_model& learned() {
        static auto& model = *new machine_model;
        return model;
    }

    [[nodiscard]] static std::string_view collective_of(function which) {
        static constexpr std::array<std::string_view, function_names.size()> names{
            "all_reduce",     "reduce",    "reduce_scatter", "reduce_scatter", "inclusive_scan",
            "exclusive_scan", "broadcast", "gather",         "gather",         "scatter",
            "scatter",        "all_gather", "all_gather",    "barrier"};
        return names[static_cast<std::size_t>(which)];
    }

    inline static int rank_ = -1;
    inline static machine_model const* used_ = nullptr;
};

}  // namespace tutti::preload
