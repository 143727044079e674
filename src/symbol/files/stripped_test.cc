// SPDX-License-Identifier: MIT
// Functions of files without symbols, found by the unwind tables, by .gnu_debugdata and by debug files.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lzma.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/shell_word.h"
#include "base/temporary_folder.h"
#include "symbol/files/dso.h"
#include "symbol/files/test_subjects.h"

namespace hm::symbol {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

const std::string kLibrary = subject("library.so");
const std::string kStrippedLibrary = subject("library.stripped");

// Returns the file offset of a code address.
uint64_t offset_of(Dso& dso, uint64_t address) { return dso.elf()->offset_of_address(address).value_or(0); }

// Looks up every byte of every hidden function in the stripped file.
void expect_known_by_extent(const std::string& whole_path, const std::string& stripped_path) {
  Dso whole(whole_path, ""), stripped(stripped_path, "");
  for (const char* name : {"hidden_sum", "hidden_product"}) {
    Symbol symbol = symbol_of(whole, name);
    std::string expected = fmt::format("[{}+{:#x}]", fs::path(stripped_path).filename().string(),
                                       offset_of(whole, symbol.start));
    for (uint64_t address = symbol.start; address < symbol.start + symbol.size; ++address) {
      Function function = stripped.function_at(offset_of(whole, address));
      ASSERT_EQ(function.name, expected) << name;
      ASSERT_EQ(function.start, symbol.start);
      ASSERT_EQ(function.size, symbol.size);
      ASSERT_FALSE(function.named);
      ASSERT_EQ(stripped.frames_at(offset_of(whole, address)).back().function, expected);
    }
  }
  EXPECT_THAT(symbol_names_of(stripped), Contains("exported_both"));
  EXPECT_THAT(symbol_names_of(stripped), Not(Contains("hidden_sum")));
}

TEST(Stripped, FunctionsOfALibraryGoByWhereTheyBegin) { expect_known_by_extent(kLibrary, kStrippedLibrary); }

TEST(Stripped, TheyDoWithoutATableThatLeadsToThem) {
  expect_known_by_extent(subject("library_unled.so"), subject("library_unled.stripped"));
}

TEST(Stripped, FunctionsOfAProgramGoByWhereTheyBegin) {
  Dso whole(subject("subject"), ""), stripped(subject("subject.stripped"), "");
  Symbol symbol = symbol_of(whole, "plain_c_name");
  Function first = stripped.function_at(offset_of(whole, symbol.start)),
           last = stripped.function_at(offset_of(whole, symbol.start + symbol.size - 1));
  EXPECT_EQ(first.start, symbol.start);
  EXPECT_EQ(first.size, symbol.size);
  EXPECT_EQ(first.name, last.name);
}

TEST(Stripped, AStubIsNamedOnlyWhereTheAddressLiesInIt) {
  Dso stripped(kStrippedLibrary, "");
  Symbol stub = symbol_of(stripped, "calloc@plt");
  EXPECT_LE(stub.size, 16u);
  for (uint64_t offset = 0; offset < stub.size; ++offset)
    EXPECT_EQ(stripped.function_at(offset_of(stripped, stub.start + offset)).name, "calloc@plt");
  const ElfModule& elf = *stripped.elf();
  for (const ElfModule::Code& code : elf.code_segments()) {
    for (uint64_t address = code.address; address < code.address + code.bytes.size(); ++address) {
      bool in_table = elf.section_at(address).starts_with(".plt");
      bool named = stripped.function_at(offset_of(stripped, address)).name.ends_with("@plt");
      EXPECT_TRUE(in_table || !named) << address;
    }
  }
}

std::vector<uint8_t> pack(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> whole{std::istreambuf_iterator<char>(in), {}};
  std::vector<uint8_t> packed(lzma_stream_buffer_bound(whole.size()));
  size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<uint8_t*>(whole.data()),
                                    whole.size(), packed.data(), &size, packed.size()),
            LZMA_OK);
  packed.resize(size);
  return packed;
}

