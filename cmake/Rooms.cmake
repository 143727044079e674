# SPDX-License-Identifier: MIT
# A room is a folder of src/: a static library of its *.cc, and a test program of its *_test.cc beside them.

add_library(hm_options INTERFACE)
target_compile_options(hm_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion
  -Wno-sign-conversion -Werror=return-type -Werror=unused-result>)
# Designated initializers leave out what is zero; compilers warn about it unless the member has an initializer.
target_compile_options(hm_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>)
# Each function in a section of its own, so that the linker can leave out those that nothing calls.
target_compile_options(hm_options INTERFACE $<$<CONFIG:RelWithDebInfo>:-ffunction-sections -fdata-sections>)
target_include_directories(hm_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(hm_options INTERFACE hm_linker)

if(HM_SANITIZED)
  # Without the checks of each pointer for null and for its object's size: AddressSanitizer sees what follows from those,
  # and they make an eighth of the code.
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=null,object-size,vptr
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  target_compile_options(hm_options INTERFACE -Wthread-safety -Werror=thread-safety)  # base/thread_safety.h
elseif(HM_TSAN)
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()

# hm_compile_together(TARGET [BATCH n] [APART file...]): up to BATCH (8) files are compiled as one, but for APART: most of
# a file's time goes to headers, and to templates that each file would instantiate for itself. Names in unnamed
# namespaces are therefore unique in a room. CMake's own unity build names files by their full path, so that a compiler
# cache knows none of them in another checkout.
function(hm_compile_together target)
  cmake_parse_arguments(TOGETHER "" "BATCH" "APART" ${ARGN})
  if(NOT TOGETHER_BATCH)
    set(TOGETHER_BATCH 8)
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(name ${source} NAME)
    get_filename_component(path ${source} ABSOLUTE)
    if(name MATCHES "\\.cc$" AND NOT name IN_LIST TOGETHER_APART)
      list(APPEND together ${path})
    else()
      list(APPEND compiled ${path})
    endif()
  endforeach()
  if(NOT together)
    return()
  endif()

  list(LENGTH together length)
  math(EXPR batches "(${length} + ${TOGETHER_BATCH} - 1) / ${TOGETHER_BATCH}")
  foreach(batch RANGE 1 ${batches})
    math(EXPR begin "${length} * (${batch} - 1) / ${batches}")
    math(EXPR size "${length} * ${batch} / ${batches} - ${begin}")
    list(SUBLIST together ${begin} ${size} files)
    set(text "")
    foreach(file ${files})
      file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${file})
      string(REGEX REPLACE "^(src|tests)/" "" name ${name})
      string(APPEND text "#include \"${name}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}_${batch}.cc CONTENT "${text}" @ONLY)
    list(APPEND compiled ${CMAKE_CURRENT_BINARY_DIR}/${target}_${batch}.cc)
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${compiled})
endfunction()

# Tests' own code is not optimised: compiling it takes longer than running it. OPTIMIZED is for those that compute much
# themselves, the slow and obvious code that fast code is compared with.
function(hm_test_options target)
  cmake_parse_arguments(TEST "OPTIMIZED" "" "" ${ARGN})
  hm_compile_together(${target} ${TEST_UNPARSED_ARGUMENTS})
  target_link_libraries(${target} PRIVATE hm_options hm_test_paths GTest::gtest GTest::gmock)
  target_compile_options(${target} PRIVATE $<IF:$<BOOL:${TEST_OPTIMIZED}>,-O1,-O0>)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
endfunction()

# Where tests find what they need (tests/support/paths.h): the only file of the tests that names this build's folder.
if(HM_TESTS)
  # binutils': CMake's own choice is LLVM's where clang compiles.
  find_program(HM_ADDR2LINE addr2line REQUIRED)
  find_program(HM_OBJCOPY objcopy REQUIRED)
  configure_file(${CMAKE_SOURCE_DIR}/tests/support/paths.cc.in ${CMAKE_BINARY_DIR}/test_paths.cc @ONLY)
  add_library(hm_test_paths STATIC ${CMAKE_BINARY_DIR}/test_paths.cc)
  target_include_directories(hm_test_paths PRIVATE ${CMAKE_SOURCE_DIR}/tests)
endif()

# The test programs of the rooms, which scripts/check.sh runs.
set(HM_UNIT_TESTS ${CMAKE_BINARY_DIR}/unit_tests.txt)
file(WRITE ${HM_UNIT_TESTS} "")
add_custom_target(unit_tests)

# hm_room(NAME [TESTS_COMPUTE] DEPS lib... [TEST_DEPS lib...] [APART file...]): NAME is the folder's path with "/" as "_".
# TESTS_COMPUTE: its tests are OPTIMIZED. APART: files that name the same things alike, each for itself, and are compiled
# alone.
function(hm_room name)
  cmake_parse_arguments(ROOM "TESTS_COMPUTE" "" "DEPS;TEST_DEPS;APART" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  file(GLOB tests CONFIGURE_DEPENDS *_test.cc)
  list(REMOVE_ITEM sources ${tests} "")
  set(target hm_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC hm_options ${ROOM_DEPS})
    hm_compile_together(${target} APART ${ROOM_APART})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE hm_options ${ROOM_DEPS})
  endif()
  if(tests AND HM_TESTS)
    add_executable(${name}_test ${tests})
    add_dependencies(unit_tests ${name}_test)
    file(APPEND ${HM_UNIT_TESTS} "${name}_test\n")
    if(ROOM_TESTS_COMPUTE)
      set(optimized OPTIMIZED)
    endif()
    hm_test_options(${name}_test ${optimized} APART ${ROOM_APART})
    target_link_libraries(${name}_test PRIVATE ${target} ${ROOM_TEST_DEPS} GTest::gtest_main)
    if(HM_SANITIZED)
      add_test(NAME ${name}_test COMMAND ${name}_test --gtest_brief=1)  # a sanitizer takes longer to start than most tests
    else()
      gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 300)
    endif()
  endif()
endfunction()
