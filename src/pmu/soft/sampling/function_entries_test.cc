// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/function_entries.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>

extern "C" [[gnu::noinline]] void hm_function_of_this_test() { asm volatile(""); }

namespace hm::soft {
namespace {

const std::string& own_file() {
  static const std::string bytes = [] {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return bytes;
}

ElfFunctions functions_of(const std::string& file) { return {file.data(), file.size()}; }

uint64_t own_address() {
  uint64_t found = 0;
  functions_of(own_file()).for_each([&](const char* name, uint64_t address) {
    if (std::strcmp(name, "hm_function_of_this_test") == 0) found = address;
  });
  return found;
}

class FunctionEntriesTest : public ::testing::Test {
 protected:
  FunctionEntriesTest() {
    std::strcpy(session_->functions[0].name, "no_such_function");
    std::strcpy(session_->functions[1].name, "hm_function_of_this_test");
    session_->function_count = 2;
  }

  // Adds the file as if mapped as a whole at kStart.
  void add_whole(const std::string& file) {
    entries_->add_file(*session_, functions_of(file), {kStart, file.size(), 0});
  }

  uint64_t own_offset() {
    uint64_t offset = 0;
    EXPECT_TRUE(functions_of(own_file()).offset_of(own_address(), offset));
    return offset;
  }

  static constexpr uint64_t kStart = uint64_t{1} << 40;
  std::unique_ptr<Session> session_ = std::make_unique<Session>();
  std::unique_ptr<FunctionEntries> entries_ = std::make_unique<FunctionEntries>();
};

TEST_F(FunctionEntriesTest, FindTheFunctionsCode) {
  uint64_t offset = own_offset();
  const void* code = reinterpret_cast<const void*>(&hm_function_of_this_test);
  EXPECT_EQ(std::memcmp(own_file().data() + offset, code, 4), 0);
  add_whole(own_file());
  EXPECT_EQ(entries_->function_at(kStart + offset), 1u);
  EXPECT_EQ(entries_->function_at(kStart + offset + 1), FunctionEntries::kNone);
  EXPECT_EQ(session_->functions[0].found, 0u);
  EXPECT_EQ(session_->functions[1].found, 1u);
}

TEST_F(FunctionEntriesTest, OnlyInThePieceThatIsMapped) {
  uint64_t offset = own_offset();
  FunctionEntries::Piece before{kStart, offset, 0},
      behind{kStart, own_file().size() - offset - 1, offset + 1};
  entries_->add_file(*session_, functions_of(own_file()), before);
  entries_->add_file(*session_, functions_of(own_file()), behind);
  EXPECT_EQ(session_->functions[1].found, 0u);
  entries_->add_file(*session_, functions_of(own_file()), {kStart, 1, offset});
  EXPECT_EQ(entries_->function_at(kStart), 1u);
}

TEST_F(FunctionEntriesTest, EntriesAreCountedAndForgotten) {
  add_whole(own_file());
  uint64_t entry = kStart + own_offset();
  EXPECT_TRUE(entries_->enter(*session_, entry));
  EXPECT_TRUE(entries_->enter(*session_, entry));
  EXPECT_FALSE(entries_->enter(*session_, entry + 1));
  EXPECT_EQ(session_->functions[1].entered, 2u);
  entries_->forget(entry + 1, entry + 100);
  EXPECT_EQ(entries_->function_at(entry), 1u);
  entries_->forget(entry, entry + 1);
  EXPECT_EQ(entries_->function_at(entry), FunctionEntries::kNone);
  EXPECT_EQ(entries_->function_at(0), FunctionEntries::kNone);
}

// Reads never go beyond the file's bytes, even in damaged files; AddressSanitizer would report that.
TEST_F(FunctionEntriesTest, DamagedFilesAreReadAsFarAsTheyGo) {
  functions_of("").for_each([](const char*, uint64_t) { FAIL(); });
  functions_of(std::string(64, '\0')).for_each([](const char*, uint64_t) { FAIL(); });
  std::mt19937 random(1);
  const std::string& whole = own_file();
  for (size_t bytes = 1; bytes < whole.size(); bytes = bytes * 3 / 2 + 1) {
    std::string cut(whole.data(), bytes);
    cut.shrink_to_fit();
    add_whole(cut);
  }
  uint64_t table = 0;
  std::memcpy(&table, whole.data() + offsetof(Elf64_Ehdr, e_shoff), sizeof(table));
  for (int i = 0; i < 20; ++i) {
    std::string damaged = whole;
    for (uint64_t at : {uint64_t{random() % sizeof(Elf64_Ehdr)}, table + random() % (whole.size() - table)})
      damaged[at] = static_cast<char>(random());
    add_whole(damaged);
  }
}

}  // namespace
}  // namespace hm::soft
