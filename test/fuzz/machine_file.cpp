// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "check.hpp"

#include <sstream>
#include <stdexcept>
#include <string>

#include <tutti/cost/file.hpp>

// A file of a machine is refused, or says what is written again as the same machine.

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::istringstream file{std::string{fuzz::text_of(data, size)}};
    tutti::machine_model read;
    try {
        read = tutti::pricing::read_machine(file, "file");
    } catch (std::runtime_error const& refused) {
        fuzz::require_sentence(refused.what(), "tutti: file:");
        return 0;
    }
    std::stringstream again;
    tutti::pricing::write(again, read);
    fuzz::require(tutti::pricing::read_machine(again, "again") == read, "a machine is written as another one");
    return 0;
}
