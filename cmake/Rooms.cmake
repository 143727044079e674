# SPDX-License-Identifier: MIT
# A room is a folder of src/: a static library of its *.cc, and a test program of its *_test.cc beside them.

add_library(hm_options INTERFACE)
target_compile_options(hm_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion
  -Wno-sign-conversion -Werror=return-type -Werror=unused-result>)
target_include_directories(hm_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)

if(HM_ASAN)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(HM_TSAN)
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()
if(HM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

# hm_room(NAME [HEADERS_ONLY] DEPS lib...): NAME is the folder's path with "/" as "_".
function(hm_room name)
  cmake_parse_arguments(ROOM "" "" "DEPS;TEST_DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  file(GLOB tests CONFIGURE_DEPENDS *_test.cc)
  list(REMOVE_ITEM sources ${tests} "")
  set(target hm_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC hm_options ${ROOM_DEPS})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE hm_options ${ROOM_DEPS})
  endif()
  if(tests AND NOT HM_FUZZ)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ${target} ${ROOM_TEST_DEPS} GTest::gtest_main GTest::gmock)
    target_compile_definitions(${name}_test PRIVATE HM_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
      target_compile_options(${name}_test PRIVATE -O1 -g1)  # the tests' own code: a third less time to build
    endif()
    gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60)
  endif()
endfunction()
