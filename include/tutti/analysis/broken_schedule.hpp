// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace tutti {

/// A schedule that cannot be carried out, or does not do what it should.
class broken_schedule : public std::logic_error {
public:
    explicit broken_schedule(std::string reason)
        : std::logic_error{"tutti: " + reason}, reason_{std::move(reason)} {}

    /// What is wrong, without the library's name in front.
    [[nodiscard]] std::string const& reason() const noexcept { return reason_; }

private:
    std::string reason_;
};

}  // namespace tutti
