// SPDX-License-Identifier: MIT
#include "symbol/display_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbol/files/demangle.h"

namespace hm::symbol {
namespace {

using ::testing::ElementsAre;

constexpr const char* kString =
    "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";

TEST(DisplayName, OfCppHasNoArguments) {
  EXPECT_EQ(display_name("main"), "main");
  EXPECT_EQ(display_name("parse(char const*, int)"), "parse");
  EXPECT_EQ(display_name("std::map<long, int, std::less<long> >::operator[](long const&)"),
            "std::map<…>::operator[]");
  EXPECT_EQ(display_name("bool std::operator< <char, std::allocator<char> >(std::string const&)"),
            "std::operator<");
  EXPECT_EQ(display_name("std::ostream& operator<< <int>(std::ostream&, int)"), "operator<<");
  EXPECT_EQ(display_name("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(display_name("(anonymous namespace)::Reader<int>::next() const"),
            "(anonymous namespace)::Reader<…>::next");
  EXPECT_EQ(display_name("run(int)::{lambda(int, std::vector<int>)#1}::operator()(int) const"),
            "run::{lambda#1}");
  EXPECT_EQ(display_name("void std::__sort<int*>(int*, int*) [clone .isra.0]"), "std::__sort<…>");
  EXPECT_EQ(display_name("Table::find[abi:cxx11](int)"), "Table::find");
  EXPECT_EQ(display_name("f<"), "f<…>");
}

TEST(DisplayName, OfCppConversionsAndUnusualNames) {
  EXPECT_EQ(display_name("decltype(auto) f<int>(int)"), "f<…>");
  EXPECT_EQ(display_name("A::operator unsigned long() const"), "A::operator unsigned long");
  EXPECT_EQ(display_name("ns::my_operator<int, char>::f(int)"), "ns::my_operator<…>::f");
  EXPECT_EQ(display_name("std::vector<int>::push_back[abi:ne180100](int&&)"), "std::vector<…>::push_back");
  EXPECT_EQ(display_name("Function::call()"), "Function::call");
  EXPECT_EQ(display_name("py::module::load(std::string)"), "py::module::load");
}

TEST(DisplayName, OfHostileNamesIsBounded) {
  for (const char* part : {"<", "[", "(", "{", "std::__1::", "std::basic_", "operator", "a<"}) {
    std::string name;
    while (name.size() < 200'000) name += part;
    EXPECT_FALSE(display_name(name).empty());
    EXPECT_FALSE(display_name(name.substr(0, 16'000)).empty());
  }
}

TEST(DisplayName, OfCppSpellsStringsAsProgrammersDo) {
  std::string append = std::string(kString) + "::append(char const*)";
  EXPECT_EQ(display_name(append), "std::string::append");
  EXPECT_EQ(display_name(append, NameDetail::kParameters), "std::string::append(char const*)");
  std::string push = std::string("std::vector<") + kString + ", A>::push_back(" + kString + "&&)";
  EXPECT_EQ(display_name(push), "std::vector<…>::push_back");
  EXPECT_EQ(display_name(push, NameDetail::kParameters), "std::vector<…>::push_back(std::string&&)");
  EXPECT_EQ(display_name(push, NameDetail::kWhole), "std::vector<std::string, A>::push_back(std::string&&)");
  EXPECT_EQ(display_name(push, NameDetail::kRecorded), push);
  EXPECT_EQ(display_name("std::basic_ostream<wchar_t, std::char_traits<wchar_t> >::flush()"),
            "std::wostream::flush");
}

// Symbols that rustc 1.8x wrote, in both manglings.
TEST(DisplayName, OfRustHasNoHashAndNoGenerics) {
  EXPECT_EQ(
      display_name(demangle("_ZN45_$LT$a..Shop$LT$T$GT$$u20$as$u20$a..Total$GT$5total17h3b3fa2813d16b7a0E")),
      "<a::Shop<…> as a::Total>::total");
  EXPECT_EQ(display_name(demangle("_ZN1a5apply17h2dc0104b3e299171E")), "a::apply");
  EXPECT_EQ(display_name("a::apply::h2dc0104b3e299171"), "a::apply");
  EXPECT_EQ(display_name(demangle("_RNvXCs6xxl1lAjzDf_1aINtB2_4ShopmENtB2_5Total5totalB2_")),
            "<a::Shop<…> as a::Total>::total");
  EXPECT_EQ(display_name(demangle("_RINvCs6xxl1lAjzDf_1a5applyNCNvB2_4main0EB2_")), "a::apply::<…>");
  EXPECT_EQ(display_name("<alloc::sync::Arc<gimli::read::abbrev::Abbreviations>>::drop_slow"),
            "alloc::sync::Arc<…>::drop_slow");
  EXPECT_EQ(display_name("<fn(A) -> B as core::ops::FnOnce<(A,)>>::call_once"),
            "<fn(A) -> B as core::ops::FnOnce<…>>::call_once");
  EXPECT_EQ(display_name("core::slice::<impl [T]>::sort"), "core::slice::<impl [T]>::sort");
  EXPECT_EQ(display_name("<hashbrown::raw::Group as core::Clone>::load"),
            "<hashbrown::raw::Group as core::Clone>::load");
  EXPECT_EQ(display_name("std::rt::lang_start::{{closure}}"), "std::rt::lang_start::{{closure}}");
}

// Symbols that go 1.2x wrote.
TEST(DisplayName, OfGoHasNoShapes) {
  EXPECT_EQ(display_name("main.(*List[go.shape.int_0]).Push"), "main.(*List[…]).Push");
  EXPECT_EQ(display_name("main.(*Shop).total"), "main.(*Shop).total");
  EXPECT_EQ(display_name("main.Sum[go.shape.float64_0]"), "main.Sum[…]");
  EXPECT_EQ(display_name("main.main.func2"), "main.main.func2");
}

// Names that node --perf-basic-prof, python3.12 -X perf and java -XX:+DumpPerfMapAtExit wrote.
TEST(DisplayName, OfCompiledCodeIsThatOfTheSource) {
  EXPECT_EQ(display_name("JS:~isURL node:internal/url:763:15"), "isURL node:internal/url:763");
  EXPECT_EQ(display_name("JS:*total /srv/app/shop.js:1:19"), "total shop.js:1");
  EXPECT_EQ(display_name("JS:* /srv/app/shop.js:2:11"), "(anonymous) shop.js:2");
  EXPECT_EQ(display_name("JS:^f file:///srv/app/shop.mjs:3:5"), "f shop.mjs:3");
  EXPECT_EQ(display_name("LazyCompile:~parse /srv/app/lines of text.js:12"), "parse lines of text.js:12");
  EXPECT_EQ(display_name("Builtin:JSConstructStubGeneric"), "Builtin:JSConstructStubGeneric");
  EXPECT_EQ(display_name("py::Shop.total.<locals>.<genexpr>:/srv/my scripts/a.py"),
            "Shop.total.<locals>.<genexpr> (a.py)");
  EXPECT_EQ(display_name("py::_find_and_load:<frozen importlib._bootstrap>"),
            "_find_and_load (<frozen importlib._bootstrap>)");
  EXPECT_EQ(display_name("Lcom/foo/Bar;::method"), "com.foo.Bar.method");
  EXPECT_EQ(display_name("int S$In.work(java.lang.String, int[])"), "S$In.work");
  EXPECT_EQ(display_name("StubRoutines (1)"), "StubRoutines (1)");
}

TEST(DisplayName, OfALocationIsTheLocation) {
  EXPECT_EQ(display_name("[my program (old)+0x10]"), "[my program (old)+0x10]");
  EXPECT_EQ(display_name("__libc_start_main@@GLIBC_2.34"), "__libc_start_main@@GLIBC_2.34");
  EXPECT_EQ(display_name(""), "");
}

TEST(DisplayNames, TellFunctionsApart) {
  EXPECT_THAT(display_names({"f(int)", "g(int)"}), ElementsAre("f", "g"));
  EXPECT_THAT(display_names({"f(int)", "f(long)", "f(int)"}), ElementsAre("f(int)", "f(long)", "f(int)"));
  EXPECT_THAT(display_names({"int sum<int>(int)", "int sum<long>(int)", "sum(char)"}),
              ElementsAre("int sum<int>(int)", "int sum<long>(int)", "sum"));
  EXPECT_THAT(display_names({"JS:~f /srv/a.js:1:2", "JS:*f /srv/a.js:1:2", "JS:*g /srv/a.js:9:2"}),
              ElementsAre("~f a.js:1", "*f a.js:1", "g a.js:9"));
  EXPECT_THAT(display_names({"JS:~f /srv/a.js:1:2", "JS:~f /usr/a.js:1:2"}),
              ElementsAre("JS:~f /srv/a.js:1:2", "JS:~f /usr/a.js:1:2"));
  EXPECT_THAT(display_names({"py::f:/srv/a.py", "py::f:/usr/a.py"}),
              ElementsAre("f (/srv/a.py)", "f (/usr/a.py)"));
  EXPECT_THAT(display_names({"a::f::h0123456789abcdef", "a::f::hfedcba9876543210"}),
              ElementsAre("a::f::h0123456789abcdef", "a::f::hfedcba9876543210"));
}

TEST(DisplayNames, AreAcceptedAsNames) {
  EXPECT_TRUE(is_display_name("std::map<…>::find", "std::map<int, int>::find(int const&)"));
  EXPECT_TRUE(is_display_name("std::map<…>::find(int const&)", "std::map<int, int>::find(int const&)"));
  EXPECT_TRUE(is_display_name("f a.js:1", "JS:~f /srv/a.js:1:2"));
  EXPECT_FALSE(is_display_name("find", "std::map<int, int>::find(int const&)"));
}

}  // namespace
}  // namespace hm::symbol
