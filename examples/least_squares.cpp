// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// A straight line fitted to points that are distributed over the ranks, with Eigen: each rank adds up the normal
// equations of its own points, and all_reduce adds the matrices of all ranks directly.
#include <Eigen/Dense>

#include <functional>
#include <iostream>

#include <tutti/threads.hpp>

int main() {
    tutti::threads::run(4, [](auto& world) {
        constexpr int points = 1000;
        Eigen::MatrixXd features(points, 2);
        Eigen::VectorXd values(points);
        for (int i = 0; i != points; ++i) {
            double const x = world.rank() + i / double{points};
            features.row(i) << 1, x;
            values(i) = 3 + 2 * x + (i % 2 == 0 ? 0.5 : -0.5);
        }
        Eigen::MatrixXd normal = features.transpose() * features;
        Eigen::VectorXd right = features.transpose() * values;
        tutti::all_reduce(world, tutti::inplace(normal), std::plus<>{});
        tutti::all_reduce(world, tutti::inplace(right), std::plus<>{});
        Eigen::VectorXd const line = normal.ldlt().solve(right);
        if (world.rank() == 0) {
            std::cout.precision(3);
            std::cout << "y = " << line(0) << " + " << line(1) << " x\n";
        }
    });
}
