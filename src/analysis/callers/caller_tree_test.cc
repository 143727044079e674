// SPDX-License-Identifier: MIT
#include "analysis/callers/caller_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "symbol/file_resolver.h"
#include "symbol/files/test_subjects.h"

namespace hm::callers {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

// The subject's main calls twice_inlined, which contains several levels of inlined functions.
class CallerTrees : public ::testing::Test {
 protected:
  enum Place : uint32_t { kInlined, kInMain };

  CallerTrees() {
    profile_.dsos = {{"[unknown]", ""}, {symbol::subject("subject"), ""}};
    profile_.events = {{"miss", {}}};
    symbol::Dso dso(symbol::subject("subject"), "");
    add_location(dso, "_ZN7subjectL13twice_inlinedERKSt6vectorIlSaIlEE", [&](uint64_t offset) {
      inlined_ = dso.frames_at(offset);
      return inlined_.size() >= 3;
    });
    add_location(dso, "main", [&](uint64_t offset) { return dso.frames_at(offset).size() == 1; });
  }

  template <typename F>
  void add_location(symbol::Dso& dso, const std::string& name, F&& suits) {
    symbol::Symbol function = symbol::symbol_of(dso, name);
    uint64_t offset = *dso.elf()->offset_of_address(function.start);
    uint64_t end = offset + function.size;
    while (offset < end && !suits(offset)) ++offset;
    ASSERT_LT(offset, end) << name;
    auto row = static_cast<uint32_t>(profile_.functions.size());
    profile_.functions.push_back({1, dso.function_at(offset).name, function.start, function.size});
    profile_.locations.push_back({1, offset, row, *dso.address_of(offset)});
  }

  // Innermost first.
  void add_sample(const std::vector<uint32_t>& chain) {
    profile::Samples& samples = profile_.samples;
    samples.chain.push_back(
        {static_cast<uint32_t>(samples.chain_locations.size()), static_cast<uint32_t>(chain.size())});
    samples.chain_locations.insert(samples.chain_locations.end(), chain.begin(), chain.end());
    samples.location.push_back(chain.front());
    samples.event.push_back(0);
  }

  std::vector<Caller> callers(Detail detail, RowKind row, double min_share = 0) {
    FrameNumbers frames(profile_, resolver_, detail);
    CallerTree tree(profile_, frames, row);
    for (size_t sample = 0; sample < profile_.samples.size(); ++sample) tree.add(sample);
    return tree.callers(min_share);
  }

  // Returns the first caller of each level, in parentheses if inlined, with its line if known.
  static std::vector<std::string> path(const std::vector<Caller>& callers) {
    std::vector<std::string> names;
    for (const std::vector<Caller>* level = &callers; !level->empty(); level = &level->front().callers) {
      const Caller& first = level->front();
      names.push_back(text_of(first.function, first.inlined, first.line));
    }
    return names;
  }
  static std::string text_of(const std::string& function, bool inlined, uint32_t line) {
    std::string text = inlined ? "(" + function + ")" : function;
    return line == 0 ? text : text + ":" + std::to_string(line);
  }
  // Returns the frames of kInlined from `begin` on, in the format of path().
  [[nodiscard]] std::vector<std::string> frames_from(size_t begin, bool lines) {
    std::vector<std::string> names;
    for (size_t i = begin; i < inlined_.size(); ++i) {
      const symbol::Frame& frame = inlined_[i];
      names.push_back(text_of(frame.function, frame.inlined, lines ? frame.line : 0));
    }
    return names;
  }

  std::vector<symbol::Frame> inlined_;  // frames of kInlined, innermost first
  symbol::FileResolver resolver_;
  profile::Profile profile_;
};

TEST_F(CallerTrees, OfAPlaceBeginWithWhatItIsInlinedInto) {
  add_sample({kInlined, kInMain});
  std::vector<std::string> all = path(callers({.inlines = true, .lines = true}, RowKind::kPlace));
  ASSERT_EQ(all.size(), inlined_.size());
  EXPECT_THAT(all.back(), StartsWith("main:"));
  all.pop_back();
  EXPECT_EQ(all, frames_from(1, true));
  std::vector<std::string> outer = path(callers({.inlines = false, .lines = true}, RowKind::kPlace));
  EXPECT_THAT(outer, ElementsAre(StartsWith("main:")));
}

TEST_F(CallerTrees, OfAFunctionBeginWithItsCallers) {
  add_sample({kInlined, kInMain});
  EXPECT_THAT(path(callers({.inlines = true, .lines = false}, RowKind::kFunction)), ElementsAre("main"));
}

TEST_F(CallerTrees, HaveCallersThatAreInlined) {
  add_sample({kInMain, kInlined});
  EXPECT_EQ(path(callers({.inlines = true, .lines = false}, RowKind::kFunction)), frames_from(0, false));
  EXPECT_EQ(path(callers({.inlines = false, .lines = false}, RowKind::kFunction)).size(), 1u);
}

TEST_F(CallerTrees, LeaveOutSmallBranchesAndCountTheRest) {
  for (int i = 0; i < 3; ++i) add_sample({kInlined, kInMain});
  add_sample({kInlined, kInlined});
  std::vector<Caller> all = callers({.inlines = false, .lines = false}, RowKind::kFunction);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].samples, 3u);
  EXPECT_DOUBLE_EQ(all[0].share, 0.75);
  EXPECT_EQ(callers({.inlines = false, .lines = false}, RowKind::kFunction, 0.5).size(), 1u);
}

TEST_F(CallerTrees, NeedNoRecordedCallersForWhatIsInlined) {
  add_sample({kInlined});
  EXPECT_EQ(path(callers({.inlines = true, .lines = true}, RowKind::kPlace)), frames_from(1, true));
  EXPECT_TRUE(callers({.inlines = true, .lines = false}, RowKind::kFunction).empty());
}

}  // namespace
}  // namespace hm::callers
