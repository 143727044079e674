// SPDX-License-Identifier: MIT
#include "app/measure/sampling_arguments.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <array>
#include <bit>
#include <charconv>
#include <sstream>
#include <vector>

#include "base/byte_size.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::measure {
namespace {

struct BranchWord {
  std::string_view word;
  std::string_view alias;
  uint64_t kernel;
  uint32_t soft;  // 0: hardware only
};

// perf-record(1), "--branch-filter".
constexpr auto kBranchWords = std::to_array<BranchWord>({
    {"any", "", PERF_SAMPLE_BRANCH_ANY, soft::kBranchAny},
    {"call", "any_call", PERF_SAMPLE_BRANCH_ANY_CALL, soft::kBranchCall},
    {"ret", "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN, soft::kBranchReturn},
    {"ind_call", "", PERF_SAMPLE_BRANCH_IND_CALL, 0},
    {"ind_jmp", "", PERF_SAMPLE_BRANCH_IND_JUMP, 0},
    {"cond", "", PERF_SAMPLE_BRANCH_COND, 0},
    {"u", "", PERF_SAMPLE_BRANCH_USER, 0},
    {"k", "", PERF_SAMPLE_BRANCH_KERNEL, 0},
});

const BranchWord* branch_word(std::string_view word) {
  for (const BranchWord& each : kBranchWords) {
    if (each.word == word || (!each.alias.empty() && each.alias == word)) return &each;
  }
  return nullptr;
}

// Splits the list at commas.
std::vector<std::string> words_in(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream rest(list);
  for (std::string word; std::getline(rest, word, ',');) words.push_back(word);
  if (words.empty()) words.emplace_back();
  return words;
}

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

std::optional<uint64_t> parse_occupancy(std::string_view words) {
  constexpr uint64_t kMaxMs = 60000;
  uint64_t ms = 0;
  auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), ms);
  bool whole = error == std::errc() && end == words.data() + words.size();
  return whole && ms >= 1 && ms <= kMaxMs ? std::optional(ms) : std::nullopt;
}

}  // namespace

std::optional<uint64_t> take_time_unit(std::string_view& word) {
  constexpr std::pair<std::string_view, uint64_t> kUnits[] = {
      {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
  for (auto [suffix, nanoseconds] : kUnits) {
    if (!word.ends_with(suffix)) continue;
    word.remove_suffix(suffix.size());
    return nanoseconds;
  }
  return std::nullopt;
}

std::optional<Period> parse_period(std::string_view word) {
  std::optional<uint64_t> time_unit = take_time_unit(word);
  uint64_t unit = time_unit.value_or(1);
  std::optional<uint64_t> number = whole_number(word);
  constexpr uint64_t kMost = uint64_t{1} << 62;  // the kernel refuses the highest bit
  if (!number || *number == 0 || *number > kMost / unit) return std::nullopt;
  return Period{*number * unit, time_unit.has_value()};
}

std::optional<double> parse_percent(std::string_view word) {
  if (word.ends_with('%')) word.remove_suffix(1);
  double percent = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), percent);
  bool good = error == std::errc() && end == word.data() + word.size() && percent > 0 && percent <= 100;
  return good ? std::optional(percent / 100) : std::nullopt;
}

std::optional<uint64_t> kernel_branches(const std::string& list) {
  uint64_t bits = 0;
  for (const std::string& word : words_in(list)) {
    const BranchWord* known = branch_word(word);
    if (known == nullptr) return std::nullopt;
    bits |= known->kernel;
  }
  constexpr uint64_t kModes = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL;
  return (bits & ~kModes) == 0 ? bits | PERF_SAMPLE_BRANCH_ANY : bits;
}

std::optional<uint32_t> soft_branches(const std::string& list) {
  uint32_t bits = 0;
  for (const std::string& word : words_in(list)) {
    const BranchWord* known = branch_word(word);
    if (known == nullptr || known->soft == 0) return std::nullopt;
    bits |= known->soft;
  }
  return bits;
}

std::optional<CallGraph> parse_call_graph(std::string_view words) {
  using enum linux_pmu::CallChains;
  if (words.empty() || words == "no") return CallGraph{};
  if (words == "fp") return CallGraph{.how = kFramePointer};
  if (words == "lbr") return CallGraph{.how = kLastBranch};
  if (words == "dwarf") return CallGraph{.how = kDwarf};
  constexpr std::string_view kDwarfWith = "dwarf,";
  if (!words.starts_with(kDwarfWith)) return std::nullopt;
  // A sample must fit into a record of 64 KiB; the kernel requires multiples of 8.
  constexpr uint64_t kMaxBytes = 65528;
  std::optional<uint64_t> bytes = whole_number(words.substr(kDwarfWith.size()));
  if (!bytes || *bytes == 0 || *bytes > kMaxBytes || *bytes % 8 != 0) return std::nullopt;
  return CallGraph{kDwarf, static_cast<uint32_t>(*bytes)};
}

uint64_t occupancy_ms_of(const SamplingOptions& options) {
  constexpr uint64_t kUsualMs = 100;
  if (options.occupancy.empty()) return 0;
  return options.occupancy == "true" ? kUsualMs : *parse_occupancy(options.occupancy);
}

CallGraph call_graph_of(const SamplingOptions& options) {
  std::string_view words = options.call_graph;
  return *parse_call_graph(words.empty() && options.call_chains ? "dwarf" : words);
}

