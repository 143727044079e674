// SPDX-License-Identifier: MIT
#include "record/newest_description.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace hm::record {
namespace {

// The slots in memory, with something before them, as in a file.
class NewestDescriptionTest : public ::testing::Test {
 protected:
  static constexpr size_t kBefore = 88;

  void write(const NewestDescription::Piece& piece) {
    std::memcpy(file_.data() + kBefore + piece.offset, piece.bytes.data(), piece.bytes.size());
  }

  bool update(std::string_view text, size_t pieces = 2) {
    auto found = newest_.update(text);
    for (size_t i = 0; found && i < pieces; ++i) write((*found)[i]);
    return found.has_value();
  }

  [[nodiscard]] std::optional<std::string_view> read(bool swap = false) const {
    return decode_newest_description(file_, swap);
  }

  static std::vector<std::byte> file_with(const NewestDescription& newest) {
    std::vector<std::byte> file(kBefore), slots = newest.empty();
    file.insert(file.end(), slots.begin(), slots.end());
    return file;
  }

  NewestDescription newest_{"first"};
  std::vector<std::byte> file_ = file_with(newest_);
};

TEST_F(NewestDescriptionTest, IsTheLastTextThatWasWritten) {
  EXPECT_EQ(read(), std::nullopt) << "none yet";
  for (int i = 0; i < 7; ++i) {
    std::string text(static_cast<size_t>(100 - i), static_cast<char>('a' + i));
    ASSERT_TRUE(update(text));
    EXPECT_EQ(read(), text);
  }
}

TEST_F(NewestDescriptionTest, IsTheTextBeforeIfTheRecorderIsKilledWhileItWrites) {
  ASSERT_TRUE(update("one"));
  ASSERT_TRUE(update("two"));
  ASSERT_TRUE(update("three", 1));
  EXPECT_EQ(read(), "two") << "the slot of \"one\" has a text of another length now, and its old number";
}

TEST_F(NewestDescriptionTest, IsTheTextBeforeIfANewOneIsTooLong) {
  ASSERT_TRUE(update("short"));
  EXPECT_FALSE(update(std::string(1 << 20, 'x')));
  EXPECT_EQ(read(), "short");
  EXPECT_TRUE(update(std::string(10'000, 'x'))) << "some growth is possible";
}

TEST_F(NewestDescriptionTest, GrowsFromTheFirstOne) {
  std::string first(1 << 20, 'x');
  EXPECT_TRUE(NewestDescription(first).update(first + std::string(10'000, 'x')));
}

TEST_F(NewestDescriptionTest, ItsNumbersAreInTheRecordersByteOrder) {
  ASSERT_TRUE(update("text"));
  EXPECT_EQ(read(true), std::nullopt) << "the trailer's magic number is swapped";
}

TEST_F(NewestDescriptionTest, EveryEndOfTheFileIsRead) {
  ASSERT_TRUE(update("text"));
  for (size_t size = 0; size < file_.size(); ++size)
    EXPECT_EQ(decode_newest_description(Bytes(file_).first(size), false), std::nullopt) << size;
}

TEST_F(NewestDescriptionTest, ATextThatDoesNotMatchItsHeadIsNone) {
  ASSERT_TRUE(update("text"));
  auto second = newest_.update("other");
  ASSERT_TRUE(second);
  write((*second)[1]);  // as after a crash of the machine
  EXPECT_EQ(read(), "text");
}

TEST_F(NewestDescriptionTest, ASizeBeyondTheSlotIsNoText) {
  ASSERT_TRUE(update("text"));
  auto second = newest_.update("other");
  ASSERT_TRUE(second);
  (*second)[1].bytes.back() = std::byte{0x7f};
  write((*second)[1]);
  EXPECT_EQ(read(), "text");
}

}  // namespace
}  // namespace hm::record
