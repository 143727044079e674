// SPDX-License-Identifier: MIT
#include "symbol/files/file_archive.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/process_files.h"
#include "base/text_file.h"

namespace hm::symbol {
namespace {

Bytes bytes_of_text(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string text_of(const UniqueFd& fd) {
  return read_text(fmt::format("/proc/self/fd/{}", fd.get())).value_or("unreadable");
}

std::vector<std::byte> block_of_two() {
  FileArchiveWriter writer;
  EXPECT_TRUE(writer.add(ArchivedKind::kObject, "/usr/bin/p", "aabb", bytes_of_text("program")));
  EXPECT_TRUE(writer.add(ArchivedKind::kSource, "/src/p.c", "", bytes_of_text("int main() {}\n")));
  return std::move(writer).take();
}

TEST(FileArchive, GivesBackWhatWasAdded) {
  std::shared_ptr<const FileArchive> archive = FileArchive::read(block_of_two());
  EXPECT_EQ(archive->size(), 2U);
  EXPECT_EQ(text_of(archive->open(ArchivedKind::kObject, "/usr/bin/p", "aabb")), "program");
  EXPECT_EQ(archive->source("/src/p.c"), "int main() {}\n");
}

TEST(FileArchive, DistinguishesKindPathAndBuild) {
  std::shared_ptr<const FileArchive> archive = FileArchive::read(block_of_two());
  EXPECT_FALSE(archive->open(ArchivedKind::kDebug, "/usr/bin/p", "aabb").valid());
  EXPECT_FALSE(archive->open(ArchivedKind::kObject, "/usr/bin/q", "aabb").valid());
  EXPECT_FALSE(archive->open(ArchivedKind::kObject, "/usr/bin/p", "").valid());
  EXPECT_EQ(archive->source("/usr/bin/p"), std::nullopt);
}

TEST(FileArchive, ReadsTheFilesBeforeTheEndOfATruncatedBlock) {
  std::vector<std::byte> block = block_of_two();
  for (size_t bytes = 0; bytes < block.size(); ++bytes) {
    std::shared_ptr<const FileArchive> archive = FileArchive::read(Bytes(block).first(bytes));
    EXPECT_LT(archive->size(), 2U) << bytes;
    EXPECT_EQ(archive->count_readable(), archive->size()) << bytes;
  }
}

TEST(FileArchive, RefusesContentsOfAnotherSize) {
  constexpr size_t kSizeOffset = 8 + 3 * 4;  // after the magic number, the kind and the names' sizes
  for (uint64_t size : {uint64_t{3}, uint64_t{1} << 20, uint64_t{1} << 60}) {
    std::vector<std::byte> block = block_of_two();
    std::memcpy(block.data() + kSizeOffset, &size, sizeof(size));
    EXPECT_FALSE(FileArchive::read(block)->open(ArchivedKind::kObject, "/usr/bin/p", "aabb").valid()) << size;
  }
}

}  // namespace
}  // namespace hm::symbol
