// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/allocators.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

namespace hm::soft {
namespace {

TEST(Allocators, AreKnownByTheirSymbols) {
  auto session = std::make_unique<Session>();
  auto kind_of = [&](const char* symbol) {
    return allocator_at(*session, find_allocator(*session, symbol)).kind;
  };
  EXPECT_EQ(kind_of("malloc"), AllocatorKind::kAllocate);
  EXPECT_EQ(kind_of("realloc"), AllocatorKind::kReallocate);
  EXPECT_EQ(kind_of("posix_memalign"), AllocatorKind::kPlace);
  EXPECT_EQ(kind_of("_ZnamRKSt9nothrow_t"), AllocatorKind::kAllocate);
  EXPECT_EQ(kind_of("_ZdlPvmSt11align_val_t"), AllocatorKind::kFree);
  for (const char* other :
       {"", "mallo", "malloc_usable_size", "malloc_trim", "freeaddrinfo", "_Zn", "palloc"})
    EXPECT_EQ(find_allocator(*session, other), kNoAllocator) << other;
}

TEST(Allocators, TheUsersOwnAreFoundAsFunctionsAre) {
  auto session = std::make_unique<Session>();
  std::strcpy(session->allocators[0].name, "Arena::take");
  std::strcpy(session->allocators[1].name, "malloc");  // overrides the built-in malloc
  session->allocators[0].size_argument = 2;
  session->allocators[1].size_argument = 3;
  session->allocator_count = 2;
  uint32_t number = find_allocator(*session, "_ZN5Arena4takeEm");
  Allocator allocator = allocator_at(*session, number);
  EXPECT_TRUE(allocator.named);
  EXPECT_EQ(allocator.size_argument, 2);
  note_found(*session, number);
  EXPECT_EQ(session->allocators[0].found, 1u);
  EXPECT_EQ(session->allocators[1].found, 0u);
  EXPECT_EQ(allocator_at(*session, find_allocator(*session, "malloc")).size_argument, 3);
  note_found(*session, find_allocator(*session, "free"));
}

}  // namespace
}  // namespace hm::soft
