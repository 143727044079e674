// SPDX-License-Identifier: MIT
#include "analysis/cause/pattern.h"

#include <algorithm>
#include <array>

namespace hm::cause {
namespace {

struct PatternRow {
  Pattern pattern;
  std::string_view name;
  std::string_view remedy;
};

constexpr std::array kPatternRows{
    PatternRow{Pattern::kPowerOfTwoStride, "power_of_two_stride",
               "pad the rows to an odd number of lines, or index them differently"},
    PatternRow{Pattern::kColumnWalk, "column_walk", "interchange the loops, or work in blocks"},
    PatternRow{Pattern::kWorkingSetTooLarge, "working_set",
               "work in blocks that fit, or make the data denser"},
    PatternRow{Pattern::kBigRandomTable, "random_table",
               "smaller keys, prefetches of addresses that are known early, or huge pages if TLBs miss"},
    PatternRow{Pattern::kPointerChase, "pointer_chase",
               "keep the nodes in an array, in the order of the walk"},
    PatternRow{Pattern::kHotAndColdFields, "hot_and_cold_fields",
               "split the fields that this loop uses from the rest"},
    PatternRow{Pattern::kColdScan, "cold_scan", "denser data, a prefetch, or one pass less"},
    PatternRow{
        Pattern::kFirstTouches, "first_touches",
        "reuse memory instead of touching new lines: keep buffers, or allocate from a pool that is reset"},
    PatternRow{
        Pattern::kTreeOfNodes, "tree_of_nodes",
        "a sorted std::vector (std::flat_map, boost::container::flat_map), a B-tree (absl::btree_map), or, if the order is not needed, a flat hash table (absl::flat_hash_map)"},
    PatternRow{
        Pattern::kHashChain, "hash_chain",
        "open addressing: a flat hash table keeps its entries in the table (absl::flat_hash_map, boost::unordered_flat_map); reserve() its size"},
    PatternRow{
        Pattern::kListOfNodes, "list_of_nodes",
        "std::vector or std::deque of values, or nodes from a pool in the order of the walk (std::pmr::monotonic_buffer_resource)"},
    PatternRow{
        Pattern::kSharedPointers, "shared_pointers",
        "std::make_shared, which puts the count beside the object; references instead of copies of the pointer; objects by value or by index"},
    PatternRow{
        Pattern::kStringKeys, "string_keys",
        "keys of at most 15 characters, which std::string keeps in itself, or an integer for each string"},
    PatternRow{
        Pattern::kPointerArray, "pointer_array",
        "a separate array of the fields that this loop reads, beside the pointers (structure of arrays), or objects by value"},
    PatternRow{Pattern::kVirtualCalls, "virtual_calls",
               "a container of values for each type, std::variant by value, or objects sorted by type"},
    PatternRow{Pattern::kBoxedObjects, "boxed_objects", "arrays of numbers instead of objects for each"},
    PatternRow{
        Pattern::kManyAllocations, "many_allocations",
        "fewer allocations: a pool that is reset as a whole (std::pmr::monotonic_buffer_resource), values in a std::vector with reserve(), or reused objects"},
    PatternRow{Pattern::kSplitAccess, "split_and_blocked_accesses", "align the accessed data"},
    PatternRow{Pattern::kStoreForwardBlocked, "split_and_blocked_accesses",
               "load with the width of the store"},
    PatternRow{Pattern::kInstructionMisses, "instruction_misses",
               "place hot functions together and cold code elsewhere"},
    PatternRow{Pattern::kFalseSharing, "false_sharing", "give each thread's data cache lines of its own"},
    PatternRow{Pattern::kSpinLock, "spin_lock",
               "wait by reading, and exchange only when the lock looks free"},
    PatternRow{Pattern::kNoisyNeighbour, "noisy_neighbour",
               "give the program cache ways of its own, or run the other one elsewhere or later"},
};

const PatternRow& row_of(Pattern pattern) {
  return *std::ranges::find(kPatternRows, pattern, &PatternRow::pattern);
}

}  // namespace

std::string_view name_of(Pattern pattern) { return row_of(pattern).name; }

std::string_view remedy_of(const Advice& advice) {
  return advice.own_remedy.empty() ? row_of(advice.pattern).remedy : advice.own_remedy;
}

}  // namespace hm::cause
