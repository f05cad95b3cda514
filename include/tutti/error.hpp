// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

namespace tutti {

/// Mark of an exception that only follows from another rank's: whoever has both shows the other one.
struct secondary_error {
    virtual ~secondary_error() = default;
};

}  // namespace tutti
