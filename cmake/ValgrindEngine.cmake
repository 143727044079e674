# SPDX-License-Identifier: MIT
# The Valgrind engine is built if a Valgrind is installed that it is tested with: it replaces functions inside of
# Valgrind's core (src/pmu/soft/valgrind/vex_patches.cc).
option(HM_VALGRIND "Build the Valgrind engine if a supported version of Valgrind is installed" ON)
set(HM_VALGRIND_OLDEST 3.19)
set(HM_VALGRIND_NEWEST 3.27)

# Sets HM_VALGRIND_VERSION, HM_VALGRIND_LIBRARIES and HM_VALGRIND_SUPPORT (folders). If the engine cannot be built, sets
# HM_VALGRIND_LACKS to the reason.
function(hm_find_valgrind)
  if(HM_SANITIZED OR HM_TSAN)
    set(HM_VALGRIND_LACKS "sanitizers do not support it" PARENT_SCOPE)
    return()
  elseif(NOT HM_VALGRIND)
    set(HM_VALGRIND_LACKS "HM_VALGRIND is off" PARENT_SCOPE)
    return()
  endif()
  pkg_check_modules(VALGRIND QUIET valgrind)
  pkg_get_variable(folder valgrind libdir)
  find_file(HM_VALGRIND_HEADER pub_tool_tooliface.h PATHS /usr/include/valgrind NO_DEFAULT_PATH)
  find_file(HM_VALGRIND_CORE libcoregrind-amd64-linux.a PATHS ${folder}/valgrind /usr/lib/valgrind NO_DEFAULT_PATH)
  find_file(HM_VALGRIND_PRELOADED vgpreload_core-amd64-linux.so
    PATHS /usr/libexec/valgrind ${folder}/valgrind /usr/lib/valgrind NO_DEFAULT_PATH)
  mark_as_advanced(HM_VALGRIND_HEADER HM_VALGRIND_CORE HM_VALGRIND_PRELOADED)
  if(NOT VALGRIND_FOUND OR NOT HM_VALGRIND_HEADER OR NOT HM_VALGRIND_CORE OR NOT HM_VALGRIND_PRELOADED)
    set(HM_VALGRIND_LACKS "Valgrind's headers and libraries are not installed (Debian's package valgrind has them)"
      PARENT_SCOPE)
    return()
  endif()
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" series ${VALGRIND_VERSION})
  if(series VERSION_LESS HM_VALGRIND_OLDEST OR series VERSION_GREATER HM_VALGRIND_NEWEST)
    set(HM_VALGRIND_LACKS
      "Valgrind ${VALGRIND_VERSION} is installed, and it needs ${HM_VALGRIND_OLDEST} to ${HM_VALGRIND_NEWEST}" PARENT_SCOPE)
    return()
  endif()
  get_filename_component(libraries ${HM_VALGRIND_CORE} DIRECTORY)
  get_filename_component(support ${HM_VALGRIND_PRELOADED} REALPATH)
  get_filename_component(support ${support} DIRECTORY)
  set(HM_VALGRIND_LIBRARIES ${libraries} PARENT_SCOPE)
  set(HM_VALGRIND_SUPPORT ${support} PARENT_SCOPE)
  set(HM_VALGRIND_VERSION ${VALGRIND_VERSION} PARENT_SCOPE)
endfunction()

set(HM_VALGRIND_LACKS "")
set(HM_VALGRIND_VERSION "")
hm_find_valgrind()

# The engines of this build, as --engine names them, and their targets.
set(HM_ENGINES direct)
set(HM_ENGINE_TARGETS hardmeter-direct)
if(HM_VALGRIND_LACKS)
  message(STATUS "The Valgrind engine is not built: ${HM_VALGRIND_LACKS}")
else()
  list(APPEND HM_ENGINES valgrind)
  list(APPEND HM_ENGINE_TARGETS hardmeter-amd64-linux)
endif()
