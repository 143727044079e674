// SPDX-License-Identifier: MIT
#include "base/pagemap.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/temporary_folder.h"

namespace hm {
namespace {

TEST(Pagemap, IsReadAsTheKernelWritesThem) {
  TemporaryFolder proc;
  std::filesystem::create_directory(proc.file("17"));
  constexpr uint64_t kPresent = uint64_t{1} << 63, kSoftDirty = uint64_t{1} << 55;
  std::vector<uint64_t> entries{0, kPresent | kSoftDirty | 0x1234, kPresent, uint64_t{1} << 62 | 0x99};
  std::ofstream(proc.file("17/pagemap"), std::ios::binary)
      .write(reinterpret_cast<const char*>(entries.data()), static_cast<std::streamsize>(entries.size() * 8));
  auto page = static_cast<uint64_t>(::getpagesize());
  Pagemap frames(17, proc.file(""));
  EXPECT_EQ(frames.physical(0), std::nullopt) << "never used";
  EXPECT_EQ(frames.physical(page + 5), 0x1234 * page + 5);
  EXPECT_EQ(frames.physical(2 * page), std::nullopt) << "the frame is not told";
  EXPECT_EQ(frames.physical(3 * page), std::nullopt) << "in swap";
  EXPECT_EQ(frames.physical(4 * page), std::nullopt) << "beyond the file";
  for (uint64_t number = 0; number < 5; ++number)
    EXPECT_EQ(frames.is_present(number * page), number == 1 || number == 2) << number;
  EXPECT_EQ(Pagemap(18, proc.file("")).physical(page), std::nullopt) << "no such process";
}

TEST(Pagemap, TellsOneFrameOfASharedPage) {
  auto page = static_cast<size_t>(::getpagesize());
  int file = ::memfd_create("shared", 0);
  ASSERT_EQ(::ftruncate(file, static_cast<off_t>(page)), 0);
  const auto map = [&] {
    return static_cast<char*>(::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  };
  char *first = map(), *second = map();
  *first = *second = 1;
  Pagemap frames(::getpid());
  std::optional<uint64_t> one = frames.physical(reinterpret_cast<uint64_t>(first) + 7);
  if (!one) GTEST_SKIP() << "this user may not see where memory lies; not tested";
  EXPECT_EQ(frames.physical(reinterpret_cast<uint64_t>(second) + 7), one);
  EXPECT_EQ(*one % page, 7u);
}

}  // namespace
}  // namespace hm
