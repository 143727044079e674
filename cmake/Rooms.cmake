# SPDX-License-Identifier: MIT
# A room is a folder of src/: a static library of its *.cc, and a test program of its *_test.cc beside them.

add_library(hm_options INTERFACE)
target_compile_options(hm_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion
  -Wno-sign-conversion -Werror=return-type -Werror=unused-result>)
target_include_directories(hm_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(hm_options INTERFACE hm_linker)

if(HM_SANITIZED)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(HM_TSAN)
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()

# Several files are compiled as one: most of a file's time goes to headers, and to templates that each file would
# instantiate for itself. Names in unnamed namespaces are therefore unique in a room (tests/style/unnamed_names.py).
function(hm_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# Tests' own code is hardly optimised: compiling it takes longer than running it.
function(hm_test_options target)
  hm_compile_together(${target})
  target_link_libraries(${target} PRIVATE hm_options hm_test_paths GTest::gtest GTest::gmock)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
endfunction()

# Where tests find what they need (tests/support/paths.h): the only file of the tests that names this build's folder.
if(HM_TESTS)
  configure_file(${CMAKE_SOURCE_DIR}/tests/support/paths.cc.in ${CMAKE_BINARY_DIR}/test_paths.cc @ONLY)
  add_library(hm_test_paths STATIC ${CMAKE_BINARY_DIR}/test_paths.cc)
  target_include_directories(hm_test_paths PRIVATE ${CMAKE_SOURCE_DIR}/tests)
endif()

# hm_room(NAME DEPS lib... [TEST_DEPS lib...] [APART file...]): NAME is the folder's path with "/" as "_". APART: files
# that name the same things alike, each for itself, and are compiled alone.
function(hm_room name)
  cmake_parse_arguments(ROOM "" "" "DEPS;TEST_DEPS;APART" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  file(GLOB tests CONFIGURE_DEPENDS *_test.cc)
  list(REMOVE_ITEM sources ${tests} "")
  set_source_files_properties(${ROOM_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(target hm_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC hm_options ${ROOM_DEPS})
    hm_compile_together(${target})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE hm_options ${ROOM_DEPS})
  endif()
  if(tests AND HM_TESTS)
    add_executable(${name}_test ${tests})
    hm_test_options(${name}_test)
    target_link_libraries(${name}_test PRIVATE ${target} ${ROOM_TEST_DEPS} GTest::gtest_main)
    gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 300)
  endif()
endfunction()
