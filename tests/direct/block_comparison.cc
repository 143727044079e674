// SPDX-License-Identifier: MIT
#include "block_comparison.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

#include "support/paths.h"

namespace hm::direct_test {

using namespace soft_pmu_test;

namespace {

// Returns true for a run that faulted at an address where an engine may have its own memory.
bool is_wild(const Result& result) {
  uint64_t address = result.fault_address;
  bool close = address > kArena - kClose && address < kArena + kArenaBytes + kClose;
  return !close && address >= kReachStart && address < kReachEnd;
}

std::vector<Result> results_of(const std::string& text) {
  std::vector<Result> results;
  std::istringstream in(text);
  Result each;
  while (in >> std::hex >> each.hash >> each.fault_address >> std::dec >> each.signal >> std::hex >> each.rcx)
    results.push_back(each);
  return results;
}

bool is_same(const Result& natively, const Result& copied) {
  bool same = natively.hash == copied.hash && natively.fault_address == copied.fault_address &&
              natively.signal == copied.signal;
  return same || is_wild(natively);
}

// In the native run the file marks the faults of absent instructions; the engine is started without these
// features.
std::pair<Outcome, Outcome> run_both(const Words& options, uint32_t absent_features, const Words& what) {
  Words lacking = {"--absent-features", std::to_string(absent_features),
                   "--absent-begin",    std::to_string(kCodeBase),
                   "--absent-end",      std::to_string(kCodeBase + kCodeBytes)};
  const Words limited = {"timeout", "--signal=KILL", "30"};  // a block may have become an endless loop
  return {run(limited + Words{block_runner(), "absent"} + what),
          run(limited + under_engine(options + lacking, Words{block_runner()} + what))};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

Words under_engine(const Words& options, const Words& command) {
  return Words{test_paths::kHardmeter, "stat", "--pmu=soft", "--engine=direct", "-o", "/dev/null"} + options +
         Words{"--"} + command;
}

std::string hexadecimal(const std::vector<uint8_t>& code) {
  std::string text;
  for (uint8_t each : code) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += {kDigits[each >> 4], kDigits[each & 15], ' '};
  }
  return text;
}

std::string differences(const std::string& natively, const std::string& copied) {
  std::vector<std::string> left = lines_of(natively), right = lines_of(copied);
  std::string text, heading;
  unsigned shown = 0;
  for (size_t i = 0; i < left.size() && i < right.size() && shown < 12; ++i) {
    if (left[i].starts_with("case") || left[i].starts_with("run")) heading = left[i] + "\n";
    if (left[i] == right[i]) continue;
    text += std::exchange(heading, "") + "  natively " + left[i] + "\n  copied   " + right[i] + "\n";
    ++shown;
  }
  if (left.size() != right.size()) text += "one of them came to an end early\n";
  return text;
}

const std::string& block_runner() {
  static const std::string path = program("block_runner");
  return path;
}

void BlockFile::add(BlockHeader header, std::vector<uint8_t> code) {
  header.bytes = static_cast<uint32_t>(code.size());
  address_ += header.bytes + kJumpBytes;
  blocks_.push_back({header, std::move(code)});
}

void BlockFile::write(const std::string& path) const {
  std::ofstream file(path, std::ios::binary);
  for (const Entry& each : blocks_) {
    file.write(reinterpret_cast<const char*>(&each.header), sizeof(each.header));
    file.write(reinterpret_cast<const char*>(each.code.data()), each.header.bytes);
  }
}

Comparison compare(const BlockFile& file, const Words& options, uint32_t absent_features) {
  TemporaryFolder folder;
  file.write(folder.file("blocks"));
  auto [natively, copied] =
      run_both(options, absent_features, file.modes() + Words{"hash", folder.file("blocks")});
  Comparison comparison;
  comparison.natively = results_of(natively.out);
  if (natively.status != 0 || comparison.natively.size() != kRuns * file.size()) {
    comparison.failure = "the native run failed in block " +
                         std::to_string(comparison.natively.size() / kRuns) + ": " + natively.err;
    return comparison;
  }
  std::vector<Result> found = results_of(copied.out);
  for (size_t block = 0; block < found.size() / kRuns; ++block) {
    bool same = true;
    for (size_t i = block * kRuns; i < (block + 1) * kRuns; ++i)
      same &= is_same(comparison.natively[i], found[i]);
    if (!same) comparison.different.push_back(block);
  }
  if (found.size() < comparison.natively.size()) comparison.different.push_back(found.size() / kRuns);
  if (comparison.different.empty() && copied.status != 0) comparison.failure = copied.err;
  return comparison;
}

std::string explain(const BlockFile& file, size_t block, const Words& options, uint32_t absent_features) {
  TemporaryFolder folder;
  file.write(folder.file("blocks"));
  auto [natively, copied] = run_both(
      options, absent_features, file.modes() + Words{"show", folder.file("blocks"), std::to_string(block)});
  std::vector<uint8_t> code = file.code(block);
  code.erase(code.begin(), code.begin() + file.header(block).entry);
  return "block " + std::to_string(block) + ": " + hexadecimal(code) + "\n" +
         differences(natively.out, copied.out) + copied.err;
}

}  // namespace hm::direct_test
