// SPDX-License-Identifier: MIT
#include "symbol/files/demangle.h"

#include <gtest/gtest.h>

#include "symbol/files/rust_demangle.h"

namespace hm::symbol {
namespace {

TEST(Demangle, LeavesPlainNames) {
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle(""), "");
  EXPECT_EQ(demangle("_Zfoo"), "_Zfoo");
}

TEST(Demangle, Itanium) {
  EXPECT_EQ(demangle("_ZN3foo3barEi"), "foo::bar(int)");
  EXPECT_EQ(demangle("_ZNSt6vectorIiSaIiEE9push_backERKi"),
            "std::vector<int, std::allocator<int> >::push_back(int const&)");
}

TEST(Demangle, KeepsSuffixes) {
  EXPECT_EQ(demangle("_Z3fooi@plt"), "foo(int)@plt");
  EXPECT_EQ(demangle("puts@plt"), "puts@plt");
  EXPECT_EQ(demangle("_Z3fooi.cold"), "foo(int) [clone .cold]");
}

TEST(Demangle, RustLegacy) {
  EXPECT_EQ(demangle("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"), "core::fmt::Formatter::pad");
  EXPECT_EQ(
      demangle(
          "_ZN66_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE"),
      "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop");
}

TEST(Demangle, CppThatEndsAsRustDoesNotIsCpp) {
  EXPECT_EQ(demangle("_ZN1a17h0123456789abcdeEv"), demangle("_ZN1a17h0123456789abcdeEv"));
  EXPECT_FALSE(demangle_rust("_ZN3foo3barE").has_value());
  EXPECT_FALSE(demangle_rust("_ZN3foo17h0123456789abcdeXE").has_value());
}

// Names from rustc 1.7x; the readable form is that of Rust RFC 2603, without hashes.
TEST(Demangle, RustV0) {
  EXPECT_EQ(demangle("_RNvCs1234_7mycrate3foo"), "mycrate::foo");
  EXPECT_EQ(demangle("_RNvNtC7mycrate3bar3baz"), "mycrate::bar::baz");
  EXPECT_EQ(demangle("_RNCNvC7mycrate4main0"), "mycrate::main::{closure#0}");
  EXPECT_EQ(demangle("_RNCNvC7mycrate4mains_0"), "mycrate::main::{closure#1}");
  EXPECT_EQ(demangle("_RINvC7mycrate3foolE"), "mycrate::foo::<i32>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooReRQjE"), "mycrate::foo::<&str, &&mut usize>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooAlj3_E"), "mycrate::foo::<[i32; 3]>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooTlhEE"), "mycrate::foo::<(i32, u8)>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooTlEE"), "mycrate::foo::<(i32,)>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooKj7b_E"), "mycrate::foo::<123>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooKb1_E"), "mycrate::foo::<true>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooKc61_E"), "mycrate::foo::<'a'>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooFEuE"), "mycrate::foo::<fn()>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooFUKClEhE"), "mycrate::foo::<unsafe extern \"C\" fn(i32) -> u8>");
  EXPECT_EQ(demangle("_RNvMC7mycrateNtB2_3Foo3new"), "<mycrate::Foo>::new");
  EXPECT_EQ(demangle("_RNvXC7mycrateNtB2_3FooNtB2_3Bar3run"), "<mycrate::Foo as mycrate::Bar>::run");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooDNtB2_5TraitEL_E"), "mycrate::foo::<dyn mycrate::Trait>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooDNtC4core8Iteratorp4ItemhEL_E"),
            "mycrate::foo::<dyn core::Iterator<Item = u8>>");
  EXPECT_EQ(demangle("_RINvC7mycrate3fooFG_RL0_lEuE"), "mycrate::foo::<for<'a> fn(&'a i32)>");
}

TEST(Demangle, BadRustV0StaysAsItIs) {
  for (const char* name : {"_R", "_RN", "_RNvC", "_RNvC99999999999999999999_3foo", "_RB_", "_RNvB_3foo",
                           "_RIC1aKj", "_RC3abcX", "_RNvC1a99b"}) {
    EXPECT_EQ(demangle(name), name);
  }
}

// Each level refers twice to the previous one: 2^60 steps without a limit.
TEST(Demangle, BackReferencesDoNotExplode) {
  std::string name = "_RINvC1a1b";
  std::string previous = "l";
  for (int i = 0; i < 2000; ++i) name += "TB8_B8_E";
  name += "E";
  EXPECT_LT(demangle(name).size(), size_t{128 * 1024});
}

