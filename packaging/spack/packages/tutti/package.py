# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# spack repo add packaging/spack, then, in a clone of tutti: spack dev-build tutti@main +c +accelerator
from spack.package import *


class Tutti(CMakePackage):
    """Reduction-family collectives for C++20: reduce, all_reduce, scans, reduce_scatter, broadcast, gather and scatter,
    header-only, over MPI, Boost.MPI or threads; with libraries for C, Fortran and Python, and one to preload."""

    license("BSL-1.0")

    version("main", branch="main")

    variant("mpi", default=True, description="Collectives over MPI_Comm")
    variant("boost_mpi", default=False, when="+mpi", description="Collectives over boost::mpi::communicator")
    variant("analysis", default=False, description="Views of schedules by range-v3")
    variant("c", default=True, when="+mpi", description="libtutti for C and Fortran")
    variant("python", default=False, when="+c", description="tutti.py, for mpi4py")
    variant("accelerator", default=False, when="+mpi", description="libtutti_mpi.so, to be preloaded into programs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("mpi@3:", when="+mpi")
    depends_on("boost +mpi +serialization", when="+boost_mpi")
    depends_on("range-v3", when="+analysis")
    depends_on("py-mpi4py", when="+python", type="run")
    depends_on("py-numpy", when="+python", type="run")
    extends("python", when="+python")

    conflicts("%gcc@:11", msg="tutti needs C++20 as of gcc 12")
    conflicts("%clang@:13", msg="tutti needs C++20 as of clang 14")

    def cmake_args(self):
        args = [self.define("TUTTI_TESTS", False), self.define("TUTTI_EXAMPLES", False)]
        if self.spec.satisfies("+mpi"):
            args.append(self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx))
        else:
            args.append(self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", True))
        return args

    @property
    def build_targets(self):
        """Headers need no build."""
        targets = []
        if self.spec.satisfies("+c"):
            targets.append("tutti_c")
        if self.spec.satisfies("+accelerator"):
            targets += ["tutti_accelerator", "tutti_accelerator_calls"]
        return targets

    def build(self, spec, prefix):
        if self.build_targets:
            super().build(spec, prefix)

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            for library in find_libraries("libtutti", root=self.prefix, recursive=True):
                env.prepend_path("PYTHONPATH", ancestor(library))

    def test_header(self):
        """a program of the headers alone compiles and runs"""
        with working_dir(self.test_suite.stage):
            with open("main.cpp", "w") as source:
                source.write("""#include <functional>
#include <tutti/threads.hpp>
int main() {
    tutti::threads::run(4, [](auto& world) {
        if (tutti::all_reduce(world, 1, std::plus<>{}) != 4) { throw 1; }
    });
}
""")
            cxx = Executable(self.compiler.cxx)
            cxx("-std=c++20", f"-I{self.prefix.include}", "main.cpp", "-o", "main", "-lpthread")
            Executable("./main")()
