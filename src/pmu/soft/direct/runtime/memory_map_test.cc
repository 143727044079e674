// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/runtime/memory_map.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <string>

#include "pmu/soft/direct/runtime/memory.h"

namespace hm::soft::direct {
namespace {

struct Search {
  uint64_t address = 0;
  bool found = false;
  MappedRange range{};
  std::string path{};
  uint64_t last_end = 0;
  bool in_order = true;
};

Search mapping_at(const void* address) {
  Search search{.address = reinterpret_cast<uint64_t>(address)};
  MemoryMap maps;
  bool read = maps.for_each(
      [](const MappedRange& range, void* argument) {
        auto& wanted = *static_cast<Search*>(argument);
        wanted.in_order = wanted.in_order && range.start >= wanted.last_end;
        wanted.last_end = range.end;
        if (wanted.address < range.start || wanted.address >= range.end) return;
        wanted.found = true;
        wanted.range = range;
        wanted.path = range.path;
      },
      &search);
  EXPECT_TRUE(read);
  EXPECT_TRUE(search.in_order);
  return search;
}

TEST(MemoryMap, HasAnonymousMemory) {
  constexpr uint64_t kBytes = 3 * 4096;
  void* pages = map_pages(kBytes, kReadWrite);
  ASSERT_NE(pages, nullptr);
  mprotect(pages, kBytes, PROT_READ | PROT_EXEC);
  Search found = mapping_at(pages);
  ASSERT_TRUE(found.found);
  EXPECT_EQ(found.range.protection, uint32_t{PROT_READ | PROT_EXEC});
  EXPECT_FALSE(found.range.shared);
  EXPECT_FALSE(is_engine(found.range));
  unmap_pages(pages, kBytes);
  EXPECT_FALSE(mapping_at(pages).found);
}

TEST(MemoryMap, NamesFiles) {
  static const int kAnything = 1;
  Search found = mapping_at(&kAnything);
  ASSERT_TRUE(found.found);
  EXPECT_NE(found.range.inode, 0u);
  EXPECT_NE(found.path.find("pmu_soft_direct_runtime_test"), std::string::npos) << found.path;
}

TEST(StableArray, KeepsItsElementsWhereTheyAre) {
  StableArray<uint32_t, 4, 3> array;
  array.add(0);
  const uint32_t* first = &array[0];
  for (uint32_t i = 1; i < 12; ++i) EXPECT_EQ(array.add(i), i);
  EXPECT_EQ(array.add(12), array.kFull);
  EXPECT_EQ(&array[0], first);
  EXPECT_EQ(array[11], 11u);
}

TEST(StableArray, TakesElementsSideBySide) {
  StableArray<uint32_t, 4, 2> array;
  uint32_t* first = array.add_together(3);
  EXPECT_EQ(first, &array[0]);
  uint32_t* second = array.add_together(2);
  EXPECT_EQ(second, &array[4]) << "the rest of the first chunk is too short";
  EXPECT_EQ(array.add_together(2), second + 2);
  EXPECT_EQ(array.add_together(1), nullptr);
  array.clear();
  EXPECT_EQ(array.add_together(4), first);
}

}  // namespace
}  // namespace hm::soft::direct
