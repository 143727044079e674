// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/code_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace hm::soft {
namespace {

constexpr uint32_t kLines = 64;

class CodePagesTest : public testing::Test {
 protected:
  model::CodePage* page(uint64_t number) {
    return pages_->page(number, model::CodePage::bytes(kLines), [this](uint64_t bytes) {
      ++chunks_given_;
      chunks_.emplace_back(bytes / sizeof(uint64_t));
      pages_->give(chunks_.back().data(), bytes);
    });
  }

  std::unique_ptr<CodePages> pages_ = std::make_unique<CodePages>();
  std::vector<std::vector<uint64_t>> chunks_;
  unsigned chunks_given_ = 0;
};

TEST_F(CodePagesTest, EachPageHasWordsOfItsOwnForGood) {
  constexpr uint64_t kPages = 50000;  // more than fits in one chunk
  std::vector<model::CodePage*> made;
  for (uint64_t i = 0; i < kPages; ++i) {
    made.push_back(page(i * 7919));
    ASSERT_NE(made.back(), nullptr);
    EXPECT_EQ(made.back()->number, i * 7919);
    EXPECT_TRUE(std::all_of(made.back()->presence, made.back()->presence + kLines,
                            [](uint32_t place) { return place == 0; }));
    made.back()->presence[kLines - 1] = static_cast<uint32_t>(i + 1);
  }
  EXPECT_EQ(chunks_given_, 2u);
  for (uint64_t i = 0; i < kPages; ++i) {
    ASSERT_EQ(page(i * 7919), made[i]);
    ASSERT_EQ(made[i]->number, i * 7919);
    ASSERT_EQ(made[i]->presence[kLines - 1], i + 1);
  }
}

TEST_F(CodePagesTest, WithoutMemoryAPageHasNone) {
  const auto nothing = [](uint64_t) {};
  EXPECT_EQ(pages_->page(1, model::CodePage::bytes(kLines), nothing), nullptr);
  EXPECT_NE(page(1), nullptr) << "and may have some later";
}

TEST_F(CodePagesTest, BeyondTheTablePagesHaveNone) {
  uint64_t number = 0;
  while (number < (1u << 19) && page(number) != nullptr) ++number;
  EXPECT_EQ(number, 1u << 18);
  EXPECT_EQ(page(0)->number, 0u) << "what was there stays";
}

}  // namespace
}  // namespace hm::soft
