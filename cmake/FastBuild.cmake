# SPDX-License-Identifier: MIT
# What makes building fast; bench/house.sh measures it, docs/decisions/15-files-are-compiled-together.md says why.

# Lines and names of functions are what backtraces show; full debug information doubles what is written and linked.
# CMAKE_BUILD_TYPE=Debug has all of it.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

# g++ frees nothing below this many KiB: a compilation takes 0.7 GiB in place of 0.5 and a tenth less time.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>)
endif()

# The same file in another checkout is the same to the compiler cache: paths below the checkout count relative to it.
# What a file includes is asked of the compiler that compiles it (CCACHE_DEPEND), not of a preprocessor before it.
find_program(HM_CCACHE ccache)
if(HM_CCACHE)
  set(launcher env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 ${HM_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# In a folder whose programs are to have debug information of their own place, before their targets.
macro(hm_without_compiler_cache)
  unset(CMAKE_C_COMPILER_LAUNCHER)
  unset(CMAKE_CXX_COMPILER_LAUNCHER)
endmacro()

# A faster linker, where it is there. The engines, which are laid out by ld's options, keep ld.
find_program(HM_MOLD mold)
add_library(hm_linker INTERFACE)
if(HM_MOLD)
  target_link_options(hm_linker INTERFACE -fuse-ld=mold)
endif()
