# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# An overlay port of the clone of tutti in which it lies: vcpkg install tutti --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

set(VCPKG_BUILD_TYPE release)  # headers alone
set(without_mpi OFF)
if(NOT ("mpi" IN_LIST FEATURES OR "boost-mpi" IN_LIST FEATURES))
    set(without_mpi ON)
endif()

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DTUTTI_TESTS=OFF -DTUTTI_EXAMPLES=OFF
    -DCMAKE_DISABLE_FIND_PACKAGE_MPI=${without_mpi})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/tutti)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
