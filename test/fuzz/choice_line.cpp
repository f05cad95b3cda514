// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "check.hpp"

#include <sstream>
#include <stdexcept>
#include <string>

#include <tutti/cost/file.hpp>

// A line that chooses an algorithm is refused, or is a rule that is written as a line of the same rule.

namespace {

[[nodiscard]] tutti::choice_rule rule_of(std::string const& text) {
    tutti::choice_rule result;
    std::istringstream in{text};
    tutti::pricing::model_file::read_lines(in, "file", {{"choose", [&](tutti::pricing::model_file::line const& now) {
                                                    result = tutti::pricing::model_file::rule_in(now);
                                                }}});
    return result;
}

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    tutti::choice_rule read;
    try {
        read = rule_of("choose " + std::string{fuzz::text_of(data, size)});
    } catch (std::runtime_error const& refused) {
        fuzz::require_sentence(refused.what(), "tutti: file:");
        return 0;
    }
    auto const again = rule_of(tutti::pricing::model_file::line_of(read));
    fuzz::require(again == read, "a rule is written as another one");
    return 0;
}
