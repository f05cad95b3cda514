// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include <tutti/text.hpp>

namespace tutti::watch {

/// A file that TUTTI names. A relative name refers to the folder in which the process began; if the file cannot be
/// opened there, to its current folder.
struct named_file {
    std::string path;
    std::string given;

    /// To standard error if neither can be opened.
    void write(char const* what, std::string const& text) const {
        for (auto const* const name : {&path, &given}) {
            std::FILE* const to = std::fopen(name->c_str(), "w");
            bool const is_written = to != nullptr && std::fwrite(text.data(), 1, text.size(), to) == text.size();
            if (to != nullptr && std::fclose(to) == 0 && is_written) { return; }
        }
        std::fprintf(stderr,
                     "tutti: the %s cannot be written to %s, and follows here; name a file in a folder that is there\n",
                     what, text::printable(path).c_str());
        std::fwrite(text.data(), 1, text.size(), stderr);
    }
};

/// What is noted of calls.
struct options {
    [[nodiscard]] bool notes_calls() const { return report || watch; }

    bool report = false;                      ///< a table at MPI_Finalize
    std::optional<named_file> report_file{};  ///< none: standard error
    std::optional<double> watch{};            ///< s; a rank that others wait for as long as that is named
    bool check = false;                       ///< calls are compared before data moves
};

}  // namespace tutti::watch
