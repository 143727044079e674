// SPDX-License-Identifier: MIT
#include "symbol/files/rust_instances.h"

#include <gtest/gtest.h>

namespace hm::symbol {
namespace {

TEST(RustInstances, AreSymbolsThatDifferInTheirHashes) {
  const char *u32 = "_ZN4shop4walk17h0123456789abcdefE", *u64 = "_ZN4shop4walk17hfedcba9876543210E.llvm.7",
             *alone = "_ZN4shop4sort17h0123456789abcdefE", *cpp = "_ZN4shop4walkEv", *no_hash = "_ZN1aE";
  std::vector<RawSymbol> raw;
  for (const char* name : {u32, u64, alone, cpp, no_hash, "main", "_ZN17h0123456789abcdeE"})
    raw.push_back({.start = 0x1000 * (raw.size() + 1), .size = 16, .name = name, .function = true});
  SymbolTable symbols(raw);
  RustInstances instances(symbols);
  EXPECT_TRUE(instances.has_twin(u32));
  EXPECT_TRUE(instances.has_twin(u64));
  for (const char* name : {alone, cpp, no_hash, "main", ""}) EXPECT_FALSE(instances.has_twin(name)) << name;
}

TEST(RustInstances, GetTheTypeArgumentsOfTheDebugInformation) {
  EXPECT_EQ(with_type_arguments("shop::walk", "walk<u32>"), "shop::walk<u32>");
  EXPECT_EQ(with_type_arguments("walk", "walk<u32, &str>"), "walk<u32, &str>");
  EXPECT_EQ(with_type_arguments("<T as Trait>::walk", "walk<u32>"), "<T as Trait>::walk<u32>");
  for (const char* other : {"alk<u32>", "{closure_env#0}<u32>", "<u32>", "", "sidewalk<u32>"})
    EXPECT_EQ(with_type_arguments("shop::walk", other), "") << other;
}

}  // namespace
}  // namespace hm::symbol
