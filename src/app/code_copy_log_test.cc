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
#include "record/comm.h"

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
    EXPECT_NE(memory, MAP_FAILED);
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
  void exec() {
    auto process = static_cast<uint32_t>(::getpid());
    ByteWriter payload;
    record::encode_comm({.pid = process, .tid = process, .name = "other"}, payload);
    log_.see(record::Record{PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, false, payload.bytes(), 0});
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
  memory_[3 * kPage] = memory_[4 * kPage] = 'x';
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
  memory_[2 * kPage] = 'x';
  map("//anon", 2, 3);
  EXPECT_EQ(log_.copies(), one(2, 3, false));
  copy(2, 3);
  log_.compare_rest();
  EXPECT_EQ(log_.copies(), one(2, 3, true));
}

// A program that ends soon may not have filled its memory when the recorder looks.
TEST_F(CodeCopyLogTest, EmptyMemoryIsNotCompared) {
  map(program_, 0, kPages);
  map("//anon", 2, 3);
  std::memset(memory_, 0, kPages * kPage);
  log_.compare_rest();
  EXPECT_TRUE(log_.copies().empty());
}

TEST_F(CodeCopyLogTest, PagesThatAreBeingCopiedAreNotCompared) {
  copy(2, 1);
  std::memset(memory_ + 2 * kPage + kPage / 2, 0, kPage / 2);
  map(program_, 0, kPages);
  map("//anon", 2, 3);
  EXPECT_TRUE(log_.copies().empty());
  copy(2, 3);
  log_.compare_rest();
  EXPECT_EQ(log_.copies(), one(2, 3, true));
}

TEST_F(CodeCopyLogTest, MayCoverAllOfAMapping) {
  copy(2, 3);
  map(program_, 2, 3);
  map("//anon", 2, 3);
  EXPECT_EQ(log_.copies(), one(2, 3, true));
}

TEST_F(CodeCopyLogTest, AnotherProgramIsNotComparedWithTheCodeOfTheOldOne) {
  memory_[2 * kPage] = 'x';
  map(program_, 0, kPages);
  map("//anon", 2, 3);
  exec();
  copy(2, 3);
  map(program_, 0, 1);
  log_.compare_rest();
  EXPECT_EQ(log_.copies(), one(2, 3, false));
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
