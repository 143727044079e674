// SPDX-License-Identifier: MIT
// Runs a program under the software PMU and prints the values of the figures of Ogawa and Hiraki, "An
// Estimation for CPU cache usage condition with TLB Information", as comma-separated values: figure, sets,
// page_bytes, entries, ways, tlb, value, intervals. Values are means over the intervals.
//
//   tlb_paper INSTRUCTIONS INTERVAL OUTPUT PROGRAM [ARGUMENTS...]
//
// The program is ended after INSTRUCTIONS instructions. Standard output shows the progress, a line per
// interval.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <string_view>
#include <tuple>

#include "access_stream.h"
#include "tlb_paper/figures.h"
#include "tlb_paper/simulation.h"

namespace hm::tlb_paper {
namespace {

constexpr std::array<size_t, 5> kEntries{8, 16, 32, 64, 128};
constexpr size_t kUsualSets = 3, kUsualPage = 3;  // 1024 sets, pages of 8 KiB

struct Setting {
  std::string_view figure;
  uint32_t sets;
  uint64_t page_bytes;
  size_t entries;
  uint32_t ways;
  std::string_view tlb;
  auto operator<=>(const Setting&) const = default;
};

struct Mean {
  double sum = 0;
  uint64_t count = 0;
};

// The figures' values, interval by interval.
class Figures {
 public:
  void add(const Simulation& simulation) {
    for (size_t sets = 0; sets < kSets.size(); ++sets) {
      for (size_t page = 0; page < kPageShifts.size(); ++page) add(simulation, sets, page);
    }
    for (uint32_t ways = 1; ways < kWays; ways *= 2)
      add_cached(simulation, kUsualSets, kUsualPage, ways, false);
  }

  [[nodiscard]] std::string lines() const {
    std::string lines = "figure,sets,page_bytes,entries,ways,tlb,value,intervals\n";
    for (const auto& [at, mean] : means_) {
      lines += fmt::format("{},{},{},{},{},{},{:.6f},{}\n", at.figure, at.sets, at.page_bytes, at.entries,
                           at.ways, at.tlb, mean.sum / static_cast<double>(mean.count), mean.count);
    }
    return lines;
  }

 private:
  void add(const Simulation& simulation, size_t sets, size_t page) {
    for (bool split : {false, true}) {
      if (split && (sets != kUsualSets || page != kUsualPage)) continue;
      add_cached(simulation, sets, page, kWays, split);
      add_required(simulation, sets, page, split);
    }
  }

  void add_cached(const Simulation& simulation, size_t sets, size_t page, uint32_t ways, bool split) {
    for (size_t entries : kEntries) {
      std::vector<uint64_t> pages = simulation.tlb(page, entries, split);
      if (pages.empty()) continue;
      std::vector<bool> cached = simulation.cached(sets, page, ways, pages);
      auto share = static_cast<double>(std::ranges::count(cached, true)) / static_cast<double>(pages.size());
      note({"cached", kSets[sets], uint64_t{1} << kPageShifts[page], entries, ways, word(split)}, share);
    }
  }

  void add_required(const Simulation& simulation, size_t sets, size_t page, bool split) {
    RegionHits hits = simulation.hits(sets, page);
    model::CacheRegions regions({kSets[sets], kWays}, 1u << kLineShift, uint64_t{1} << kPageShifts[page]);
    std::vector<uint32_t> required(regions.count());
    for (size_t entries : kEntries) {
      std::vector<uint64_t> pages = simulation.tlb(page, entries, split);
      regions.require(pages.data(), pages.size(), required.data());
      Setting at{"covered", kSets[sets], uint64_t{1} << kPageShifts[page], entries, kWays, word(split)};
      note(at, covered_of_best(hits, required));
      at.figure = "concentration";
      note(at, concentration(hits, required));
    }
  }

  static std::string_view word(bool split) { return split ? "split" : "unified"; }

  void note(const Setting& setting, std::optional<double> value) {
    if (!value) return;
    Mean& mean = means_[setting];
    mean.sum += *value;
    ++mean.count;
  }

  std::map<Setting, Mean> means_;
};

// Processes all accesses of the program until it is ended.
class Evaluation {
 public:
  Evaluation(uint64_t most, uint64_t interval) : most_(most), interval_(interval) {}

  // Returns false after the last instruction to simulate.
  bool take(uint64_t address, bool is_fetch) {
    simulation_.access(address, is_fetch);
    if (is_fetch && ++instructions_ % interval_ == 0) end_interval();
    return instructions_ < most_;
  }

  [[nodiscard]] uint64_t instructions() const { return instructions_; }
  [[nodiscard]] const Figures& figures() const { return figures_; }

 private:
  void end_interval() {
    figures_.add(simulation_);
    simulation_.forget_hits();
    fmt::print("{}\n", instructions_);
    std::fflush(stdout);
  }

  uint64_t most_, interval_;
  uint64_t instructions_ = 0;
  Simulation simulation_;
  Figures figures_;
};

Status run(const std::vector<std::string>& words) {
  uint64_t numbers[2] = {};
  for (size_t i = 0; i < 2; ++i)
    std::from_chars(words[i].data(), words[i].data() + words[i].size(), numbers[i]);
  if (numbers[0] == 0 || numbers[1] == 0)
    return make_error(ErrorCode::kInvalidArgument, "the numbers of instructions must be above 0");
  Evaluation evaluation(numbers[0], numbers[1]);
  const auto take = [&](uint64_t address, bool is_fetch) { return evaluation.take(address, is_fetch); };
  Status streamed = bench::stream_accesses({words.begin() + 3, words.end()}, true, take);
  if (!streamed) return streamed;
  std::FILE* out = std::fopen(words[2].c_str(), "w");
  if (out == nullptr) return make_error(ErrorCode::kIo, "cannot write {}", words[2]);
  fmt::print(out, "# {} instructions\n{}", evaluation.instructions(), evaluation.figures().lines());
  return std::fclose(out) == 0 ? Status() : Status(make_error(ErrorCode::kIo, "cannot write {}", words[2]));
}

}  // namespace
}  // namespace hm::tlb_paper

int main(int count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 4) {
    fmt::print(stderr, "tlb_paper INSTRUCTIONS INTERVAL OUTPUT PROGRAM [ARGUMENTS...]\n");
    return 2;
  }
  hm::Status done = hm::tlb_paper::run(words);
  if (!done) fmt::print(stderr, "tlb_paper: {}\n", done.error().message);
  return done ? 0 : 1;
}
