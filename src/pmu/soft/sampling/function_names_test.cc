// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/function_names.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

TEST(FunctionNames, SymbolsNameThemselves) {
  EXPECT_TRUE(names_function("main", "main"));
  EXPECT_TRUE(names_function("_ZN3Foo3barEi", "_ZN3Foo3barEi"));
  EXPECT_TRUE(names_function("a.b", "a.b"));
  EXPECT_FALSE(names_function("main2", "main"));
  EXPECT_FALSE(names_function("mai", "main"));
  EXPECT_FALSE(names_function("", "main"));
}

TEST(FunctionNames, ClonesCountAndPiecesDoNot) {
  EXPECT_TRUE(names_function("walk.constprop.0", "walk"));
  EXPECT_TRUE(names_function("walk.isra.0.constprop.1", "walk"));
  EXPECT_TRUE(names_function("_Z4walki.isra.0", "walk"));
  for (const char* piece : {"walk.cold", "walk.part.0", "walk.constprop.0.cold", "_Z4walki.cold"})
    EXPECT_FALSE(names_function(piece, "walk")) << piece;
}

TEST(FunctionNames, OfCppWithoutArguments) {
  for (const char* overload : {"_Z3bari", "_Z3barv", "_ZL3barPKc", "_Z3barIiEvT_"})
    EXPECT_TRUE(names_function(overload, "bar")) << overload;
  for (const char* overload : {"_ZN3Foo3barEi", "_ZNK3Foo3barEv", "_ZN3Foo3barIiEEvT_", "_ZN3FooL3barEv"})
    EXPECT_TRUE(names_function(overload, "Foo::bar")) << overload;
  EXPECT_TRUE(names_function("_ZN1a1b1cEv", "a::b::c"));
}

TEST(FunctionNames, OthersAreOthers) {
  EXPECT_FALSE(names_function("_Z4bar1i", "bar"));
  EXPECT_FALSE(names_function("_Z3baz", "bar"));
  EXPECT_FALSE(names_function("_ZN3Foo3barEi", "bar"));
  EXPECT_FALSE(names_function("_ZN3Foo3bar3bazEi", "Foo::bar"));
  EXPECT_FALSE(names_function("_Z3Foo3bar", "Foo::bar")) << "Foo of an argument of type bar";
  EXPECT_FALSE(names_function("_ZN3Foo", "Foo::bar"));
  EXPECT_FALSE(names_function("_Z99999999999999999999bar", "bar"));
  EXPECT_FALSE(names_function("_Z3ba", "bar"));
  EXPECT_FALSE(names_function("_Z", ""));
}

}  // namespace
}  // namespace hm::soft
