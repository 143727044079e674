// SPDX-License-Identifier: MIT
#include "analysis/cause/advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/cause/event_subject.h"
#include "analysis/cause/gain.h"
#include "analysis/cause/library_advice.h"
#include "analysis/cause/object_advice.h"
#include "analysis/cause/shared_line.h"

namespace hm::cause {
namespace {

// Padding removes conflict misses: a fully associative cache of equal size would hit there. The lower bound
// assumes that padding spreads the lines over the sets at random.
Gain gain_of_padding(const Evidence& evidence) {
  return {evidence.conflict * evidence.kept_by_chance.value_or(0), evidence.conflict,
          "a fully associative cache of the same size would hit"};
}

bool several_fit_a_line(const Evidence& evidence) {
  return evidence.access_bytes != 0 && evidence.access_bytes < evidence.line_bytes;
}

// In memory order, each line is missed once for all of its elements instead of once per missed element.
std::optional<Gain> gain_of_order(const Evidence& evidence) {
  if (!several_fit_a_line(evidence)) return std::nullopt;
  double most = saved(evidence.access_bytes, evidence.line_bytes);
  Gain gain{most, most,
            fmt::format("in the order of memory {} accesses of {} bytes share a line",
                        evidence.line_bytes / evidence.access_bytes, evidence.access_bytes)};
  if (evidence.one_element) {
    gain.low = std::clamp(1 - evidence.one_element->high, 0.0, most);
    gain.high = std::clamp(1 - evidence.one_element->low, 0.0, most);
  }
  return gain;
}

// In memory order, each page is missed once for all of its elements. In blocks, each page is missed once for
// a line's worth of elements.
std::optional<Gain> gain_of_page_order(const Evidence& evidence) {
  if (!several_fit_a_line(evidence)) return std::nullopt;
  uint64_t row = std::min(magnitude(evidence.walk.step_bytes.value_or(kPageBytes)), kPageBytes);
  if (row < evidence.line_bytes) return std::nullopt;
  return Gain{
      saved(evidence.access_bytes, evidence.line_bytes), saved(evidence.access_bytes, row),
      fmt::format("in blocks {} accesses of {} bytes share a page's translation, in the order of memory {}",
                  evidence.line_bytes / evidence.access_bytes, evidence.access_bytes,
                  row / evidence.access_bytes)};
}

// Returns true if each line is missed only once. Another order of the pass then gains nothing.
bool misses_lines_once(const Evidence& evidence) {
  constexpr double kNearlyAll = 0.9;
  return evidence.one_element && evidence.one_element->value >= kNearlyAll;
}

// Returns true if the cache is too small for blocking: it must hold, per block, a line's worth of rows, and
// other data as well.
bool keeps_no_block(const Evidence& evidence) {
  constexpr uint64_t kMinBlocks = 4;
  return evidence.lines_kept && several_fit_a_line(evidence) &&
         *evidence.lines_kept < kMinBlocks * (evidence.line_bytes / evidence.access_bytes);
}

// Blocking removes capacity misses: data that stays cached from one pass to the next is not missed again.
std::optional<Gain> gain_of_blocks(const Evidence& evidence) {
  if (evidence.capacity == 0) return std::nullopt;
  return Gain{0, evidence.capacity, "at most the capacity misses"};
}

// Returns true if a loop steps through elements and uses at most half of each.
bool leaves_most_unused(const Evidence& evidence) {
  bool steady = evidence.walk.shape == Shape::kSequential || evidence.walk.shape == Shape::kStrided;
  if (!steady || evidence.used_bytes == 0 || 2 * evidence.used_bytes > evidence.element_bytes) return false;
  uint64_t step = magnitude(evidence.walk.step_bytes.value_or(0));
  return step <= std::max(evidence.element_bytes, evidence.line_bytes) + evidence.line_bytes;
}

// Cost is counted in lines, not bytes. An element larger than a line costs one line for its used part; after
// the split, each line's worth of used parts costs one line.
std::optional<Gain> gain_of_split(const Evidence& evidence) {
  double part = saved(evidence.used_bytes, std::min(evidence.element_bytes, evidence.line_bytes));
  if (part == 0) return std::nullopt;
  return Gain{part, part,
              fmt::format("this loop uses {} of {} bytes", evidence.used_bytes, evidence.element_bytes)};
}

// Nodes in an array share lines. Lower bound: nodes unchanged. Upper bound: nodes without pointers and
// without members that this loop does not use.
std::optional<Gain> gain_of_array(const Evidence& evidence) {
  constexpr uint64_t kPointerBytes = 8;
  // The type may be unknown, or that of a member: a node is as large as its block.
  uint64_t node_bytes = std::max(evidence.element_bytes, evidence.separate_blocks ? evidence.block_bytes : 0);
  if (node_bytes == 0 || evidence.used_bytes <= kPointerBytes) return std::nullopt;
  return Gain{saved(node_bytes, evidence.line_bytes),
              saved(evidence.used_bytes - kPointerBytes, evidence.line_bytes),
              fmt::format("this loop uses {} of a node's {} bytes, its pointer included", evidence.used_bytes,
                          node_bytes)};
}

// Sorted indices miss each target line once; unsorted indices may miss on each look-up. The lower bound is 0
// because the number of look-ups per line in one pass is unknown.
std::optional<Gain> gain_of_sorted_indices(const Evidence& evidence) {
  std::optional<Gain> gain = gain_of_order(evidence);
  if (gain) gain->low = 0;
  return gain;
}

// A prefetch can be issued iterations ahead because the address does not depend on missed data.
Gain gain_of_prefetch() { return {0, 1, "at most all (upper bound): the addresses are known early"}; }

Gain gain_of_fewer_bytes() {
  return {0, 1, "in proportion to the bytes that are read: half the bytes, half the misses"};
}

// Memory that is reused is not touched for the first time. The lower bound is 0 because the reused memory may
// have left the cache in the meantime.
Gain gain_of_reused_memory(const Evidence& evidence) {
  return {0, evidence.compulsory, "these lines are used for the first time, so no cache holds them"};
}

// Packing the executed code densely leaves misses only if the hot code alone exceeds the cache.
std::optional<Gain> gain_of_denser_code(const Evidence& evidence) {
  double for_size = evidence.capacity + evidence.conflict;
  if (for_size == 0) return std::nullopt;
  return Gain{0, for_size, "at most the capacity and conflict misses"};
}

std::optional<Gain> gain_of_huge_pages(const Evidence& evidence) {
  if (!evidence.huge_pages) return std::nullopt;
  return Gain{*evidence.huge_pages, *evidence.huge_pages,
              "a TLB with the same number of 2-MiB pages would hit"};
}

std::optional<Gain> gain_of_alignment(const Evidence& evidence) {
  if (evidence.access_bytes == 0 || evidence.access_bytes > evidence.line_bytes) return std::nullopt;
  if (evidence.copies_or_compares)
    return Gain{0, 1, "at most all, if both its buffers have the same alignment"};
  return Gain{1, 1, fmt::format("{} aligned bytes lie in one line", evidence.access_bytes)};
}

// Distinguishes two causes of a blocked load: it reads part of an older store, or its page offset equals that
// of a store to another page.
Advice advise_on_replays(const Evidence& evidence) {
  if (!evidence.aliases)
    return {Pattern::kStoreForwardBlocked,
            Gain{0, 1, "at most all, if the store wrote a part of the loaded bytes"}};
  double blocked = 1 - *evidence.aliases;
  if (blocked >= kDecides)
    return {Pattern::kStoreForwardBlocked,
            Gain{blocked, blocked, "a load of bytes that one store wrote does not wait"}};
  return {Pattern::kStoreForwardBlocked,
          Gain{0, *evidence.aliases, "their stores wrote to other pages, at the same offset"},
          "move the loaded or the stored data by a few lines within its page"};
}

// Separate lines remove false sharing: other cores no longer invalidate the line.
Gain gain_of_apartness(const Evidence& evidence) {
  return {evidence.false_sharing, evidence.false_sharing + evidence.sharing,
          "another core had written other bytes of the line"};
}

// Gain of a cache partition for the program, as large as the part that the program may allocate into.
Gain gain_of_a_cache_of_its_own(const Evidence& evidence) {
  return {evidence.other_program, evidence.other_program,
          "the program alone would find these lines in the cache"};
}

// For true sharing without a lock, only the programmer can find a remedy, so no advice is given.
std::optional<Advice> advise_on_sharing(const Evidence& evidence) {
  if (evidence.exchanges)
    return Advice{Pattern::kSpinLock, Gain{0, 1, "at most the exchanges of waiting threads"}};
  if (evidence.line_is_exchanged)
    return Advice{Pattern::kSpinLock,
                  Gain{0, evidence.true_sharing + evidence.false_sharing + evidence.sharing,
                       "at most the misses caused by exchanges of waiting threads"}};
  if (evidence.false_sharing < evidence.true_sharing) return std::nullopt;
  return Advice{Pattern::kFalseSharing, gain_of_apartness(evidence)};
}

// Returns true if most lines were never used before. Neither another order nor a larger cache saves these
// misses.
bool first_touches_decide(const Evidence& evidence) { return evidence.compulsory >= kDecides; }

Advice advise_on_amount(const Evidence& evidence) {
  if (first_touches_decide(evidence)) return {Pattern::kColdScan, gain_of_fewer_bytes()};
  return {Pattern::kWorkingSetTooLarge, gain_of_blocks(evidence)};
}

// Returns true if, according to the surrounding code, each line contributes one element of at most half a
// line. Covers records of unknown type.
bool uses_little_of_lines(const Evidence& evidence) {
  return evidence.element_bytes == 0 && evidence.used_bytes != 0 &&
         2 * evidence.used_bytes <= evidence.line_bytes;
}

Gain gain_of_split_lines(const Evidence& evidence) {
  return {0, saved(evidence.used_bytes, evidence.line_bytes),
          fmt::format("this loop accesses only {} bytes of each line", evidence.used_bytes)};
}

Advice advise_on_stride(const Evidence& evidence) {
  if (misses_lines_once(evidence) || first_touches_decide(evidence)) {
    if (!uses_little_of_lines(evidence)) return advise_on_amount(evidence);
    return {Pattern::kHotAndColdFields, gain_of_split_lines(evidence)};
  }
  if (keeps_no_block(evidence))
    return {Pattern::kPowerOfTwoStride, gain_of_order(evidence),
            "interchange the loops, or pad the rows and work in blocks"};
  return {Pattern::kColumnWalk, gain_of_order(evidence)};
}

// If there are no indices to sort, or only one element per line is looked up, the remedy is a prefetch. A
// prefetch does not help if the address depends on a list node.
Advice advise_on_look_ups(const Evidence& evidence) {
  if (evidence.walk.source == symbol::AddressSource::kBesideChase)
    return {Pattern::kPointerChase, std::nullopt,
            "keep the fields that this loop reads in the nodes themselves"};
  std::optional<Gain> gain = gain_of_sorted_indices(evidence);
  bool by_a_table = evidence.walk.source == symbol::AddressSource::kLoadedInOrder;
  if (!by_a_table || !gain || misses_lines_once(evidence))
    return {Pattern::kBigRandomTable, gain_of_prefetch()};
  return {Pattern::kBigRandomTable, gain, "sort the indices into bins, or prefetch the indexed data"};
}

bool is_scattered(Shape shape) {
  return shape == Shape::kPointerChase || shape == Shape::kIndirect || shape == Shape::kComputed ||
         shape == Shape::kIrregular;
}

// Returns advice on the data structure that the place belongs to. First touches come first: they are missed
// in any structure, unless it needs fewer lines.
std::optional<Advice> advise_on_structure(const Evidence& evidence) {
  bool scattered = is_scattered(evidence.walk.shape);
  if (first_touches_decide(evidence))
    return scattered ? std::optional(Advice{Pattern::kFirstTouches, gain_of_reused_memory(evidence)})
                     : std::nullopt;
  bool of_nodes = scattered || evidence.separate_blocks;
  if (of_nodes || evidence.walk.shape == Shape::kNotClear) {
    if (std::optional<Advice> advice = advise_on_container(evidence)) return advice;
  }
  return of_nodes ? advise_on_objects(evidence) : std::nullopt;
}

Advice advise_on_walk(const Evidence& evidence) {
  bool has_rows = evidence.walk.shape != Shape::kPointerChase;
  if (evidence.conflict >= kDecides && has_rows) {
    std::string_view of_frames = "use huge pages, or pages of other colours: `hardmeter map` shows which";
    return {Pattern::kPowerOfTwoStride, gain_of_padding(evidence), evidence.physical ? of_frames : ""};
  }
  if (std::optional<Advice> of_objects = advise_on_structure(evidence)) return *of_objects;
  if (leaves_most_unused(evidence)) return {Pattern::kHotAndColdFields, gain_of_split(evidence)};
  switch (evidence.walk.shape) {
    case Shape::kStrided:
      return advise_on_stride(evidence);
    case Shape::kPointerChase:
      return {Pattern::kPointerChase, gain_of_array(evidence)};
    case Shape::kIndirect:
      return advise_on_look_ups(evidence);
    case Shape::kComputed:
      return {Pattern::kBigRandomTable, gain_of_prefetch()};
    case Shape::kIrregular:
      return {Pattern::kBigRandomTable, std::nullopt};
    default:
      return advise_on_amount(evidence);
  }
}

// For strides of a page or more, another loop order is the remedy.
Advice advise_on_tlb(const Evidence& evidence) {
  if (evidence.walk.shape == Shape::kStrided) return {Pattern::kColumnWalk, gain_of_page_order(evidence)};
  if (evidence.walk.shape == Shape::kPointerChase)
    return {Pattern::kPointerChase, gain_of_huge_pages(evidence), "huge pages, or the nodes in an array"};
  if (evidence.walk.shape == Shape::kSequential)
    return {Pattern::kColdScan, gain_of_fewer_bytes(), "denser data, one pass less, or huge pages"};
  return {Pattern::kBigRandomTable, gain_of_huge_pages(evidence)};
}

}  // namespace

std::optional<Advice> advise(const Evidence& evidence) {
  std::string_view event = evidence.event;
  double sharing = evidence.true_sharing + evidence.false_sharing + evidence.sharing;
  bool knows_classes =
      evidence.compulsory + evidence.capacity + evidence.conflict + sharing + evidence.other_program > 0;
  if (is_one_of(event, {"split_load_retired", "split_load_miss", "split_store_miss"}))
    return Advice{Pattern::kSplitAccess, gain_of_alignment(evidence)};
  if (event == "mob_load_replay_retired") return advise_on_replays(evidence);
  if (is_about_code(event)) return Advice{Pattern::kInstructionMisses, gain_of_denser_code(evidence)};
  if (is_about_data_tlb(event)) {
    if (evidence.walk.shape == Shape::kUnknown) return std::nullopt;
    return advise_on_tlb(evidence);
  }
  bool may_be_shared = is_about_data_caches(event) || event == "shared_line_hit";
  if (may_be_shared && !is_one_of(event, {"l3_cache_miss", "dram_wait"}) && sharing >= kDecides)
    return advise_on_sharing(evidence);
  if (!is_about_data_caches(event)) return std::nullopt;
  if (evidence.other_program >= kDecides)
    return Advice{Pattern::kNoisyNeighbour, gain_of_a_cache_of_its_own(evidence)};
  if (!knows_classes && evidence.walk.shape == Shape::kUnknown) return std::nullopt;
  return advise_on_walk(evidence);
}

}  // namespace hm::cause