TEST(Demangle, DeepNestingIsRefused) {
  std::string name = "_RINvC1a1b" + std::string(3000, 'S') + "lE";
  EXPECT_EQ(demangle(name), name);
}

TEST(Demangle, D) {
  EXPECT_EQ(demangle("_D4main7computeFiZi"), "main.compute");
  EXPECT_EQ(demangle("_Dmain"), "_Dmain");
  EXPECT_EQ(demangle("_D3std5stdio__T7writelnTAyaTiZQqFNfQmiZv"), "std.stdio.writeln");
  EXPECT_EQ(demangle("_D3std5stdio18__T7writelnTAyaTiZQpFNfAyaiZv"), "std.stdio.writeln");
  // From gdc 12.
  EXPECT_EQ(demangle("_D3app3two__T5PlainTiVii3ZQn4walkMFiZi"), "app.two.Plain.walk");
  EXPECT_EQ(demangle("_D3app3two__T6MatrixTSQuQs4KindVEQBfQBe4Modei2VAyaa2_7879ZQBt5walk2MFiZi"),
            "app.two.Matrix.walk2");
  EXPECT_EQ(demangle("_D3app3two__T4MapsHTHAxalTQfTlZQs2goMFiZi"), "app.two.Maps.go");
  EXPECT_EQ(demangle("_D3app3two__T2FnS_DQrQp4plusFiZiZQu2goMQl"), "app.two.Fn.go");
  EXPECT_EQ(demangle("_D3app3two__T3mapT!Z3run4walkMFiZi"), "app.two.map") << "an unknown form";
  EXPECT_EQ(demangle("_D4main5OrderQgi"), "main.Order.Order");
  for (const char* name : {"_D99999999999999999999x", "_D9abc"}) EXPECT_EQ(demangle(name), name);
}

TEST(Demangle, Ocaml) {
  EXPECT_EQ(demangle("camlStdlib__List__map_487"), "Stdlib.List.map");
  EXPECT_EQ(demangle("camlMain.total_12"), "Main.total");
  EXPECT_EQ(demangle("camlMain__fun_530"), "Main.fun_530");
  EXPECT_EQ(demangle("camlMain__$2b$2b_270"), "Main.++");
  EXPECT_EQ(demangle("camlMain__sum_of_prices_7_12_code"), "Main.sum_of_prices");
  EXPECT_EQ(demangle("camlMain__code"), "Main.code");
  for (const char* name : {"caml_alloc_small", "camlMain", "caml"}) EXPECT_EQ(demangle(name), name);
}

TEST(Demangle, Haskell) {
  EXPECT_EQ(demangle("base_GHCziBase_zdwmap_info"), "GHC.Base.$wmap");
  EXPECT_EQ(demangle("Main_sumOfPrices_info"), "Main.sumOfPrices");
  EXPECT_EQ(demangle("containerszm0zi6zi5zi1_DataziMapziInternal_zdwinsert_entry"),
            "Data.Map.Internal.$winsert");
  for (const char* name : {"get_info", "Window_get_info", "Main__info", "_info", "c1xKz_info"})
    EXPECT_EQ(demangle(name), name);
}

TEST(Demangle, Nim) {
  EXPECT_EQ(demangle("total__main_u12"), "main.total");
  for (const char* name : {"total__main_12", "__main_u12", "a_u1", "foo__bar_ux", "lib__read_u32"})
    EXPECT_EQ(demangle(name), name);
  EXPECT_EQ(nim_display_name("total__main_12"), "main.total");
  EXPECT_EQ(nim_display_name("total__main_u32"), "main.total");
  EXPECT_EQ(nim_display_name("add__system_2308.part.0"), "system.add.part.0");
  EXPECT_EQ(nim_display_name("addInt__stdZprivateZdigitsutils_164"), "std/private/digitsutils.addInt");
  for (const char* name : {"NimMain", "memcpy", "main.total", "__main_12", "foo__bar", "a_1"})
    EXPECT_EQ(nim_display_name(name), name);
}

TEST(Demangle, LinkTimeOptimisation) {
  EXPECT_EQ(demangle("price.llvm.12345678901234567890"), "price");
  EXPECT_EQ(demangle("price.lto_priv.0"), "price");
  EXPECT_EQ(demangle("_ZL5pricei.__uniq.123.llvm.456"), "price(int)");
  EXPECT_EQ(demangle("price.lto_priv.3.cold"), "price.cold");
  for (const char* name : {"price.part.0", "price.llvm", "price.llvm.x", ".llvm.12"})
    EXPECT_EQ(demangle(name), name);
}

}  // namespace
}  // namespace hm::symbol
