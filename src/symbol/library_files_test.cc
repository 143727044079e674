// SPDX-License-Identifier: MIT
#include "symbol/library_files.h"

#include <gtest/gtest.h>

namespace hm::symbol {
namespace {

TEST(LibraryFiles, AreToldFromThoseOfPrograms) {
  for (const char* file :
       {"/usr/include/c++/12/bits/stl_vector.h", "/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h",
        "/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/core/src/cmp.rs",
        "/root/.cargo/registry/src/index.crates.io-1/hashbrown-0.14.5/src/map.rs",
        "/usr/lib/go-1.19/src/sort/sort.go", "/rust/deps/hashbrown-0.15.2/src/map.rs",
        "/home/user/gcc/include/c++/14/bits/hashtable.h"})
    EXPECT_TRUE(is_of_library(file)) << file;
  for (const char* file :
       {"/home/user/shop/include/shop.h", "shop.cc", "", "/build/redis/src/dict.c", "./library.c"})
    EXPECT_FALSE(is_of_library(file)) << file;
}

}  // namespace
}  // namespace hm::symbol