namespace {

constexpr uint64_t kMaxSets = uint64_t{1} << 24;

// Parses SETS-SETS,WAYS, with an additional block size if `has_block`; nullopt for other texts.
std::optional<model::SizeRange> parse_size_range(std::string_view words, bool has_block) {
  constexpr uint64_t kMaxBlock = uint64_t{1} << 30;
  size_t dash = words.find('-'), comma = words.find(','), second = words.find(',', comma + 1);
  if (dash > comma || comma == std::string_view::npos || (second != std::string_view::npos) != has_block)
    return std::nullopt;
  std::optional<uint64_t> least = whole_number(words.substr(0, dash)),
                          most = whole_number(words.substr(dash + 1, comma - dash - 1)),
                          ways = whole_number(words.substr(comma + 1, second - comma - 1));
  bool good = least && most && ways && std::has_single_bit(*least) && std::has_single_bit(*most) &&
              *least <= *most && *most <= kMaxSets && *ways >= 1 && *ways <= model::kMaxCacheWays &&
              static_cast<uint32_t>(std::countr_zero(*most / *least)) < model::kMaxSetCounts;
  if (!good) return std::nullopt;
  model::SizeRange range{static_cast<uint32_t>(*least),
                         static_cast<uint32_t>(std::countr_zero(*most / *least)) + 1,
                         static_cast<uint32_t>(*ways)};
  if (!has_block) return range;
  std::optional<uint64_t> block = parse_byte_size(words.substr(second + 1));
  if (!block || !std::has_single_bit(*block) || *block < 2 || *block > kMaxBlock) return std::nullopt;
  range.block_shift = static_cast<unsigned>(std::countr_zero(*block));
  return range;
}

// Parses N: one set in N is simulated. At least kSizeBatches sets of the smallest cache must remain.
Status take_sampled_sets(std::string_view words, model::SizeRange& range) {
  std::optional<uint64_t> one_in = whole_number(words);
  if (!one_in || !std::has_single_bit(*one_in) || *one_in * model::kSizeBatches > range.min_sets)
    return make_error(ErrorCode::kInvalidArgument,
                      "/{} is not valid: give a power of two that leaves at least {} of {} sets", words,
                      model::kSizeBatches, range.min_sets);
  range.sampled_shift = static_cast<unsigned>(std::countr_zero(*one_in));
  return {};
}

}  // namespace

Result<model::SizeRanges> parse_sizes(std::string_view words) {
  constexpr model::SizeRange kUsual{64, 10, 16};  // up to 32 MiB with 64-byte lines
  if (words == "true") return model::SizeRanges{kUsual, {}};
  if (size_t slash = words.find('/'); slash != std::string_view::npos) {
    Result<model::SizeRanges> ranges =
        slash == 0 ? model::SizeRanges{kUsual, {}} : parse_sizes(words.substr(0, slash));
    if (!ranges) return ranges.error();
    if (ranges->further[0].set_counts != 0)
      return make_error(ErrorCode::kInvalidArgument,
                        "{}: a part of the sets can be simulated only if one range is given", words);
    if (Status taken = take_sampled_sets(words.substr(slash + 1), ranges->lines); !taken)
      return taken.error();
    return ranges;
  }
  model::SizeRanges ranges;
  std::string_view rest = words;
  for (uint32_t i = 0; i <= model::SizeRanges::kMaxFurther; ++i) {
    std::optional<model::SizeRange> range = parse_size_range(rest.substr(0, rest.find(':')), i != 0);
    if (!range) break;
    (i == 0 ? ranges.lines : ranges.further[i - 1]) = *range;
    if (rest.find(':') == std::string_view::npos) return ranges;
    rest.remove_prefix(rest.find(':') + 1);
  }
  return make_error(
      ErrorCode::kInvalidArgument,
      "{} is not a range of cache sizes: use SETS-SETS,WAYS (for example 64-32768,16), or SETS-SETS,WAYS/N to simulate one set in N. SETS are powers of two up to {}, the second at most {} times the first; WAYS is at most {}; up to {} more ranges may follow, each with another line or page size (for example :1-512,8,4K)",
      words, kMaxSets, 1u << (model::kMaxSetCounts - 1), model::kMaxCacheWays,
      model::SizeRanges::kMaxFurther);
}

std::string check_period(std::string& word) {
  return parse_period(word) ? ""
                            : fmt::format("{} is neither a number above 0 nor a time such as 100us", word);
}

std::string check_percent(std::string& word) {
  return parse_percent(word) ? "" : fmt::format("{} is not a percentage above 0, such as 5%", word);
}

std::string check_branches(std::string& list) {
  return kernel_branches(list) ? "" : fmt::format("{} is not a list of any, call, ret", list);
}

std::string check_occupancy(std::string& words) {
  return words == "true" || parse_occupancy(words)
             ? ""
             : words + " is not a number of milliseconds from 1 to 60000";
}

app::KeepSymbols keep_symbols_of(const SamplingOptions& options) {
  if (options.keep_symbols == "never") return app::KeepSymbols::kNever;
  return options.keep_symbols == "all" ? app::KeepSymbols::kAll : app::KeepSymbols::kLost;
}

std::string check_call_graph(std::string& words) {
  return parse_call_graph(words)
             ? ""
             : fmt::format("{} is not fp, dwarf, dwarf,BYTES (a multiple of 8), lbr or no", words);
}

std::string check_ring(std::string& kib) {
  std::optional<uint64_t> value = whole_number(kib);
  constexpr uint64_t kMaxKib = uint64_t{1} << 21;
  bool good = value && *value >= 4 && *value <= kMaxKib && std::has_single_bit(*value);
  return good ? "" : fmt::format("{} is not a power of two between 4 and {}", kib, kMaxKib);
}

}  // namespace hm::measure
