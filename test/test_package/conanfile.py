# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout


class TuttiTestPackage(ConanFile):
    settings = "os", "arch", "compiler", "build_type"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        options = self.dependencies["tutti"].options
        toolchain = CMakeToolchain(self)
        for option in ("with_mpi", "with_boost_mpi", "with_c", "compiled"):
            toolchain.cache_variables[option.upper()] = bool(options.get_safe(option))
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            # ranks over MPI are the consumer's business: its launcher is not part of the package
            self.run(os.path.join(self.cpp.build.bindir, "threads"), env="conanrun")
