// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include "findings.hpp"

namespace tutti::report {

/// A report as Markdown.
class page {
public:
    explicit page(findings const& all) : all_{all} {}

    [[nodiscard]] std::string text() const {
        auto result = "# tutti beside its peers\n\n" + paragraph(all_.summary() + '.');
        auto const add = [&](std::string const& title, std::string const& body) {
            result += "## " + title + "\n\n" + body;
        };
        add("Method", method() + table(all_.files));
        add("Noise", paragraph("The spread of what was timed repeatedly: (slowest - fastest repetition) / median.") +
                         table(all_.noises));
        add("Geometric means of the ratio to the best peer",
            paragraph("Over all lengths, and over those from 64 KiB on. Above 1 tutti’s automatic choice is faster "
                      "than the best peer, which can be another one in each cell.") +
                table(all_.means));
        add("Where tutti is behind", behind() + table(all_.behind));
        add("Where the choice was wrong", choices() + table(all_.choices));
        for (auto const& each : all_.settings) { add(each.ground + ": " + each.title(), section(each)); }
        return result;
    }

private:
    [[nodiscard]] static std::string paragraph(std::string_view text) { return std::string{text} + "\n\n"; }

    [[nodiscard]] std::string method() const {
        auto result = paragraph(
            R"(All times were taken by tutti’s own benchmark, ./dev bench collectives, not by the makers of the peers.
It times whatever takes part in a run side by side: in each repetition every contender runs once, in an order shuffled
anew, each after a barrier; what counts is the time of the slowest rank by MPI_Wtime, which in a simulation is simulated
time. The first run of each is not timed. Times are medians over the repetitions.)");
        result += paragraph(
            R"(A cell is a collective with an operator on a number of ranks of a ground and a length of vector: what
each rank holds, or the whole vector where every rank has a part. Automatic is the algorithm that tutti chooses itself.
Peers are the MPI’s own call (mpi), Boost.MPI (boost_mpi), and others by their names; a file GROUND@NAME.csv is another
run on that ground, in which the MPI’s own call is called NAME. A ratio is the time of a peer divided by that of
automatic in the same file; where that file has no automatic, in the file of the ground without a name, which is not the
same run. Above 1 tutti is faster. The best peer of a cell is the one whose ratio is least.)");
        if (!all_.costs) { return result; }
        return result +
               paragraph(
                   "The lower bound is the time that no algorithm stays below if a message of m bytes takes α + βm, to "
                   "combine them takes γm, and a rank sends one message and receives one at a time: α = " +
                   tables::text_of(all_.costs->alpha) + " s, β = " + tables::text_of(all_.costs->beta) +
                   " s, γ = " + tables::text_of(all_.costs->gamma) +
                   " s, on every ground. A machine that keeps several messages in flight, or combines while it "
                   "receives, can stay below it. Where every rank has a part of the vector, parts are taken to be of "
                   "nearly one length and cut into at most " +
                   std::to_string(pieces_of_a_part) + " blocks each.");
    }

    [[nodiscard]] std::string behind() const {
        return paragraph(
            "Every cell in which automatic is slower than the best peer, the worst first: by how many per cent of the "
            "peer’s time. Within noise: each median lies between the fastest and the slowest repetition of the other; "
            "but not: another peer is ahead by more than that. There are " +
            counted(all_.behind.rows().size(), "such cell") + " of " + std::to_string(all_.compared) + ".");
    }

    [[nodiscard]] std::string choices() const {
        return paragraph(
            "Every cell of every file in which an algorithm of tutti that the file names is faster than automatic by "
            "more than " +
            tables::text_of(percent_of_wrong_choice) +
            " %, the worst first; of several the fastest. Left out is what automatic never takes: an all_reduce whose "
            "results may differ between ranks, and another mode of sending (+ready). There are " +
            counted(all_.choices.rows().size(), "such cell") + " of " + std::to_string(all_.with_choices) + ".");
    }

    [[nodiscard]] std::string section(setting const& of) const {
        bool const is_compared = std::any_of(of.cells.begin(), of.cells.end(),
                                             [&](cell const& at) { return !against_peers(of, at).empty(); });
        return (is_compared ? "" : paragraph("Nothing to compare: no peer was timed beside automatic.")) +
               table(all_.cells_of(of));
    }

    /// As people read it.
    static std::string table(sheet const& one) {
        auto columns = one.columns();
        std::size_t bytes = columns.size();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (columns[i] == "bytes") { bytes = i; }
            std::replace(columns[i].begin(), columns[i].end(), '_', ' ');
            if (columns[i].ends_with(" us")) { columns[i].replace(columns[i].size() - 2, 2, "µs"); }
            if (columns[i].ends_with(" percent")) { columns[i].replace(columns[i].size() - 7, 7, "%"); }
        }
        sheet result{one.file(), columns};
        for (auto row : one.rows()) {
            if (bytes < row.size()) { row[bytes] = told_bytes(std::stoull(row[bytes])); }
            result.add_row(std::move(row));
        }
        if (one.rows().empty()) { return paragraph("None."); }
        return result.markdown() + (one.file().empty() ? "" : tables::link_to(one.file(), one.file()) + "\n\n");
    }

    findings const& all_;
};

}  // namespace tutti::report
