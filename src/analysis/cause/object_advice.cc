// SPDX-License-Identifier: MIT
#include "analysis/cause/object_advice.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/cause/gain.h"

namespace hm::cause {
namespace {

using symbol::AddressSource;

// The objects side by side. Upper bound: without the pointer to the class, which one container for each type
// makes unnecessary.
std::optional<Gain> gain_of_objects_by_value(const Evidence& evidence) {
  constexpr uint64_t kClassPointer = 8;
  if (!evidence.separate_blocks || evidence.block_bytes < kClassPointer) return std::nullopt;
  double most = saved(evidence.block_bytes - kClassPointer, evidence.line_bytes);
  if (most == 0) return std::nullopt;
  return Gain{saved(evidence.block_bytes, evidence.line_bytes), most,
              fmt::format("objects of {} bytes side by side share lines", evidence.block_bytes)};
}

// Estimates the gain of moving the fields into an array of their own: one line of that array then serves as
// many objects as it holds fields. The lower bound assumes an array of all bytes that this loop uses, the
// upper bound one of the bytes that the instruction reads.
std::optional<Gain> gain_of_field_array(const Evidence& evidence) {
  uint64_t now = std::min(evidence.block_bytes, evidence.line_bytes);
  if (evidence.access_bytes == 0 || evidence.access_bytes >= now) return std::nullopt;
  uint64_t used = std::max(evidence.used_bytes, evidence.access_bytes);
  return Gain{saved(used, now), saved(evidence.access_bytes, evidence.line_bytes),
              fmt::format("this loop uses {} of an object's {} bytes", used, evidence.block_bytes)};
}

// Returns true if a loop walks through an array of pointers and uses at most half of what it reads of each
// object.
bool uses_little_of_objects(const Evidence& evidence) {
  uint64_t now = std::min(evidence.block_bytes, evidence.line_bytes);
  return evidence.separate_blocks && evidence.walk.source == AddressSource::kLoadedInOrder &&
         2 * std::max(evidence.used_bytes, evidence.access_bytes) <= now;
}

// Nodes from an allocator in the order of the walk: only headers and links are to be saved.
bool is_list_in_order(const Evidence& evidence) {
  constexpr double kSteady = 0.6;
  constexpr uint64_t kMaxStep = 128;
  return evidence.separate_blocks && evidence.walk.shape == Shape::kPointerChase &&
         evidence.walk.step_share >= kSteady && evidence.walk.step_bytes &&
         magnitude(*evidence.walk.step_bytes) <= kMaxStep;
}

// Lower bound: the same nodes without the allocator's headers. Upper bound: without a link and without
// members that this loop does not use.
std::optional<Gain> gain_of_pool(const Evidence& evidence) {
  constexpr uint64_t kHeader = 8, kUnit = 16, kLink = 8, kMinBlock = 32;
  uint64_t block = std::max(kMinBlock, (evidence.block_bytes + kHeader + kUnit - 1) / kUnit * kUnit);
  uint64_t now = std::min(block, evidence.line_bytes);
  if (evidence.used_bytes <= kLink || evidence.block_bytes >= now) return std::nullopt;
  return Gain{saved(evidence.block_bytes, now), saved(evidence.used_bytes - kLink, now),
              fmt::format("this loop uses {} of a node's {} bytes, its pointer included, and each costs {}",
                          evidence.used_bytes, evidence.block_bytes, block)};
}

// Objects of heap blocks of their own, in no order that the code shows.
bool is_reached_by_pointer(const Evidence& evidence) {
  bool by_pointer = evidence.walk.source == AddressSource::kLoaded ||
                    evidence.walk.source == AddressSource::kLoadedInOrder ||
                    evidence.walk.shape == Shape::kIrregular;
  return evidence.separate_blocks && by_pointer;
}

// The lower bound is 0 because the order of use is unknown.
std::optional<Gain> gain_of_neighbours(const Evidence& evidence) {
  double most = saved(evidence.block_bytes, evidence.line_bytes);
  if (most == 0) return std::nullopt;
  return Gain{0, most, fmt::format("objects of {} bytes side by side share lines", evidence.block_bytes)};
}

}  // namespace

std::optional<Advice> advise_on_objects(const Evidence& evidence) {
  if (evidence.loads_dispatch) return Advice{Pattern::kVirtualCalls, gain_of_objects_by_value(evidence)};
  if (uses_little_of_objects(evidence)) return Advice{Pattern::kPointerArray, gain_of_field_array(evidence)};
  if (evidence.in_chain_of_table)
    return Advice{Pattern::kHashChain,
                  Gain{0, 1, "the entry then lies in its bucket, which the look-up reads anyway"}};
  if (is_list_in_order(evidence)) return Advice{Pattern::kListOfNodes, gain_of_pool(evidence)};
  if (!is_reached_by_pointer(evidence)) return std::nullopt;
  return Advice{Pattern::kPointerArray, gain_of_neighbours(evidence),
                "objects by value, or allocated side by side in the order of use (a pool)"};
}

}  // namespace hm::cause
