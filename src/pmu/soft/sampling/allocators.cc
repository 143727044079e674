// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/allocators.h"

#include "pmu/soft/sampling/function_names.h"

namespace hm::soft {
namespace {

struct Known {
  const char* name;
  bool is_beginning;  // `name` is a prefix
  Allocator allocator;
};

// C: malloc(3), posix_memalign(3). C++ (mangled by the Itanium C++ ABI): operator new and new[] with the size
// as first argument; operator delete and delete[].
constexpr Known kKnown[] = {
    {"malloc", false, {AllocatorKind::kAllocate, 1, 0, false}},
    {"free", false, {AllocatorKind::kFree, 0, 0, false}},
    {"cfree", false, {AllocatorKind::kFree, 0, 0, false}},
    {"calloc", false, {AllocatorKind::kAllocate, 1, 2, false}},
    {"realloc", false, {AllocatorKind::kReallocate, 2, 0, false}},
    {"reallocarray", false, {AllocatorKind::kReallocate, 2, 3, false}},
    {"memalign", false, {AllocatorKind::kAllocate, 2, 0, false}},
    {"aligned_alloc", false, {AllocatorKind::kAllocate, 2, 0, false}},
    {"posix_memalign", false, {AllocatorKind::kPlace, 3, 0, false}},
    {"valloc", false, {AllocatorKind::kAllocate, 1, 0, false}},
    {"pvalloc", false, {AllocatorKind::kAllocate, 1, 0, false}},
    {"_Znwm", true, {AllocatorKind::kAllocate, 1, 0, false}},
    {"_Znam", true, {AllocatorKind::kAllocate, 1, 0, false}},
    {"_ZdlPv", true, {AllocatorKind::kFree, 0, 0, false}},
    {"_ZdaPv", true, {AllocatorKind::kFree, 0, 0, false}},
};
constexpr uint32_t kKnownCount = sizeof(kKnown) / sizeof(kKnown[0]);

bool is(const char* symbol, const Known& known) {
  const char* name = known.name;
  for (; *name != '\0'; ++name, ++symbol) {
    if (*name != *symbol) return false;
  }
  return known.is_beginning || *symbol == '\0';
}

// A fast check: most symbols begin with another letter.
bool may_be_known(char first) {
  constexpr uint64_t kFirst = [] {
    uint64_t letters = 0;
    for (const Known& each : kKnown) letters |= uint64_t{1} << each.name[0] % 64;
    return letters;
  }();
  return (kFirst >> static_cast<unsigned char>(first) % 64 & 1) != 0;
}

}  // namespace

uint32_t find_allocator(const Session& session, const char* symbol) {
  for (uint32_t i = 0; i < session.allocator_count && i < kMaxAllocators; ++i) {
    if (names_function(symbol, session.allocators[i].name)) return kKnownCount + i;
  }
  if (!may_be_known(symbol[0])) return kNoAllocator;
  for (uint32_t i = 0; i < kKnownCount; ++i) {
    if (is(symbol, kKnown[i])) return i;
  }
  return kNoAllocator;
}

Allocator allocator_at(const Session& session, uint32_t number) {
  if (number < kKnownCount) return kKnown[number].allocator;
  auto size_argument = static_cast<uint8_t>(session.allocators[number - kKnownCount].size_argument);
  return {AllocatorKind::kAllocate, size_argument, 0, true};
}

void note_found(Session& session, uint32_t number) {
  if (number < kKnownCount) return;
  __atomic_store_n(&session.allocators[number - kKnownCount].found, 1u, __ATOMIC_RELAXED);
}

}  // namespace hm::soft
