// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>
#include <thread>

#include <tutti/communicator/threads/matcher.hpp>
#include <tutti/communicator/threads/options.hpp>
#include <tutti/communicator/threads/traffic.hpp>
#include <tutti/communicator/threads/team_monitor.hpp>

namespace tutti::threads {

/// What the ranks of one run share.
struct team {
    team(int ranks, options const& how)
        : size{ranks}, chosen{how}, guard{ranks}, messages{ranks, guard}, traffic{ranks},
          oversubscribed{static_cast<unsigned>(ranks) > std::thread::hardware_concurrency()} {}

    int size;
    options chosen;
    team_monitor guard;
    matcher messages;
    traffic_counts traffic;
    bool oversubscribed;        ///< more ranks than processors: a rank that spins keeps another from running
};

}  // namespace tutti::threads
