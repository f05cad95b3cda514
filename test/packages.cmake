# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# A project that uses tutti, installed or as a subdirectory, with MPI and without.

set(prefix "${CMAKE_CURRENT_BINARY_DIR}/consumer/prefix")
set(from_package "-DCMAKE_PREFIX_PATH=${prefix}")
set(from_source "-DTUTTI_SOURCE=${PROJECT_SOURCE_DIR}")
set(without_mpi -DCMAKE_DISABLE_FIND_PACKAGE_MPI=TRUE -DCMAKE_DISABLE_FIND_PACKAGE_range-v3=TRUE)
set(available "tutti analysis")
foreach(name mpi c boost_mpi)
    if(TARGET tutti::${name})
        string(APPEND available " ${name}")
    endif()
endforeach()

find_program(PYTHON3 python3)
set(consumer consumer)
function(add_consumer_test name expected)
    add_test(NAME consumer.${name} COMMAND "${CMAKE_CTEST_COMMAND}"
        --build-and-test "${CMAKE_CURRENT_SOURCE_DIR}/${consumer}" "${CMAKE_CURRENT_BINARY_DIR}/consumer/${name}"
        --build-generator "${CMAKE_GENERATOR}"
        --build-options "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DMPI_CXX_COMPILER=${MPI_CXX_COMPILER}"
            "-DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}"
            "-DEXPECTED=${expected}" "-DON_RANKS=${on_ranks}" ${ARGN}
        --test-command "${CMAKE_CTEST_COMMAND}" --output-on-failure)
    set_tests_properties(consumer.${name} PROPERTIES LABELS project TIMEOUT 600)
    if("${from_package}" IN_LIST ARGN)
        if(NOT TEST consumer.install)
            add_test(NAME consumer.install COMMAND "${CMAKE_COMMAND}"
                --install "${PROJECT_BINARY_DIR}" --prefix "${prefix}")
            set_tests_properties(consumer.install PROPERTIES LABELS project FIXTURES_SETUP installed)
            if(PYTHON3)
                add_test(NAME consumer.links COMMAND "${PYTHON3}" "${tests}/pages/check.py" "${prefix}" --links)
                set_tests_properties(consumer.links PROPERTIES LABELS project FIXTURES_REQUIRED installed)
            endif()
        endif()
        set_tests_properties(consumer.${name} PROPERTIES FIXTURES_REQUIRED installed)
    endif()
endfunction()

add_consumer_test(package "${available}" ${from_package})
add_consumer_test(package_without_mpi tutti ${from_package} ${without_mpi})
add_consumer_test(source "${available}" ${from_source})
add_consumer_test(source_without_mpi tutti ${from_source} ${without_mpi})
add_consumer_test(package_needs_mpi tutti ${from_package} ${without_mpi} -DCOMPONENTS=mpi)
add_consumer_test(package_needs_ranges tutti ${from_package} ${without_mpi} -DCOMPONENTS=analysis)
set_tests_properties(consumer.package_needs_ranges
    PROPERTIES PASS_REGULAR_EXPRESSION "no target tutti::analysis: range-v3 was not found")
set_tests_properties(consumer.package_needs_mpi
    PROPERTIES PASS_REGULAR_EXPRESSION "no target tutti::mpi: MPI for C\\+\\+ was not found")

# The libraries of src/ are built from an installed package, by one command.
if(TARGET tutti_accelerator AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_test(NAME consumer.libraries COMMAND "${CMAKE_COMMAND}" "-DMPI_CXX_COMPILER=${MPI_CXX_COMPILER}"
        "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" -P "${prefix}/share/tutti/src/CMakeLists.txt")
    set_tests_properties(consumer.libraries PROPERTIES LABELS project TIMEOUT 600 FIXTURES_REQUIRED installed
        WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/consumer")
endif()

# A project in C alone finds what was installed, and only that.
set(consumer consumer/c)
set(in_c -DLANGUAGES=C -DCOMPONENTS=c)
if(CMAKE_C_COMPILER AND TARGET tutti::c)
    add_dependencies(tests.project tutti_c tutti_accelerator)
    string(REPLACE "mpicxx" "mpicc" mpicc "${MPI_CXX_COMPILER}")
    add_consumer_test(c "" ${from_package} ${in_c} "-DMPI_C_COMPILER=${mpicc}")
    add_consumer_test(c_without_mpi "" ${from_package} ${in_c} ${without_mpi})
    set_tests_properties(consumer.c_without_mpi
        PROPERTIES PASS_REGULAR_EXPRESSION "no target tutti::c: MPI for C was not found")
    if(MPIF90)
        set(consumer consumer/fortran)
        add_consumer_test(fortran "" ${from_package} -DLANGUAGES=Fortran "-DMPI_Fortran_COMPILER=${MPIF90}")
        add_consumer_test(fortran_and_cxx "" ${from_package} "-DLANGUAGES=Fortran\\;CXX"
            "-DMPI_Fortran_COMPILER=${MPIF90}")
        set(consumer consumer/c)
        add_consumer_test(fortran_needs_fortran "" ${from_package} -DLANGUAGES=C -DCOMPONENTS=fortran
            "-DMPI_C_COMPILER=${mpicc}")
        set_tests_properties(consumer.fortran_needs_fortran
            PROPERTIES PASS_REGULAR_EXPRESSION "no target tutti::fortran: it needs a compiler for Fortran")
    endif()
    add_consumer_test(c_needs_cxx "" ${from_package} -DLANGUAGES=C -DCOMPONENTS=mpi "-DMPI_C_COMPILER=${mpicc}")
    set_tests_properties(consumer.c_needs_cxx
        PROPERTIES PASS_REGULAR_EXPRESSION "no target tutti::mpi: it is for C\\+\\+")
    add_consumer_test(no_language "" ${from_package} -DLANGUAGES=NONE -DCOMPONENTS=c)
    set_tests_properties(consumer.no_language
        PROPERTIES PASS_REGULAR_EXPRESSION "no target tutti::c: it needs a compiler for C, C\\+\\+ or Fortran")
endif()
