// SPDX-License-Identifier: MIT
#include "symbol/source_name.h"

#include <gtest/gtest.h>

#include "symbol/files/demangle.h"

namespace hm::symbol {
namespace {

TEST(SourceName, LeavesWhatTheSourceGives) {
  for (const char* name :
       {"", "main", "walk2", "walk.1", "hot_u32", "lib__read_u32", "__builtin_u7", "parse_row_7", "camlx_7",
        "main.part", "main.clone", "net/http.(*Server).Serve.func1", "[libfoo.so+0x10]", ".cold",
        "f(int)::{lambda(int)}::operator()(int) const", "[clone .cold]", "Foo::h12", "puts@plt", "$x"})
    EXPECT_EQ(source_name(name), name);
}

TEST(SourceName, ClonesOfC) {
  for (const char* clone :
       {"walk.constprop.0", "walk.constprop.1", "walk.isra.0", "walk.part.0", "walk.cold", "walk.cold.3",
        "walk.llvm.1234567890123", "walk.lto_priv.0", "walk.lto_priv.0.lto_priv.1", "walk.localalias",
        "walk.isra.0.constprop.12.part.3.cold", "walk.__uniq.123456.llvm.789", "walk.arch_haswell.0",
        "walk.avx2", "walk.default.1"})
    EXPECT_EQ(source_name(clone), "walk") << clone;
}

TEST(SourceName, ClonesOfCpp) {
  for (const char* clone : {"_ZN3app4walkEPKcl.constprop.0", "_ZN3app4walkEPKcl.isra.0.cold",
                            "_ZN3app4walkEPKcl.llvm.123", "_ZN3app4walkEPKcl.part.0"})
    EXPECT_EQ(source_name(demangle(clone)), "app::walk(char const*, long)") << demangle(clone);
  EXPECT_EQ(source_name("f(int) [clone .isra.0] [clone .cold]"), "f(int)");
  EXPECT_EQ(source_name("f(int) [clone .constprop.0.isra.0]"), "f(int)");
}

// GCC creates a function for each parallel region: two regions of one function must stay distinct.
TEST(SourceName, BodiesOfParallelRegionsStayApart) {
  EXPECT_EQ(source_name("walk._omp_fn.0"), "walk._omp_fn.0");
  EXPECT_EQ(source_name("walk._omp_fn.1"), "walk._omp_fn.1");
  EXPECT_EQ(source_name("walk._omp_fn.1.constprop.0.cold"), "walk._omp_fn.1");
  EXPECT_EQ(source_name("f(int) [clone ._omp_fn.1]"), "f(int) [clone ._omp_fn.1]");
  EXPECT_EQ(source_name("f(int) [clone ._omp_fn.1] [clone .cold]"), "f(int) [clone ._omp_fn.1]");
  EXPECT_EQ(source_name("f(int) [clone ._omp_fn.1.isra.0]"), "f(int) [clone ._omp_fn.1]");
}

TEST(SourceName, HashesOfRust) {
  EXPECT_EQ(source_name("app::walk::h0123456789abcdef"), "app::walk");
  EXPECT_EQ(source_name(demangle("_ZN3app4walk17h0123456789abcdefE.llvm.77")), "app::walk");
  EXPECT_EQ(source_name("app::main::{closure#3}"), "app::main::{closure#}");
  EXPECT_EQ(source_name("app::main::{{closure}}"), "app::main::{{closure}}");
}

TEST(SourceName, StampsOfOcaml) {
  EXPECT_EQ(source_name("camlDemo__walk_312"), "camlDemo__walk");
  EXPECT_EQ(source_name("camlDemo.walk_312"), "camlDemo.walk");
  EXPECT_EQ(source_name("camlDemo__walk_12_34_code"), "camlDemo__walk");
  EXPECT_EQ(source_name("camlDemo__code"), "camlDemo__code");
}

TEST(SourceName, StampsOfNim) {
  EXPECT_EQ(source_name("walk__demo_u12"), "walk__demo");
  EXPECT_EQ(source_name("walk__demo_u3"), source_name("walk__demo_u7"));
  EXPECT_EQ(source_name("demo__walk_u64"), "demo__walk_u64");  // an integer width
}

TEST(SourceName, LambdasAndAnonymousNamespaces) {
  EXPECT_EQ(source_name("run(int)::{lambda(int)#2}::operator()(int) const"),
            source_name("run(int)::{lambda(int)#1}::operator()(int) const"));
  EXPECT_NE(source_name("run(int)::{lambda(int)#2}::operator()(int) const"),
            source_name("run(int)::{lambda(long)#2}::operator()(long) const"));
  EXPECT_EQ(source_name("main::$_1::operator()() const"), source_name("main::$_12::operator()() const"));
  EXPECT_EQ(source_name("app::(anonymous namespace)::walk((anonymous namespace)::Row*)"), "app::walk(Row*)");
}

}  // namespace
}  // namespace hm::symbol
