# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# conan create . --build=missing -s compiler.cppstd=20 -o "tutti/*:with_mpi=True"
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.scm import Version

required_conan_version = ">=2.0"


class TuttiRecipe(ConanFile):
    name = "tutti"
    version = "0.1.0"
    description = "Reduction-family collectives for C++20: reduce, all-reduce, scans, reduce-scatter, broadcast, gather, scatter"
    topics = ("mpi", "collectives", "reduction", "header-only")
    license = "BSL-1.0"
    package_type = "static-library"  # with the option `compiled`, see configure() for others
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "with_mpi": [True, False],
        "with_boost_mpi": [True, False],
        "with_c": [True, False],
        "with_analysis": [True, False],
        "compiled": [True, False],
        "fPIC": [True, False],
    }
    default_options = {"with_mpi": False, "with_boost_mpi": False, "with_c": False, "with_analysis": False,
                       "compiled": False, "fPIC": True}
    test_package_folder = "test/test_package"
    exports_sources = "LICENSE", "CMakeLists.txt", "include/*", "src/*"
    no_copy_source = True

    @property
    def _needs_mpi(self):
        return self.options.with_mpi or self.options.with_boost_mpi or self.options.with_c

    @property
    def _built(self):
        """The libraries of the package, by their CMake targets."""
        return [f"tutti_{part}" for part, wanted in (("compiled", self.options.compiled), ("c", self.options.with_c))
                if wanted]

    @property
    def _oldest_compilers(self):
        return {"gcc": "12", "clang": "14", "apple-clang": "15"}

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC

    def configure(self):
        if self.options.with_c:  # a shared library, whose callers see no C++
            self.package_type = "unknown" if self.options.compiled else "shared-library"
        elif not self.options.compiled:
            self.package_type = "header-library"
        if not self.options.compiled:
            self.options.rm_safe("fPIC")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.with_analysis:
            self.requires("range-v3/0.12.0", transitive_headers=True)
        if self._needs_mpi:
            self.requires("openmpi/[>=4.0.5 <6]", transitive_headers=True)
        if self.options.with_boost_mpi:
            self.requires("boost/[>=1.74.0]", transitive_headers=True,
                          options={"without_mpi": False, "without_serialization": False})

    def package_id(self):
        if not self.info.options.compiled and not self.info.options.with_c:
            self.info.clear()  # headers are the same for all

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 20)
        oldest = self._oldest_compilers.get(str(self.settings.compiler))
        if oldest and Version(self.settings.compiler.version) < oldest:
            raise ConanInvalidConfiguration(
                f"tutti: {self.settings.compiler} {oldest} or later is needed, for C++20")

    def generate(self):
        if not self._built:
            return
        toolchain = CMakeToolchain(self)
        for part in ("INSTALL", "TESTS", "EXAMPLES", "BENCHMARKS"):
            toolchain.cache_variables[f"TUTTI_{part}"] = False
        toolchain.cache_variables["CMAKE_DISABLE_FIND_PACKAGE_MPI"] = not self._needs_mpi
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        if self._built:
            cmake = CMake(self)
            cmake.configure()
            for target in self._built:
                cmake.build(target=target)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for headers in ("*.hpp", "*.h"):
            copy(self, headers, os.path.join(self.source_folder, "include"),
                 os.path.join(self.package_folder, "include"))
        if self.options.with_c:  # for Fortran and Python
            copy(self, "tutti.f90", self.build_folder, os.path.join(self.package_folder, "include", "tutti"))
            copy(self, "tutti.py", os.path.join(self.source_folder, "src", "c"),
                 os.path.join(self.package_folder, "lib"))
        for library in ("*.a", "*.lib", "*.so", "*.dylib"):
            copy(self, library, self.build_folder, os.path.join(self.package_folder, "lib"), keep_path=False)

    def package_info(self):
        # A component of the package's name would be taken for the whole package, and bring MPI to everybody. The
        # targets are those of the CMake package.
        self.cpp_info.set_property("cmake_file_name", "tutti")
        self.cpp_info.set_property("cmake_target_name", "tutti::all")

        def component(name, target, requires):
            result = self.cpp_info.components[name]
            result.set_property("cmake_target_name", f"tutti::{target}")
            result.requires = requires
            result.bindirs = []
            result.libdirs = []
            result.includedirs = []
            return result

        core = component("core", "tutti", [])
        core.includedirs = ["include"]
        if self.settings.os in ("Linux", "FreeBSD"):
            core.system_libs = ["pthread"]
        if self.options.with_analysis:
            component("analysis", "analysis", ["core", "range-v3::range-v3"])
        if self._needs_mpi:
            component("mpi", "mpi", ["core", "openmpi::openmpi"])
        if self.options.with_boost_mpi:
            component("boost_mpi", "boost_mpi", ["mpi", "boost::mpi", "boost::serialization"])
        if self.options.with_c:
            library = component("c", "c", ["mpi"])
            library.libdirs = ["lib"]
            library.libs = ["tutti"]
        if self.options.compiled:
            library = component("compiled", "compiled", ["mpi" if self._needs_mpi else "core"])
            library.libdirs = ["lib"]
            library.libs = ["tutti_compiled"]
            library.defines = ["TUTTI_COMPILED"]
