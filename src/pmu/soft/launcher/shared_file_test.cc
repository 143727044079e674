// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/shared_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <vector>

namespace hm::soft {
namespace {

constexpr size_t kBytes = 16384;

UniqueFd file_of(size_t bytes) {
  UniqueFd fd(::memfd_create("shared", MFD_CLOEXEC));
  EXPECT_EQ(::ftruncate(fd.get(), static_cast<off_t>(bytes)), 0);
  return fd;
}

auto handler() {
  struct sigaction action {};
  ::sigaction(SIGBUS, nullptr, &action);
  return action.sa_sigaction;
}

TEST(SharedFile, SharesWhatIsWritten) {
  UniqueFd fd = file_of(kBytes);
  auto one = SharedFile::map(fd, kBytes), other = SharedFile::map(fd, kBytes);
  ASSERT_TRUE(one.ok() && other.ok());
  static_cast<char*>(one->data())[kBytes - 1] = 'x';
  EXPECT_EQ(static_cast<char*>(other->data())[kBytes - 1], 'x');
  EXPECT_FALSE(one->is_lost());
}

TEST(SharedFile, BecomesZerosWhereTheFileIsCutOff) {
  UniqueFd fd = file_of(kBytes), other_fd = file_of(kBytes);
  auto file = SharedFile::map(fd, kBytes), other = SharedFile::map(other_fd, kBytes);
  ASSERT_TRUE(file.ok() && other.ok());
  auto* text = static_cast<volatile char*>(file->data());
  text[0] = 'a';
  text[kBytes - 1] = 'a';
  static_cast<char*>(other->data())[0] = 'b';
  ASSERT_EQ(::ftruncate(fd.get(), 0), 0);
  EXPECT_EQ(text[kBytes - 1], 0);
  EXPECT_EQ(text[0], 0);
  text[0] = 'c';
  EXPECT_EQ(text[0], 'c');
  EXPECT_TRUE(file->is_lost());
  EXPECT_FALSE(other->is_lost());
  EXPECT_EQ(static_cast<char*>(other->data())[0], 'b');
}

TEST(SharedFile, MovesItsGuard) {
  UniqueFd fd = file_of(kBytes);
  auto mapped = SharedFile::map(fd, kBytes);
  ASSERT_TRUE(mapped.ok());
  SharedFile moved = *std::move(mapped);
  ASSERT_EQ(::ftruncate(fd.get(), 0), 0);
  EXPECT_EQ(*static_cast<volatile char*>(moved.data()), 0);
  EXPECT_TRUE(moved.is_lost());
}

TEST(SharedFile, HandlesTheSignalOnlyWhileAnyIsMapped) {
  UniqueFd fd = file_of(kBytes);
  const auto before = handler();  // perhaps set by a sanitizer
  {
    auto file = SharedFile::map(fd, kBytes);
    EXPECT_NE(handler(), before);
  }
  EXPECT_EQ(handler(), before);
}

TEST(SharedFile, RefusesMoreThanItGuards) {
  UniqueFd fd = file_of(4096);
  std::vector<SharedFile> all;
  for (uint32_t i = 0; i < SharedFile::kMaxFiles; ++i) {
    auto file = SharedFile::map(fd, 4096);
    ASSERT_TRUE(file.ok());
    all.push_back(*std::move(file));
  }
  EXPECT_FALSE(SharedFile::map(fd, 4096).ok());
  all.pop_back();
  EXPECT_TRUE(SharedFile::map(fd, 4096).ok());
}

}  // namespace
}  // namespace hm::soft
