// SPDX-License-Identifier: MIT
// Compares samples per function with perf report, for a recording that perf makes of a program on this
// machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

#include "analysis/hotspots/hotspots.h"
#include "base/temporary_folder.h"
#include "profile/loader.h"
#include "symbol/file_resolver.h"

namespace hm::hotspots {
namespace {

using Counts = std::map<std::string, uint64_t>;

std::string run(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  std::string out;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) out += static_cast<char>(c);
  return out;
}

// Converts a name to perf's form. perf omits parameters and prints the address of code without a symbol. It
// names only some stubs of the procedure linkage table, so all stubs count as nameless. Of two versions of a
// symbol at one address, perf chooses either.
std::string as_perf_names(std::string name) {
  if (name.starts_with('[') || name == ".plt" || name.ends_with("@plt")) return "(none)";
  name.resize(std::min(name.size(), name.find('@')));
  return name.substr(0, name.find('('));
}

// Parses lines of "SAMPLES|[.] FUNCTION" for user code. Kernel symbols may have several names per address, so
// their samples are summed.
Counts perf_counts(const std::string& recording) {
  std::istringstream lines(
      run("perf report -i " + recording +
          " --stdio --no-children -g none --no-inline -F sample,sym -t '|' 2>/dev/null"));
  Counts counts;
  for (std::string line; std::getline(lines, line);) {
    size_t at = line.find('|');
    if (line.starts_with('#') || at == std::string::npos) continue;
    std::string symbol = line.substr(at + 1);
    std::string name = symbol.substr(4, symbol.find_last_not_of(' ') - 3);
    bool kernel = symbol.starts_with("[k]");
    counts[kernel ? "(kernel)" : as_perf_names(name.starts_with("0x") ? "[" : name)] += std::stoull(line);
  }
  return counts;
}

Counts our_counts(const std::string& recording) {
  auto reader = record::Reader::open(recording);
  symbol::FileResolver resolver;
  auto profile = profile::load(*reader, resolver);
  Options options;
  options.inlines = false;
  Result<Hotspots> result = find_hotspots(*profile, resolver, options);
  Counts counts;
  for (const Row& row : result->rows) {
    bool kernel = row.dso == "[kernel.kallsyms]";
    counts[kernel ? "(kernel)" : as_perf_names(row.keys[0])] += row.counts[0].samples;
  }
  return counts;
}

TEST(PerfReport, CountsTheSameSamplesInEachFunction) {
  TemporaryFolder folder;
  std::string recording = folder.file("perf.data");
  std::string command =
      "perf record -q -F 4000 -e cpu-clock -g -o " + recording +
      " sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; ls -lR /usr/include >/dev/null'";
  run(command + " 2>/dev/null");
  if (!std::filesystem::exists(recording)) GTEST_SKIP() << "perf cannot record here";
  Counts perf = perf_counts(recording);
  ASSERT_FALSE(perf.empty());
  Counts ours = our_counts(recording);
  for (const auto& [function, samples] : perf) EXPECT_EQ(ours[function], samples) << function;
  for (const auto& [function, samples] : ours) EXPECT_EQ(samples, perf[function]) << function;
}

}  // namespace
}  // namespace hm::hotspots
