// SPDX-License-Identifier: MIT
// Compares the disassembly with GNU objdump, for instructions of this machine's programs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/shell_word.h"
#include "symbol/code/disassembly.h"

namespace hm::symbol {
namespace {

struct Line {
  uint64_t address = 0;
  std::vector<std::byte> code;
  std::string text;  // without symbol names and remarks
};

std::string without_names(std::string text) {
  if (size_t remark = text.find(" #"); remark != std::string::npos) text.resize(remark);
  if (size_t name = text.find(" <"); name != std::string::npos) text.resize(name);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.pop_back();
  return text;
}

// Removes the count of a shift by one, which objdump shows since 2.41: "sar    $1,%eax".
std::string without_count_of_one(std::string text) {
  constexpr std::string_view kCount = " $1,";  // counts in immediate bytes are hexadecimal
  if (size_t count = text.find(kCount); count != std::string::npos) text.erase(count + 1, kCount.size() - 1);
  return text;
}

// Removes the segments that string instructions imply; objdump 2.47 does not show them.
std::string without_implied_segments(std::string text) {
  for (std::string_view implied : {"%ds:(%rsi)", "%es:(%rdi)"}) {
    constexpr size_t kSegment = 4;
    if (size_t at = text.find(implied); at != std::string::npos) text.erase(at, kSegment);
  }
  return text;
}

// Parses a line such as "  401000:\tf3 0f 1e fa \tendbr64".
std::optional<Line> read_line(const std::string& text) {
  size_t first = text.find('\t'), second = text.find('\t', first + 1);
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  Line line;
  line.address = std::stoull(text.substr(0, first), nullptr, 16);
  for (size_t at = first + 1; at + 1 < second && text[at] != ' '; at += 3)
    line.code.push_back(static_cast<std::byte>(std::stoul(text.substr(at, 2), nullptr, 16)));
  line.text = without_count_of_one(without_names(text.substr(second + 1)));
  return line;
}

template <typename F>
bool for_each_line(const std::string& file, F&& take) {
  std::string command = fmt::format("objdump -d -j .text --insn-width=16 {} 2>/dev/null", shell_word(file));
  auto close = [](FILE* pipe) { ::pclose(pipe); };
  std::unique_ptr<FILE, decltype(close)> pipe(::popen(command.c_str(), "re"), close);
  std::array<char, 512> text{};
  bool any = false;
  while (pipe && std::fgets(text.data(), text.size(), pipe.get()) != nullptr) {
    if (std::optional<Line> line = read_line(text.data())) {
      any = true;
      take(*line);
    }
  }
  return any;
}

class AgainstObjdump : public ::testing::TestWithParam<const char*> {};

TEST_P(AgainstObjdump, InstructionsReadAlike) {
  if (::access(GetParam(), R_OK) != 0) GTEST_SKIP() << "there is no " << GetParam() << " here";
  size_t all = 0, alike = 0;
  std::map<std::string, size_t> others;
  bool any = for_each_line(GetParam(), [&](const Line& line) {
    constexpr std::byte kWait{0x9b};  // objdump merges it with the next instruction
    if (line.code.front() == kWait) return;
    std::string ours = disassemble(line.code, line.address).front().text;
    ++all;
    if (without_implied_segments(ours) == without_implied_segments(line.text))
      ++alike;
    else if (others.size() < 4000)
      ++others[line.text.substr(0, line.text.find(' ')) + ": " + line.text + " | " + ours];
  });
  if (!any) GTEST_SKIP() << "objdump does not show " << GetParam();
  EXPECT_GE(static_cast<double>(alike), 0.9999 * static_cast<double>(all)) << alike << " of " << all;
  size_t shown = 0;
  for (const auto& [text, count] : others) {
    if (HasFailure() && shown++ < 200) std::printf("%zu %s\n", count, text.c_str());
  }
}

INSTANTIATE_TEST_SUITE_P(Files, AgainstObjdump,
                         ::testing::Values("/lib/x86_64-linux-gnu/libc.so.6",
                                           "/lib/x86_64-linux-gnu/libm.so.6", "/usr/bin/perl"),
                         [](const auto& each) { return std::to_string(each.index); });

}  // namespace
}  // namespace hm::symbol
