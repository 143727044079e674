// SPDX-License-Identifier: MIT
// The recorded process is this one: its memory is read as another process's would be.
#include "app/code_copy_log.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "base/temporary_folder.h"

namespace hm::app {
namespace {

constexpr size_t kPage = 4096, kPages = 8;

class CodeCopyLogTest : public ::testing::Test {
 protected:
  CodeCopyLogTest() {
    for (size_t i = 0; i < kPages * kPage; ++i) code_[i] = static_cast<char>('a' + i / 7 % 23);
    std::ofstream(program_) << code_;
    void* memory =
        ::mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory_ = static_cast<char*>(memory);
  }
  ~CodeCopyLogTest() override { ::munmap(memory_, kPages * kPage); }

  // Copies pages of the program to their places in the memory.
  void copy(size_t first, size_t count) {
    std::memcpy(memory_ + first * kPage, code_.data() + first * kPage, count * kPage);
  }
  void map(const std::string& path, size_t first, size_t count, pid_t pid = ::getpid()) {
    auto process = static_cast<uint32_t>(pid);
    record::Mmap mmap{.pid = process, .tid = process, .address = address_of(first), .length = count * kPage};
    mmap.file_offset = path == program_ ? first * kPage : 0;
    mmap.path = path;
    ByteWriter payload;
    record::encode_mmap(mmap, payload);
    log_.see(record::Record{PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, false, payload.bytes(), 0});
  }
  [[nodiscard]] uint64_t address_of(size_t page) const {
    return reinterpret_cast<uint64_t>(memory_) + page * kPage;
  }
  [[nodiscard]] std::vector<record::CodeCopy> one(size_t first, size_t count, bool has_same_code) const {
    return {{static_cast<uint32_t>(::getpid()), address_of(first), address_of(first + count), has_same_code}};
  }

  TemporaryFolder folder_;
  std::string program_ = folder_.file("program");
  std::string code_ = std::string(kPages * kPage, ' ');
  char* memory_ = nullptr;
  MappedFiles files_;
  CodeCopyLog log_{files_};
};

TEST_F(CodeCopyLogTest, FindsTheSameCodeInMemoryOverAFile) {
  copy(2, 3);
  map(program_, 0, kPages);
  map("//anon", 2, 3);
  EXPECT_EQ(log_.copies(), one(2, 3, true));
}

TEST_F(CodeCopyLogTest, FindsOtherCode) {
  copy(2, 1);
  map(program_, 0, kPages);
  map("/memfd:jit (deleted)", 2, 3);
  EXPECT_EQ(log_.copies(), one(2, 3, false));
}

TEST_F(CodeCopyLogTest, ComparesAgainWhenTheMemoryIsFilled) {
  map(program_, 0, kPages);
  map("//anon", 2, 3);
  copy(2, 3);
  map("//anon", 2, 3);  // it becomes executable only
  EXPECT_EQ(log_.copies(), one(2, 3, true));
}

TEST_F(CodeCopyLogTest, ComparesAgainAtTheEnd) {
  map(program_, 0, kPages);
  map("//anon", 2, 3);
  copy(2, 3);
  EXPECT_EQ(log_.copies(), one(2, 3, false));
  log_.compare_rest();
  EXPECT_EQ(log_.copies(), one(2, 3, true));
}

TEST_F(CodeCopyLogTest, FindsACopyInAGapOfTheFile) {
  copy(2, 3);
  map(program_, 0, 2);
  map("//anon", 2, 3);
  map(program_, 5, 3);
  EXPECT_EQ(log_.copies(), one(2, 3, true));
}

TEST_F(CodeCopyLogTest, FindsACopyOfTheBeginningOrTheEndOfTheCode) {
  copy(1, 2);
  copy(5, 2);
  map("//anon", 1, 2);
  map(program_, 3, 2);
  map("//anon", 5, 2);
  std::vector<record::CodeCopy> both = one(1, 2, true);
  both.push_back(one(5, 2, true).front());
  EXPECT_EQ(log_.copies(), both);
}

TEST_F(CodeCopyLogTest, LeavesOutWhatCannotBeRead) {
  constexpr pid_t kNoProcess = 0x7fffffff;
  map(program_, 0, kPages, kNoProcess);
  map("//anon", 2, 3, kNoProcess);
  EXPECT_TRUE(log_.copies().empty());
}

TEST_F(CodeCopyLogTest, IgnoresMemoryElsewhereAndOtherFiles) {
  map("//anon", 0, 1);
  map(program_, 2, 2);
  map("//anon", 5, 1);
  map("/usr/lib/other.so", 2, 1);
  EXPECT_TRUE(log_.copies().empty());
}

}  // namespace
}  // namespace hm::app
