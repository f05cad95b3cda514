// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <pthread.h>

#include <support/sentences.hpp>

#include <tutti/arrival/monitor.hpp>
#include <tutti/communicator/threads.hpp>

namespace {

thread_local bool refuses = false;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool can_refuse = false;  // sanitizers have a pthread_create of their own
#else
constexpr bool can_refuse = true;
#endif

}  // namespace

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
extern "C" int pthread_create(pthread_t* made, pthread_attr_t const* how, void* (*run)(void*), void* with) {
    using function = int (*)(pthread_t*, pthread_attr_t const*, void* (*)(void*), void*);
    static auto const next = reinterpret_cast<function>(dlsym(RTLD_NEXT, "pthread_create"));
    return refuses ? EAGAIN : next(made, how, run, with);
}
#endif

// program: alone
BOOST_AUTO_TEST_SUITE(arrival_helper_thread_refused)

BOOST_AUTO_TEST_CASE(where_one_rank_has_no_thread_all_do_without) {
    if (!can_refuse) { return; }
    for (int const size : {2, 3, 8}) {
        std::vector<std::string> why(static_cast<std::size_t>(size));
        std::vector<std::string> later(static_cast<std::size_t>(size));
        tutti::threads::run(size, [&](tutti::threads::communicator& world) {
            auto const rank = static_cast<std::size_t>(world.rank());
            refuses = world.rank() == size - 1;
            {
                tutti::arrival_monitor monitor{world};
                why[rank] = monitor.explain();
                static_cast<void>(monitor.pattern());
            }
            refuses = false;
            tutti::arrival_monitor monitor{world};
            later[rank] = monitor.explain();
            static_cast<void>(monitor.pattern());
        });
        for (auto const& each : why) { BOOST_TEST(support::contains(each, "piggyback"), each); }
        BOOST_TEST(support::contains(why.back(), "the system gives this rank no further thread"), why.back());
        BOOST_TEST(support::contains(why.front(), "other ranks do without a helper thread"), why.front());
        for (auto const& each : later) { BOOST_TEST(support::contains(each, "helper_thread"), each); }
    }
}

BOOST_AUTO_TEST_SUITE_END()
