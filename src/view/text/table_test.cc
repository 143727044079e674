// SPDX-License-Identifier: MIT
#include "view/text/table.h"

#include <gtest/gtest.h>

#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr const char* kLongName = "a_function_with_a_name_of_forty_columns_";

// A share, two optional numbers, and two names.
Table example(const std::string& function) {
  Table table({{"self"},
               {"samples", Align::kRight, Presence::kOptional},
               {"events", Align::kRight, Presence::kOptional},
               {"function", Align::kLeft},
               {"dso", Align::kLeft}});
  table.add({"12.3%", "1,234", "12,345,678", function, "program"});
  return table;
}

bool is_shown(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

TEST(TableTest, HasAllColumnsIfTheyFit) {
  std::string text = example("main").render({.width = 80});
  EXPECT_EQ(text,
            " self  samples      events  function  dso\n12.3%    1,234  12,345,678  main      program\n");
}

TEST(TableTest, RemovesOptionalColumnsBeforeItCutsNames) {
  // Needs 5 + 2 + 7 + 2 + 10 + 2 + 32 + 2 + 7 columns with a readable name.
  std::string text = example(kLongName).render({.width = 60});
  EXPECT_FALSE(is_shown(text, "events")) << text;
  EXPECT_TRUE(is_shown(text, "samples")) << text;
  EXPECT_TRUE(is_shown(text, "…")) << text;
  text = example(kLongName).render({.width = 48});
  EXPECT_FALSE(is_shown(text, "samples")) << text;
  EXPECT_TRUE(is_shown(text, "12.3%")) << text;
}

TEST(TableTest, KeepsOptionalColumnsBesideReadableNames) {
  std::string text = example(kLongName).render({.width = 69});
  EXPECT_TRUE(is_shown(text, "events")) << text;
  EXPECT_TRUE(is_shown(text, "…")) << text;
}

TEST(TableTest, MarksEachCutAndKeepsToTheWidth) {
  for (size_t width = 34; width < 80; ++width) {
    std::string text = example(kLongName).render({.width = width});
    std::string row = text.substr(text.find('\n') + 1);
    row.pop_back();
    EXPECT_LE(columns_of(row), width);
    EXPECT_NE(is_shown(row, kLongName), is_shown(row, "…")) << row;
  }
}

TEST(TableTest, NamesRemovedColumnsThatAreNotOptional) {
  Table table({{"l1_cache_miss"},
               {"l2_cache_miss", Align::kRight, Presence::kIfNeeded},
               {"samples", Align::kRight, Presence::kOptional},
               {"function", Align::kLeft}});
  table.add({"1.0%", "2.0%", "12", kLongName});
  std::string text = table.render({.width = 50});
  EXPECT_FALSE(is_shown(text, "samples")) << text;
  EXPECT_FALSE(is_shown(text, "2.0%")) << text;
  EXPECT_TRUE(is_shown(text, "# the terminal is too narrow for: l2_cache_miss\n")) << text;
  text = table.render({.width = 70});
  EXPECT_TRUE(is_shown(text, "2.0%")) << text;
  EXPECT_FALSE(is_shown(text, "narrow")) << text;
}

TEST(TableTest, CutsNothingWithoutAWidth) {
  std::string text = example(kLongName).render({});
  EXPECT_TRUE(is_shown(text, kLongName) && is_shown(text, "12,345,678")) << text;
}

}  // namespace
}  // namespace hm::text