// Creates the stripped library with `packed` as its .gnu_debugdata.
std::string library_with(const std::vector<uint8_t>& packed, const TemporaryFolder& folder) {
  fs::path data = folder.file("packed"), out = folder.file("library.so");
  std::ofstream(data, std::ios::binary)
      .write(reinterpret_cast<const char*>(packed.data()), static_cast<std::streamsize>(packed.size()));
  std::string command =
      fmt::format("{} --add-section .gnu_debugdata={} {} {}", shell_word(test_paths::kObjcopy),
                  shell_word(data.string()), shell_word(kStrippedLibrary), shell_word(out.string()));
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return out;
}

TEST(Stripped, TakesTheSymbolsThatAreInItPacked) {
  TemporaryFolder folder;
  Dso whole(kLibrary, "");
  Dso dso(library_with(pack(kLibrary), folder), "");
  EXPECT_THAT(symbol_names_of(dso),
              IsSupersetOf({"hidden_sum", "hidden_product", "exported_both", "calloc@plt"}));
  Symbol symbol = symbol_of(whole, "hidden_sum");
  Function function = dso.function_at(offset_of(dso, symbol.start + 1));
  EXPECT_EQ(function.name, "hidden_sum");
  EXPECT_EQ(function.start, symbol.start);
}

TEST(Stripped, LeavesPackedSymbolsThatUnpackWithoutMeasure) {
  constexpr size_t kBytes = size_t{72} << 20;
  TemporaryFolder folder;
  fs::path zeros = folder.file("zeros");
  std::ofstream(zeros).close();
  fs::resize_file(zeros, kBytes);
  Dso dso(library_with(pack(zeros), folder), "");
  Dso whole(kLibrary, "");
  Symbol hidden = symbol_of(whole, "hidden_sum");
  EXPECT_EQ(dso.function_at(offset_of(dso, hidden.start + 1)).start,
            hidden.start);  // from the unwind tables
  EXPECT_FALSE(dso.function_at(offset_of(dso, hidden.start)).named);
}

TEST(Stripped, DamagedPackedSymbolsAreNone) {
  TemporaryFolder folder;
  std::vector<uint8_t> packed = pack(kLibrary);
  for (size_t cut : {packed.size() / 2, size_t{8}, size_t{1}}) {
    packed.resize(cut);
    Dso dso(library_with(packed, folder), "");
    EXPECT_THAT(symbol_names_of(dso), Contains("exported_both"));
  }
}

// Stores the file as ROOT/.build-id/xx/yyyy.debug.
void put_debug_file(const fs::path& root, const std::string& file, const std::string& build_id) {
  fs::path folder = root / ".build-id" / build_id.substr(0, 2);
  fs::create_directories(folder);
  fs::copy_file(file, folder / (build_id.substr(2) + ".debug"));
}

TEST(Stripped, FindsADebugFileByBuildId) {
  TemporaryFolder folder;
  Dso whole(subject("subject"), "");
  Symbol symbol = symbol_of(whole, "_ZN7subject5StackIlE4pushERKl");
  put_debug_file(folder.file("root"), subject("subject.debug"), whole.elf()->build_id());
  DebugFiles files(DebugFiles::Options{.root = folder.file("root")});
  Dso dso(subject("subject.stripped"), "", files);
  EXPECT_EQ(dso.function_at(offset_of(dso, symbol.start)).name, "subject::Stack<long>::push(long const&)");
  EXPECT_NE(dso.frames_at(offset_of(dso, symbol.start)).front().line, 0u);
  EXPECT_THAT(files.problems(), testing::IsEmpty());
}

TEST(Stripped, LeavesADebugFileOfAnotherBuild) {
  TemporaryFolder folder;
  Dso whole(subject("subject"), ""), library(kLibrary, "");
  put_debug_file(folder.file("root"), kLibrary, whole.elf()->build_id());
  DebugFiles files(DebugFiles::Options{.root = folder.file("root")});
  Dso dso(subject("subject.stripped"), "", files);
  EXPECT_FALSE(dso.function_at(offset_of(dso, symbol_of(whole, "plain_c_name").start)).named);
}

}  // namespace
}  // namespace hm::symbol
