// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

// The main of tests that run in one process.

#define BOOST_TEST_MODULE tutti
#include <boost/test/unit_test.hpp>
