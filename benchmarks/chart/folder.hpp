// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "../support/options.hpp"

namespace tutti::charts {

using command_line::refusal;

/// Where the files of a page are written. Made if it is not there; throws `refusal` where that cannot be done.
class folder {
public:
    explicit folder(std::filesystem::path path) : path_{std::move(path)} {
        std::error_code failed;
        std::filesystem::create_directories(path_, failed);
        if (failed) { throw refusal{"the folder " + path_.string() + " cannot be made: " + failed.message()}; }
    }

    void write(std::string const& name, std::string const& text) const {
        std::ofstream out{path_ / name, std::ios::binary};
        out << text << std::flush;
        if (!out) { throw refusal{"the file " + (path_ / name).string() + " cannot be written"}; }
    }

    /// The whole path of a file in it.
    [[nodiscard]] std::string locate(std::string const& name) const {
        return std::filesystem::absolute(path_ / name).lexically_normal().string();
    }

private:
    std::filesystem::path path_;
};

}  // namespace tutti::charts
