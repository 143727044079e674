// SPDX-License-Identifier: MIT
#include "encoding_batch.h"

#include <algorithm>

#include "block_start.h"
#include "measuring.h"
#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::direct_test {

using namespace soft_pmu_test;

namespace {

constexpr size_t kMaxShown = 10;
constexpr uint8_t kNop = 0x90;

std::string disassembly(const std::vector<uint8_t>& bytes) {
  ZydisDisassembledInstruction out;
  bool known =
      ZYAN_SUCCESS(ZydisDisassembleIntel(ZYDIS_MACHINE_MODE_LONG_64, 0, bytes.data(), bytes.size(), &out));
  return known ? out.text : "no instruction that Zydis knows";
}

bool operator==(const AccessCounts& left, const AccessCounts& right) {
  return left.loads == right.loads && left.stores == right.stores;
}

std::string text_of(const AccessCounts& counts) {
  return std::to_string(counts.loads) + " loads and " + std::to_string(counts.stores) + " stores";
}

AccessCounts measure(const std::string& path, size_t begin, size_t end, const Words& options) {
  choose_engine("direct");
  Counts counts = count(Words{"-e", "memory_loads,memory_stores"} + options,
                        {block_runner(), "range", path, std::to_string(begin), std::to_string(end)});
  return {counts["memory_loads"], counts["memory_stores"]};
}

// Blocks that differ from those of another file only in that their instructions are no-operations.
class CountedBlocks {
 public:
  void add(const Encoding& encoding, bool is_left_out) {
    BlockHeader header = encoding.header;
    header.is_left_out = is_left_out;
    instructions_.add(header, encoding.code);
    std::vector<uint8_t> code = encoding.code;
    std::fill(code.end() - static_cast<std::ptrdiff_t>(encoding.bytes.size()), code.end(), kNop);
    nops_.add(header, code);
  }

  // Returns what the instructions of blocks `begin` to `end` - 1 access.
  [[nodiscard]] AccessCounts count(size_t begin, size_t end, const Words& options) const {
    TemporaryFolder folder;
    std::string path = folder.file("blocks");
    instructions_.write(path);
    AccessCounts all = measure(path, begin, end, options);
    nops_.write(path);
    AccessCounts others = measure(path, begin, end, options);
    return {all.loads - others.loads, all.stores - others.stores};
  }

 private:
  BlockFile instructions_, nops_;
};

}  // namespace

EncodingBatch::EncodingBatch(uint64_t seed, uint64_t count)
    : seed_(seed), decoder_(soft::direct::oracle_decoder()) {
  EncodingGenerator generator(seed);
  for (uint64_t i = 0; i < count; ++i) {
    encodings_.push_back(generator.next(file_.next_address()));
    file_.add(encodings_.back().header, encodings_.back().code);
  }
}

std::string EncodingBatch::description(size_t encoding) const {
  const auto& bytes = encodings_[encoding].bytes;
  return "seed " + std::to_string(seed_) + ": " + hexadecimal(bytes) + "(" + disassembly(bytes) + ")\n";
}

std::vector<std::string> EncodingBatch::different_states(const Words& options) {
  Comparison comparison = compare(file_, options);
  std::vector<std::string> texts;
  if (!comparison.failure.empty()) {
    texts.push_back("seed " + std::to_string(seed_) + ": " + comparison.failure + "\n");
    return texts;
  }
  for (size_t i = 0; i < comparison.different.size() && i < kMaxShown; ++i) {
    size_t block = comparison.different[i];
    texts.push_back(description(block) + explain(file_, block, options));
  }
  find_counted(comparison.natively);
  return texts;
}

void EncodingBatch::find_counted(const std::vector<Result>& natively) {
  counted_.resize(encodings_.size());
  for (size_t i = 0; i < encodings_.size(); ++i) {
    AccessCounts sum;
    size_t run = 0;
    for (; run < kRuns; ++run) {
      const Result& result = natively[i * kRuns + run];
      State before = start_state(encodings_[i].header.seed + run);
      before.registers[kStackPointerOfState] += sizeof(uint64_t);  // the block has popped its flags
      auto counts = count_accesses(decoder_, encodings_[i].bytes, before, result);
      if (result.signal != 0 || !counts) break;
      sum.loads += counts->loads;
      sum.stores += counts->stores;
    }
    if (run == kRuns) counted_[i] = sum;
  }
}

size_t EncodingBatch::counted() const {
  return static_cast<size_t>(
      std::ranges::count_if(counted_, [](const auto& each) { return each.has_value(); }));
}

AccessCounts EncodingBatch::expected(size_t begin, size_t end) const {
  AccessCounts sum;
  for (size_t i = begin; i < end; ++i) {
    sum.loads += counted_[i].value_or(AccessCounts{}).loads;
    sum.stores += counted_[i].value_or(AccessCounts{}).stores;
  }
  return sum;
}

std::string EncodingBatch::different_counts(const Words& options) {
  CountedBlocks blocks;
  for (size_t i = 0; i < counted_.size(); ++i) blocks.add(encodings_[i], !counted_[i].has_value());
  size_t begin = 0, end = counted_.size();
  AccessCounts found = blocks.count(begin, end, options);
  if (found == expected(begin, end)) return "";
  while (end - begin > 1) {
    size_t middle = begin + (end - begin) / 2;
    found = blocks.count(begin, middle, options);
    found == expected(begin, middle) ? begin = middle : end = middle;
  }
  found = blocks.count(begin, end, options);
  return description(begin) + "  expected " + text_of(expected(begin, end)) + "\n  counted  " +
         text_of(found) + "\n";
}

}  // namespace hm::direct_test
