// SPDX-License-Identifier: MIT
// Compares the predicted misses of programs that share a cache (hardmeter map --pair), made from each program
// alone, with a simulation of both.
//
//   corun stream ACCESSES FILE PROGRAM [ARGUMENTS...]   writes the lines of a program's first accesses
//   corun compare SETS WAYS FILE...                     prints a line for each pair of these files
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "access_stream.h"
#include "analysis/corun/corun_prediction.h"
#include "analysis/corun/test_programs.h"

namespace hm::bench {
namespace {

using Words = std::vector<std::string>;

uint64_t number_of(const std::string& word) {
  uint64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

int stream(const Words& words) {
  constexpr unsigned kLineShift = 6;
  uint64_t most = number_of(words[0]);
  std::vector<uint64_t> lines;
  lines.reserve(most);
  const auto take = [&](uint64_t address, bool) {
    if (lines.size() < most) lines.push_back(address >> kLineShift);
    return lines.size() < most;
  };
  if (Status streamed = stream_accesses({words.begin() + 2, words.end()}, false, take); !streamed) {
    fmt::print(stderr, "{}\n", streamed.error().message);
    return 1;
  }
  std::ofstream out(words[1], std::ios::binary);
  out.write(reinterpret_cast<const char*>(lines.data()), static_cast<std::streamsize>(lines.size() * 8));
  return out ? 0 : 1;
}

std::vector<uint64_t> lines_of(const std::string& path) {
  std::vector<uint64_t> lines(std::filesystem::file_size(path) / 8);
  std::ifstream in(path, std::ios::binary);
  in.read(reinterpret_cast<char*>(lines.data()), static_cast<std::streamsize>(lines.size() * 8));
  return lines;
}

// Prints: program, neighbour, alone, simulated extra, predicted extra, low, high; in misses per 1000
// accesses.
int compare(const Words& words) {
  model::SetGeometry cache{static_cast<uint32_t>(number_of(words[0])),
                           static_cast<uint32_t>(number_of(words[1]))};
  std::vector<std::vector<uint64_t>> streams;
  std::vector<corun::Program> programs;
  for (size_t i = 2; i < words.size(); ++i) {
    streams.push_back(lines_of(words[i]));
    programs.push_back(corun::program_of(std::filesystem::path(words[i]).filename(), streams.back(),
                                         {cache.sets, 1, std::max(cache.ways, 16u)}));
  }
  Result<corun::Corun> corun = corun::predict(programs, {cache, 64, 0});
  if (!corun) {
    fmt::print(stderr, "{}\n", corun.error().message);
    return 1;
  }
  for (const corun::Pair& pair : corun->pairs) {
    std::vector<double> together = corun::simulate_together(
        {&streams[pair.members[0].program], &streams[pair.members[1].program]}, cache);
    for (size_t i = 0; i < 2; ++i) {
      const corun::Member& member = pair.members[i];
      fmt::print("{} {} {:.3f} {:.3f} {:.3f} {:.3f} {:.3f}\n", programs[member.program].name,
                 programs[pair.members[1 - i].program].name, member.alone, together[i] - member.alone,
                 member.extra.value, member.extra.low, member.extra.high);
    }
  }
  return 0;
}

}  // namespace
}  // namespace hm::bench

int main(int count, char** arguments) {
  std::vector<std::string> words(arguments + std::min(count, 2), arguments + count);
  std::string_view what = count > 1 ? arguments[1] : "";
  if (what == "stream" && words.size() > 2) return hm::bench::stream(words);
  if (what == "compare" && words.size() > 3) return hm::bench::compare(words);
  fmt::print(stderr, "corun stream ACCESSES FILE PROGRAM..., or corun compare SETS WAYS FILE FILE...\n");
  return 2;
}
