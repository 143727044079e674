// SPDX-License-Identifier: MIT
#include "model/page_frames.h"

#include <gtest/gtest.h>

#include <vector>

#include "model/reference_models.h"
#include "model/test_storage.h"

namespace hm::model {
namespace {

constexpr unsigned kLineShift = 6;
constexpr uint64_t kLinesOfPage = 64;

// A kernel that returns `g_answer`, and logs the requested pages.
PageFrame g_answer;
std::vector<uint64_t> g_asked;
PageFrame answer(uint64_t page, PageUse) {
  g_asked.push_back(page);
  return g_answer;
}

class Frames : public ::testing::Test {
 protected:
  void SetUp() override { g_asked.clear(); }

  // Returns how many requests this use made.
  size_t use(uint64_t page, PageUse how, bool translated, PageFrame frame) {
    g_answer = frame;
    size_t before = g_asked.size();
    frames.update(page * kLinesOfPage, page * kLinesOfPage, how, translated);
    return g_asked.size() - before;
  }
  uint64_t colour(uint64_t page) { return frames.physical_line(page * kLinesOfPage + 3); }

  Storage storage;
  PageFrames frames = storage.build<PageFrames>(
      [](Arena& arena) { return PageFrames(answer, kLineShift, reference::kept_memory, arena); });
};

constexpr PageFrame kOwn{0x1234, true, true}, kShared{0x99, true, false}, kUnknown{};

TEST_F(Frames, OfOwnPagesAreAskedForOnce) {
  EXPECT_EQ(colour(7), 7 * kLinesOfPage + 3) << "by its virtual address as long as nothing is known";
  EXPECT_EQ(use(7, PageUse::kRead, true, kOwn), 1u);
  for (PageUse how : {PageUse::kRead, PageUse::kWrite, PageUse::kFetch})
    EXPECT_EQ(use(7, how, true, kShared), 0u);
  EXPECT_EQ(colour(7), 0x1234 * kLinesOfPage + 3);
  EXPECT_EQ(frames.frame_of(7), 0x1234u);
  EXPECT_EQ(frames.frame_of(8), 0u);
}

TEST_F(Frames, ThatMayChangeAreAskedForAgain) {
  use(7, PageUse::kRead, true, kShared);
  EXPECT_EQ(use(7, PageUse::kRead, false, kOwn), 0u) << "its translation is the same";
  EXPECT_EQ(use(7, PageUse::kRead, true, kShared), 1u);
  EXPECT_EQ(use(7, PageUse::kWrite, false, kOwn), 1u) << "the store copied it";
  EXPECT_EQ(colour(7), 0x1234 * kLinesOfPage + 3);
}

TEST_F(Frames, ThatAreNotKnownAreAskedForAgain) {
  use(7, PageUse::kRead, true, kUnknown);
  EXPECT_EQ(colour(7), 7 * kLinesOfPage + 3);
  EXPECT_EQ(use(7, PageUse::kRead, false, kOwn), 1u);
}

TEST_F(Frames, AreForgottenWithTheirPages) {
  constexpr uint64_t kFar = uint64_t{1} << 30;
  for (uint64_t page : {uint64_t{7}, uint64_t{8}, uint64_t{9}, kFar}) use(page, PageUse::kRead, true, kOwn);
  frames.forget_lines(8 * kLinesOfPage, kFar * kLinesOfPage);
  EXPECT_EQ(frames.frame_of(7), kOwn.number);
  EXPECT_EQ(frames.frame_of(8), 0u);
  EXPECT_EQ(frames.frame_of(9), 0u);
  EXPECT_EQ(frames.frame_of(kFar), kOwn.number);
}

TEST_F(Frames, AreDoubtedAfterAFork) {
  use(7, PageUse::kWrite, true, kOwn);
  frames.doubt_all();
  EXPECT_EQ(frames.frame_of(7), kOwn.number) << "until it writes";
  EXPECT_EQ(use(7, PageUse::kRead, false, kShared), 0u);
  EXPECT_EQ(use(7, PageUse::kWrite, false, kShared), 1u);
  EXPECT_EQ(frames.frame_of(7), kShared.number);
}

TEST_F(Frames, OfAddressesOutsideUserSpaceAreNotKnown) {
  EXPECT_EQ(use(uint64_t{1} << 50, PageUse::kRead, true, kOwn), 0u);
  EXPECT_EQ(frames.frame_of(uint64_t{1} << 50), 0u);
}

}  // namespace
}  // namespace hm::model
