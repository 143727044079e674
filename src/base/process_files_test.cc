// SPDX-License-Identifier: MIT
#include "base/process_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hm {
namespace {

uint64_t inode_of_file(const std::string& path) {
  struct stat file {};
  return ::stat(path.c_str(), &file) == 0 ? file.st_ino : 0;
}

TEST(ProcessFiles, ThisProcessHasNoFilesOfItsOwn) {
  EXPECT_FALSE(has_own_files(::getpid()));
  EXPECT_EQ(number_in_namespace(::getpid()), ::getpid());
  EXPECT_TRUE(belongs_to(::getpid(), ::geteuid()));
}

TEST(ProcessFiles, OpensRegularFilesAlone) {
  TemporaryFolder folder;
  std::ofstream(folder.file("regular")) << "text";
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("regular", folder.file("link"));
  EXPECT_TRUE(open_in_root(::getpid(), folder.file("regular")).valid());
  EXPECT_TRUE(open_in_root(::getpid(), folder.file("link")).valid());
  EXPECT_FALSE(open_in_root(::getpid(), folder.file("pipe")).valid());
  EXPECT_FALSE(open_in_root(::getpid(), "/dev/zero").valid());
  EXPECT_FALSE(open_in_root(::getpid(), folder.file("none")).valid());
  EXPECT_FALSE(open_in_root(::getpid(), "/proc/self/exe").valid());  // a link that is no path
}

TEST(ProcessFiles, OpensAMappedFileThatWasDeleted) {
  TemporaryFolder folder;
  std::string path = folder.file("mapped");
  std::ofstream(path) << "contents";
  UniqueFd fd(::open(path.c_str(), O_RDONLY));
  constexpr size_t kPage = 4096;
  void* place = ::mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  ASSERT_NE(place, MAP_FAILED);
  auto start = reinterpret_cast<uint64_t>(place);
  ProcessMapping mapping{::getpid(), start, start + kPage, inode_of_file(path), path};
  std::filesystem::remove(path);
  UniqueFd found = open_mapped_file(mapping);  // by its mapping, or else by its descriptor
  ASSERT_TRUE(found.valid());
  std::string text(16, '\0');
  EXPECT_EQ(::pread(found.get(), text.data(), text.size(), 0), 8);
  mapping.inode += 1;
  EXPECT_FALSE(open_mapped_file(mapping).valid());
  ::munmap(place, kPage);
}

TEST(ProcessFiles, CopiesAreBounded) {
  TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "123456";
  UniqueFd fd(::open(folder.file("file").c_str(), O_RDONLY));
  EXPECT_FALSE(copy_to_memory(fd.get(), 5).valid());
  UniqueFd copy = copy_to_memory(fd.get(), 6);
  ASSERT_TRUE(copy.valid());
  ASSERT_EQ(::truncate(folder.file("file").c_str(), 0), 0);
  std::string text(16, '\0');
  EXPECT_EQ(::pread(copy.get(), text.data(), text.size(), 0), 6);
}

}  // namespace
}  // namespace hm
