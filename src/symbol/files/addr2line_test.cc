// SPDX-License-Identifier: MIT
// Compares frames with binutils' addr2line, at every instruction of the test program's own code.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "base/shell_word.h"
#include "base/temporary_folder.h"
#include "support/paths.h"
#include "symbol/code/disassembly.h"
#include "symbol/files/dso.h"

namespace hm::symbol {
namespace {

const std::string kLineSubject = std::string(test_paths::kSubjects) + "/symbol_subject";

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string run(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  std::string out;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) out += static_cast<char>(c);
  return out;
}

// Removes the suffix of a function's cold part. The debug information has no entry for it, and addr2line is
// inconsistent about the suffix.
std::string without_cold(std::string text) {
  for (size_t at = text.find(".cold\n"); at != std::string::npos; at = text.find(".cold\n"))
    text.erase(at, 5);
  return text;
}

// Merges neighbouring frames of one function: addr2line gives one for each part of a function that was split
// and inlined again, and may give the part's name without its scope and parameters.
std::string without_parts(const std::string& text) {
  std::istringstream lines(text);
  std::string merged, before, place_before;
  for (std::string function, place; std::getline(lines, function) && std::getline(lines, place);) {
    bool is_part = !before.empty() && function.find(before) != std::string::npos;
    if (!before.empty() && !is_part) merged += fmt::format("{}\n{}\n", before, place_before);
    before = function;
    if (!is_part) place_before = place;
  }
  return before.empty() ? text : merged + fmt::format("{}\n{}\n", before, place_before);
}

// Returns addr2line's output for an address, without the address: for each frame a line with the function and
// a line with file:line.
std::string as_addr2line_writes(Dso& dso, uint64_t address) {
  std::string text;
  for (const Frame& frame : dso.frames_of_address(address)) {
    text += fmt::format("{}\n{}:{}\n", frame.function, base_name(frame.file), frame.line);
  }
  return text;
}

// Returns the addresses of all instructions in functions with debug information, which excludes the C
// runtime's start code.
std::vector<uint64_t> instruction_addresses(Dso& dso) {
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < dso.symbols().size(); ++i) {
    Symbol symbol = dso.symbols().at(i);
    if (dso.frames_of_address(symbol.start).front().line == 0) continue;
    Result<Bytes> code = dso.code(symbol.start, symbol.size);
    if (!code.ok()) continue;
    for (const Instruction& instruction : disassemble(*code, symbol.start)) {
      addresses.push_back(instruction.address);
    }
  }
  return addresses;
}

// Returns addr2line's output for each address. -s: without folders. Discriminators distinguish blocks on the
// same line.
std::vector<std::string> ask_addr2line(const std::vector<uint64_t>& addresses) {
  TemporaryFolder folder;
  std::string list = folder.file("addresses");
  std::ofstream input(list);
  for (uint64_t address : addresses) input << fmt::format("{:#x}\n", address);
  input.close();
  std::istringstream answers(run(shell_word(test_paths::kAddr2line) + " -aCfis -e " +
                                 shell_word(kLineSubject) + " < " + shell_word(list) +
                                 " | sed 's/ (discriminator [0-9]*)//'"));
  std::vector<std::string> texts;
  for (std::string line; std::getline(answers, line);) {
    if (line.starts_with("0x"))
      texts.emplace_back();
    else if (!texts.empty())
      texts.back() += line + '\n';
  }
  return texts;
}

TEST(Addr2line, AgreesAtEveryInstruction) {
  Dso dso(kLineSubject, "");
  std::vector<uint64_t> addresses = instruction_addresses(dso);
  ASSERT_GT(addresses.size(), 100u);
  std::vector<std::string> theirs = ask_addr2line(addresses);
  ASSERT_EQ(theirs.size(), addresses.size());
  for (size_t i = 0; i < addresses.size(); ++i) {
    ASSERT_EQ(without_cold(as_addr2line_writes(dso, addresses[i])), without_parts(without_cold(theirs[i])))
        << fmt::format("at {:#x}", addresses[i]);
  }
}

}  // namespace
}  // namespace hm::symbol
