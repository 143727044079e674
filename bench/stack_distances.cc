// SPDX-License-Identifier: MIT
// Compares all sizes of a cache in one pass with a simulation of one size. Usage: stack_distances
// RECORDING..., each with every memory access of a program (memory_loads,memory_stores with -c 1). Prints a
// line per recording: accesses, million accesses a second of both, and their ratio. Then the rate with one
// set in 8, the median error in per cent of the exact value, and the percentage of intervals that contain the
// exact value. Rates are medians of some passes over the stream in memory.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "analysis/sizes/sampled_misses.h"
#include "model/cache.h"
#include "model/stack_distances.h"
#include "model/test_storage.h"
#include "record/reader.h"
#include "record/sample.h"

namespace hm {
namespace {

constexpr unsigned kLineShift = 6;
constexpr model::SetGeometry kOne{1024, 16};         // the paper's default
constexpr model::SizeRange kAll{128, 8, 16};         // 128 to 16384 sets, 1 to 16 ways
constexpr model::SizeRange kSome{128, 8, 16, 0, 3};  // one set in 8
constexpr int kPasses = 7;

// Errors of the estimates from a part of the sets: the median relative error, and the fraction of the 95 %
// intervals that contain the exact value. Covers caches that at least one access in 1000 misses.
struct Accuracy {
  double median_error, inside;
};
Accuracy accuracy_of(model::StackDistances& some, model::StackDistances& all) {
  std::vector<double> errors;
  double inside = 0;
  uint64_t accesses = all.counts().accesses;
  for (uint32_t i = 0; i < kAll.set_counts; ++i) {
    for (uint32_t ways = 1; ways <= kAll.ways; ++ways) {
      uint64_t exact = all.counts().misses(i, ways);
      if (exact * 1000 < accesses) continue;
      auto [misses, error] =
          sizes::sampled_misses({some.batches(), model::kSizeBatches}, accesses, kSome, i, ways);
      uint64_t off = misses > exact ? misses - exact : exact - misses;
      errors.push_back(static_cast<double>(off) / static_cast<double>(exact));
      inside += off <= error ? 1 : 0;
    }
  }
  std::ranges::sort(errors);
  return {errors[errors.size() / 2], inside / static_cast<double>(errors.size())};
}

std::vector<uint64_t> lines_of(const char* path) {
  std::vector<uint64_t> lines;
  Result<record::Reader> reader = record::Reader::open(path);
  if (!reader) {
    fmt::print(stderr, "{}\n", reader.error().message);
    return lines;
  }
  while (std::optional<record::Record> record = reader->next()) {
    if (record->type != PERF_RECORD_SAMPLE) continue;
    std::optional<size_t> event = reader->event_of(*record);
    if (!event) continue;
    Result<record::Sample> sample =
        record::decode_sample(reader->events()[*event].attr, record->payload, record->swap);
    if (sample && sample->addr != 0) lines.push_back(sample->addr >> kLineShift);
  }
  return lines;
}

// Returns million lines per second.
template <typename Access>
double rate_of(const std::vector<uint64_t>& lines, Access&& access) {
  std::vector<double> seconds;
  for (int pass = 0; pass < kPasses; ++pass) {
    auto begin = std::chrono::steady_clock::now();
    for (uint64_t line : lines) access(line);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(seconds);
  return static_cast<double>(lines.size()) / seconds[kPasses / 2] / 1e6;
}

int measure(const char* path) {
  std::vector<uint64_t> lines = lines_of(path);
  if (lines.empty()) return 1;
  model::InStorage<model::Cache> modelled(kOne);
  model::InStorage<model::StackDistances> one(model::SizeRange{kOne.sets, 1, kOne.ways});
  model::InStorage<model::StackDistances> all(kAll), some(kSome);
  uint64_t misses = 0;
  double of_modelled = rate_of(lines, [&](uint64_t line) { misses += modelled.object.access(line) ? 0 : 1; });
  double of_one = rate_of(lines, [&](uint64_t line) { one.object.access(line); });
  double of_all = rate_of(lines, [&](uint64_t line) { all.object.access(line); });
  double of_some = rate_of(lines, [&](uint64_t line) { some.object.access(line); });
  constexpr uint32_t kSame = 3;  // 128 << 3 is 1024
  uint64_t in_one_pass = all.object.counts().misses(kSame, kOne.ways);
  if (in_one_pass != misses) {
    fmt::print(stderr, "{}: {} misses in one pass over all sizes, {} of the one\n", path, in_one_pass,
               misses);
    return 1;
  }
  Accuracy accuracy = accuracy_of(some.object, all.object);
  fmt::print("{} {} {:.0f} {:.0f} {:.0f} {:.2f} {:.0f} {:.1f} {:.0f}\n", path, lines.size(), of_modelled,
             of_one, of_all, std::max(of_modelled, of_one) / of_all, of_some, accuracy.median_error * 100,
             accuracy.inside * 100);
  return 0;
}

}  // namespace
}  // namespace hm

int main(int count, char** arguments) {
  int status = 0;
  for (int i = 1; i < count; ++i) status |= hm::measure(arguments[i]);
  return status;
}
