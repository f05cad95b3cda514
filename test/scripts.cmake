# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# Checks that are no programs: of pages, of names, of what compilers make of headers.

# add_script NAME LABELS COMMAND...: what no program can show. It may leave itself out by the exit status 77.
function(add_script name labels)
    add_test(NAME ${name} COMMAND ${ARGN} COMMAND_EXPAND_LISTS)
    label_test(${name} "" ${labels})
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
set(keep_going)
if(CMAKE_GENERATOR STREQUAL "Ninja")
    set(keep_going -- -k 0)
endif()
add_test(NAME headers COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}"
    --target all_verify_interface_header_sets ${keep_going})
set_tests_properties(headers PROPERTIES LABELS headers TIMEOUT 1200 PROCESSORS ${cores})

set(each_time process short.process)
find_program(PYTHON3 python3)
if(PYTHON3)
    add_script(conan "${each_time}" "${PYTHON3}" "${tests}/conan/check.py" "${PROJECT_SOURCE_DIR}/conanfile.py")
    foreach(checks algorithms concept constants documented functions pages)
        add_script(${checks} "${each_time}" "${PYTHON3}" "${tests}/${checks}/check.py" "${PROJECT_SOURCE_DIR}")
    endforeach()
    find_program(DOXYGEN doxygen)
    if(DOXYGEN)
        add_script(reference "${each_time}" "${PROJECT_SOURCE_DIR}/dev" docs "${CMAKE_CURRENT_BINARY_DIR}/docs")
    endif()
endif()
add_script(includes "${each_time}" sh "${tests}/includes.sh" "${PROJECT_SOURCE_DIR}/include")
add_script(words "${each_time}" sh "${tests}/words.sh" "${PROJECT_SOURCE_DIR}")
add_script(operation/vectorised "${each_time}" sh "${tests}/operation/vectorised.sh" "${CMAKE_CXX_COMPILER}"
    "${PROJECT_SOURCE_DIR}/include")
foreach(room operation cost)
    add_script(${room}/fast_math process sh "${tests}/${room}/fast_math.sh" "${CMAKE_CXX_COMPILER}"
        "${PROJECT_SOURCE_DIR}/include")
endforeach()
find_program(CLANGXX NAMES clang++ clang++-14)
if(CLANGXX AND TARGET tutti::c)
    set(folders $<TARGET_PROPERTY:MPI::MPI_CXX,INTERFACE_INCLUDE_DIRECTORIES>)
    add_script(destructors process sh "${tests}/destructors.sh" "${CLANGXX}" "${PROJECT_SOURCE_DIR}/include"
        "-isystem$<JOIN:${folders},$<SEMICOLON>-isystem>")
endif()
# The headers of others are system headers, which may have warnings; -isystem would move /usr/include.
foreach(needs tutti mpi boost_mpi)
    if(TARGET tutti::${needs})
        set(all_headers ${needs})
    endif()
endforeach()
set(folders $<TARGET_PROPERTY:tutti::${all_headers},INTERFACE_INCLUDE_DIRECTORIES>)
set(folders $<FILTER:${folders},EXCLUDE,^${PROJECT_SOURCE_DIR}/include$>)
add_script(names process sh "${tests}/names/check" "${PROJECT_SOURCE_DIR}/include" ${all_headers} "${CMAKE_CXX_COMPILER}"
    "$<$<BOOL:${folders}>:-idirafter$<JOIN:${folders},$<SEMICOLON>-idirafter>>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND PYTHON3)
    add_script(names/public process sh "${tests}/names/public" "${PROJECT_SOURCE_DIR}/include"
        "${tests}/names/public.txt" "${CMAKE_CXX_COMPILER}")
endif()
