// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "check.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "../../benchmarks/explore/options.hpp"
#include "../../benchmarks/support/options.hpp"

// The command line of explore, an argument a line, is refused or understood.

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::vector<std::string> arguments;
    std::istringstream lines{std::string{fuzz::text_of(data, size)}};
    for (std::string each; std::getline(lines, each);) { arguments.push_back(each); }
    try {
        auto const wanted = tutti::explore::read_options(arguments);
        fuzz::require(!wanted.size || *wanted.size != 0, "there are no ranks");
    } catch (tutti::command_line::help const& asked) {
        fuzz::require(!asked.text.empty(), "--help says nothing");
    } catch (tutti::command_line::usage_error const& refused) {
        fuzz::require(refused.what()[0] != '\0', "a refusal says nothing");
    }
    return 0;
}
