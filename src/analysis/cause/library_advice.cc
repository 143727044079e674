// SPDX-License-Identifier: MIT
#include "analysis/cause/library_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/cause/gain.h"

namespace hm::cause {
namespace {

constexpr uint64_t kTreeLinks = 32;  // bytes of a tree node's links and colour, libstdc++ and libc++
constexpr uint64_t kListLinks = 16;  // bytes of a std::list node's links

uint64_t value_bytes(const Evidence& evidence, uint64_t links) {
  return evidence.separate_blocks && evidence.block_bytes > links ? evidence.block_bytes - links : 0;
}

// Returns the bytes of memory from one node to the next: of a line if the nodes lie in no order, otherwise of
// the allocator's block, with its header of 8 bytes in units of 16.
uint64_t bytes_apart(const Evidence& evidence) {
  constexpr uint64_t kHeader = 8, kUnit = 16;
  constexpr double kSteady = 0.6;
  uint64_t block = (evidence.block_bytes + kHeader + kUnit - 1) / kUnit * kUnit;
  bool in_order = evidence.walk.step_share >= kSteady &&
                  magnitude(evidence.walk.step_bytes.value_or(0)) <= std::max(evidence.line_bytes, block);
  return in_order ? std::min(block, evidence.line_bytes) : evidence.line_bytes;
}

// Lower bound: the same nodes one behind the other. Upper bound: values without links.
std::optional<Gain> gain_of_values(const Evidence& evidence, uint64_t links) {
  uint64_t value = value_bytes(evidence, links), apart = bytes_apart(evidence);
  if (value == 0 || value >= apart) return std::nullopt;
  return Gain{saved(evidence.block_bytes, apart), saved(value, apart),
              fmt::format("a node has {} bytes, {} of them a value, and costs {} now", evidence.block_bytes,
                          value, apart)};
}

// Lower bound: a sorted array, in which the last steps of a search stay in one line. Upper bound: a flat hash
// table, which misses twice, in its control bytes and in the entry.
std::optional<Gain> gain_of_flat_look_ups(const Evidence& evidence) {
  uint64_t value = value_bytes(evidence, kTreeLinks);
  if (!evidence.reuse_lines || evidence.cache_lines == 0 || value == 0) return std::nullopt;
  double missed = levels_missed(*evidence.reuse_lines, evidence.cache_lines);
  double in_one_line =
      std::log2(std::max(1.0, static_cast<double>(evidence.line_bytes) / static_cast<double>(value)));
  double low = std::min(in_one_line / missed, 1 - 1 / missed);
  return Gain{
      low, std::max(low, 1 - 2 / missed),
      fmt::format(
          "a look-up misses about {:.0f} nodes of {} bytes; a sorted array would miss {:.0f} less, a flat hash table about 2",
          missed, evidence.block_bytes, in_one_line)};
}

std::optional<Gain> gain_of_tree(const Evidence& evidence) {
  return evidence.iterates ? gain_of_values(evidence, kTreeLinks) : gain_of_flat_look_ups(evidence);
}

// Only nodes have a gain: the table itself is read as often as before.
Advice advise_on_hash_chains(const Evidence& evidence) {
  if (evidence.block_bytes != 0 && !evidence.separate_blocks)
    return {
        Pattern::kHashChain, std::nullopt,
        "these are the buckets: a flat hash table (absl::flat_hash_map, boost::unordered_flat_map) keeps its entries here, which saves the misses of the nodes, not these"};
  if (!evidence.separate_blocks) return {Pattern::kHashChain, std::nullopt};
  return {Pattern::kHashChain,
          Gain{0, 1, "the entry then lies in its bucket, which the look-up reads anyway"}};
}

std::optional<Gain> gain_beside(const Evidence& evidence, const char* why) {
  if (!evidence.separate_blocks) return std::nullopt;
  return Gain{0, 1, why};
}

Advice advise_on_objects_of(Container runtime) {
  switch (runtime) {
    case Container::kPythonGarbage:
      return {
          Pattern::kBoxedObjects, std::nullopt,
          "fewer objects for the garbage collector: a numpy array or array.array for lists of numbers, gc.freeze() once the data is loaded"};
    case Container::kPythonObjects:
      return {Pattern::kBoxedObjects, std::nullopt,
              "a numpy array or array.array for lists of numbers, __slots__ for classes of many objects"};
    case Container::kGoObjects:
      return {Pattern::kBoxedObjects, std::nullopt,
              "slices and maps of values instead of pointers, which also spares the garbage collector"};
    case Container::kNodeObjects:
    case Container::kScriptObjects:
      return {Pattern::kBoxedObjects, std::nullopt,
              "a typed array, such as Float64Array, for each field instead of an array of objects"};
    default:
      return {
          Pattern::kBoxedObjects, std::nullopt,
          "int[] or double[] instead of ArrayList<Integer>, a map of primitive keys (fastutil, Eclipse Collections) instead of HashMap<Integer, ...>"};
  }
}

std::optional<Advice> advise_on_kind(const Evidence& evidence) {
  switch (evidence.container) {
    case Container::kNone:
    case Container::kDense:
      return std::nullopt;
    case Container::kGoObjects:
      if (evidence.walk.shape != Shape::kIndirect) return std::nullopt;  // an element, or a node of a list
      return advise_on_objects_of(evidence.container);
    case Container::kTree:
      return Advice{Pattern::kTreeOfNodes, gain_of_tree(evidence)};
    case Container::kHashChains:
      return advise_on_hash_chains(evidence);
    case Container::kAllocator:
      return Advice{Pattern::kManyAllocations, Gain{0, 1, "at most all: a pool does not read freed blocks"}};
    case Container::kList:
      return Advice{Pattern::kListOfNodes, gain_of_values(evidence, kListLinks)};
    case Container::kSharedPointers:
      return Advice{Pattern::kSharedPointers,
                    gain_beside(evidence, "at most all: the count is then in a line of its object")};
    case Container::kSharedInPlace:
      return Advice{Pattern::kSharedPointers, std::nullopt,
                    "references or moves instead of copies of the pointer; objects by value or by index"};
    case Container::kString:
      if (evidence.block_bytes != 0 && !evidence.separate_blocks) return std::nullopt;  // one long buffer
      return Advice{Pattern::kStringKeys,
                    gain_beside(evidence, "at most all: the characters are then in a line of the key")};
    case Container::kRustTree:
      return Advice{
          Pattern::kTreeOfNodes, std::nullopt,
          "a sorted Vec, or, if the order is not needed, a HashMap: a BTreeMap already keeps several entries in a node"};
    case Container::kRustList:
      return Advice{Pattern::kListOfNodes, gain_of_values(evidence, kListLinks), "Vec or VecDeque of values"};
    case Container::kRustShared:
      return Advice{
          Pattern::kSharedPointers, std::nullopt,
          "objects by value in a Vec, and indices into it; references instead of clones of the pointer"};
    default:
      return advise_on_objects_of(evidence.container);
  }
}

}  // namespace

// A node of depth d is used in one of 2^d look-ups. Between two uses, these look-ups read the 2^d nodes above
// that depth and, from each deeper level, one node each. So the stack distance of depth d in a tree with D
// levels is about 2^d (1 + D - d) lines. The cache holds the levels with a distance of at most its number of
// lines; the median distance is that of the middle level below these.
double levels_missed(uint64_t reuse_lines, uint64_t cache_lines) {
  double ratio = static_cast<double>(reuse_lines) / static_cast<double>(cache_lines);
  constexpr double kMaxLevels = 40;
  for (double levels = 1; levels < kMaxLevels; levels += 0.25) {
    if (std::exp2((levels - 1) / 2) * (levels + 1) / (2 * levels) >= ratio) return levels;
  }
  return kMaxLevels;
}

std::optional<Advice> advise_on_container(const Evidence& evidence) {
  std::optional<Advice> advice = advise_on_kind(evidence);
  if (advice) advice->basis = std::string(evidence.container_basis);
  return advice;
}

}  // namespace hm::cause
