# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy


class TuttiRecipe(ConanFile):
    name = "tutti"
    version = "0.1.0"
    description = "Reduction-family collectives for C++20: reduce, all-reduce, scans, reduce-scatter, broadcast, gather, scatter"
    topics = ("mpi", "collectives", "reduction", "header-only")
    license = "BSL-1.0"
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_mpi": [True, False], "with_boost_mpi": [True, False]}
    default_options = {"with_mpi": False, "with_boost_mpi": False}
    exports_sources = "LICENSE", "include/*"
    no_copy_source = True

    @property
    def needs_mpi(self):
        return self.options.with_mpi or self.options.with_boost_mpi

    def requirements(self):
        self.requires("range-v3/0.12.0")
        if self.needs_mpi:
            self.requires("openmpi/[>=4.0.5 <6]")
        if self.options.with_boost_mpi:
            self.requires("boost/[>=1.74.0]", options={"without_mpi": False, "without_serialization": False})

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.clear()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))

    def package_info(self):
        core = self.cpp_info.components["tutti"]
        core.bindirs = []
        core.libdirs = []
        core.requires = ["range-v3::range-v3"]
        if self.settings.os == "Linux":
            core.system_libs = ["pthread"]
        if self.needs_mpi:
            self.cpp_info.components["mpi"].requires = ["tutti", "openmpi::openmpi"]
        if self.options.with_boost_mpi:
            self.cpp_info.components["boost_mpi"].requires = ["mpi", "boost::mpi", "boost::serialization"]
