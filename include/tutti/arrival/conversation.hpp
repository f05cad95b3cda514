// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/communicator/conversation.hpp>

namespace tutti::monitoring {

using messaging::conversation;
using messaging::finish;
using messaging::raise_failures;
using messaging::words;

}  // namespace tutti::monitoring
