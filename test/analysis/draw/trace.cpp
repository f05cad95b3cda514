// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/analysis/draw/trace.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(analysis_draw_trace)

using namespace tutti;
using namespace tutti::analysis;

BOOST_AUTO_TEST_CASE(every_event_is_a_span_and_every_message_an_arrow) {
    timeline line;
    line.arrivals = {0, 0};
    line.finish = {3, 2};
    line.events = {{activity::transfer, 1, 0, 4, 2, 0, 2}, {activity::combine, 0, 1, 4, 2, 2, 3}};
    auto const found = to_trace(line);
    auto const has = [&](std::string const& part) { return found.find(part) != std::string::npos; };
    BOOST_TEST(found.find(R"({"displayTimeUnit":"ms","traceEvents":[)") == 0);
    BOOST_TEST(has(R"({"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"rank 1"}},)"));
    BOOST_TEST(has(R"({"ph":"M","pid":0,"tid":1,"name":"thread_name","args":{"name":"receive"}},)"));
    BOOST_TEST(has(R"({"ph":"X","pid":1,"tid":0,"name":"send block 4 to 0","cat":"transfer","ts":0,"dur":2,)"
                   R"("args":{"peer":0,"block":4,"blocks":2}},)"));
    BOOST_TEST(has(R"({"ph":"X","pid":0,"tid":1,"name":"receive block 4 from 1","cat":"transfer","ts":0,"dur":2,)"
                   R"("args":{"peer":1,"block":4,"blocks":2}},)"));
    BOOST_TEST(has(R"({"ph":"s","pid":1,"tid":0,"name":"message","cat":"message","id":0,"ts":0},)"));
    BOOST_TEST(has(R"({"ph":"f","pid":0,"tid":1,"name":"message","cat":"message","id":0,"ts":2,"bp":"e"},)"));
    BOOST_TEST(has(R"({"ph":"X","pid":0,"tid":2,"name":"combine block 4","cat":"combine","ts":2,"dur":1,)"
                   R"("args":{"peer":1,"block":4,"blocks":2}})"
                   "\n]}\n"));
}

BOOST_AUTO_TEST_CASE(nothing_happened) {
    BOOST_TEST(to_trace(timeline{}) == "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n]}\n");
}

BOOST_AUTO_TEST_SUITE_END()
