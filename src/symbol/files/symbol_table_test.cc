// SPDX-License-Identifier: MIT
#include "symbol/files/symbol_table.h"

#include <gtest/gtest.h>

#include <random>

namespace hm::symbol {
namespace {

std::string name_at(const SymbolTable& table, uint64_t address) {
  std::optional<Symbol> found = table.find(address);
  return found ? std::string(found->name) : "";
}

TEST(SymbolTable, FindsWhatCoversAnAddress) {
  SymbolTable table({{0x200, 0x10, "b"}, {0x100, 0x20, "a"}});
  EXPECT_EQ(name_at(table, 0xff), "");
  EXPECT_EQ(name_at(table, 0x100), "a");
  EXPECT_EQ(name_at(table, 0x11f), "a");
  EXPECT_EQ(name_at(table, 0x120), "");
  EXPECT_EQ(name_at(table, 0x20f), "b");
  EXPECT_EQ(name_at(table, 0x210), "");
  EXPECT_EQ(table.find(0x105)->start, 0x100u);
  EXPECT_EQ(table.find(0x105)->size, 0x20u);
}

TEST(SymbolTable, SymbolWithoutSizeReachesToTheNext) {
  SymbolTable table({{0x100, 0, "label"}, {0x180, 8, "f"}, {0x1000, 0, "last"}});
  EXPECT_EQ(name_at(table, 0x17f), "label");
  EXPECT_EQ(name_at(table, 0x188), "");
  EXPECT_EQ(name_at(table, 0x1fff), "last");
  EXPECT_EQ(name_at(table, 0x3000), "");
}

TEST(SymbolTable, InnerSymbolHidesOuter) {
  SymbolTable table({{0x100, 0x100, "outer"}, {0x140, 0x20, "inner"}, {0x148, 8, "innermost"}});
  EXPECT_EQ(name_at(table, 0x13f), "outer");
  EXPECT_EQ(name_at(table, 0x147), "inner");
  EXPECT_EQ(name_at(table, 0x148), "innermost");
  EXPECT_EQ(name_at(table, 0x150), "inner");
  EXPECT_EQ(name_at(table, 0x160), "outer");
  EXPECT_EQ(name_at(table, 0x200), "");
}

TEST(SymbolTable, PrefersTheBetterNameAtOneAddress) {
  auto best = [](std::vector<RawSymbol> raw) { return name_at(SymbolTable(std::move(raw)), 0x100); };
  EXPECT_EQ(best({{0x100, 0, "label"}, {0x100, 4, "f"}}), "f");
  EXPECT_EQ(best({{0x100, 4, "weak", true, false}, {0x100, 4, "f", false, true}}), "f");
  EXPECT_EQ(best({{0x100, 4, "local", false, false}, {0x100, 4, "f", false, true}}), "f");
  EXPECT_EQ(best({{0x100, 4, "__f", false, true}, {0x100, 4, "f", false, true}}), "f");
  EXPECT_EQ(best({{0x100, 4, "f", false, true}, {0x100, 4, "function", false, true}}), "function");
}

TEST(SymbolTable, SurvivesTheEndOfTheAddressSpace) {
  SymbolTable table({{UINT64_MAX - 1, 100, "end"}, {UINT64_MAX - 8, 0, "open"}});
  EXPECT_EQ(name_at(table, UINT64_MAX - 1), "end");
  EXPECT_EQ(name_at(table, UINT64_MAX - 2), "open");
}

// Brute force: of the symbols that cover the address, returns the one that starts last.
std::string slow_find(const std::vector<RawSymbol>& raw, uint64_t address) {
  const RawSymbol* best = nullptr;
  for (const RawSymbol& symbol : raw) {
    if (address < symbol.start || address - symbol.start >= symbol.size) continue;
    if (best == nullptr || symbol.start > best->start) best = &symbol;
  }
  return best == nullptr ? "" : std::string(best->name);
}

TEST(SymbolTable, AgreesWithTheSlowSearch) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> names;
    std::vector<RawSymbol> raw;
    names.reserve(20);
    for (int i = 0; i < 20; ++i) names.push_back("f" + std::to_string(i));
    for (uint64_t i = 0; i < 20; ++i) raw.push_back({i * 5 + random() % 5, 1 + random() % 40, names[i]});
    SymbolTable table(raw);
    for (uint64_t address = 0; address < 150; ++address) {
      ASSERT_EQ(name_at(table, address), slow_find(raw, address))
          << "round " << round << " address " << address;
    }
  }
}

}  // namespace
}  // namespace hm::symbol
