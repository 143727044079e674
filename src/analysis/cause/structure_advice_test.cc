// SPDX-License-Identifier: MIT
// Advice on containers and on objects behind pointers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/cause/advice.h"
#include "analysis/cause/library_advice.h"

namespace hm::cause {
namespace {

using symbol::AddressSource;
using ::testing::HasSubstr;

// Misses of heap blocks of 48 bytes, scattered over memory.
Evidence nodes(Container container, Shape shape = Shape::kPointerChase) {
  return {.event = "l1_cache_miss",
          .capacity = 1,
          .walk = {shape, std::nullopt, 0},
          .access_bytes = 8,
          .container = container,
          .container_basis = "the code is in std::_Rb_tree::find",
          .block_bytes = 48,
          .separate_blocks = true};
}

TEST(StructureAdvice, FirstTouchesAreMissedInAnyStructure) {
  for (Shape shape : {Shape::kComputed, Shape::kIndirect, Shape::kIrregular, Shape::kPointerChase}) {
    Evidence fresh{.event = "l1_cache_miss", .compulsory = 0.95, .capacity = 0.05, .walk = {shape, {}, 0}};
    std::optional<Advice> advice = advise(fresh);
    ASSERT_TRUE(advice);
    EXPECT_EQ(advice->pattern, Pattern::kFirstTouches);
    EXPECT_DOUBLE_EQ(advice->gain->low, 0) << "the buffer may have left the cache";
    EXPECT_DOUBLE_EQ(advice->gain->high, 0.95);
  }
  Evidence column{
      .event = "l1_cache_miss", .compulsory = 0.95, .walk = {Shape::kStrided, 4096, 1}, .access_bytes = 8};
  EXPECT_EQ(advise(column)->pattern, Pattern::kColdScan) << "another order of the loops misses each line too";
}

TEST(StructureAdvice, ATreesLookUpsBecomeSearchesOrHashes) {
  Evidence tree = nodes(Container::kTree);
  EXPECT_EQ(advise(tree)->pattern, Pattern::kTreeOfNodes);
  EXPECT_FALSE(advise(tree)->gain) << "the depth of the tree is unknown";
  tree.reuse_lines = 6861;
  tree.cache_lines = 512;
  std::optional<Advice> advice = advise(tree);
  ASSERT_TRUE(advice->gain);
  EXPECT_NEAR(advice->gain->low, 2 / 10.25, 1e-9) << "4 entries share a line: two steps less";
  EXPECT_NEAR(advice->gain->high, 1 - 2 / 10.25, 1e-9);
  EXPECT_THAT(std::string(remedy_of(*advice)), HasSubstr("std::flat_map"));
  EXPECT_EQ(advice->basis, "the code is in std::_Rb_tree::find");
}

TEST(StructureAdvice, LevelsGrowWithTheStackDistance) {
  EXPECT_DOUBLE_EQ(levels_missed(10, 512), 1);
  EXPECT_GT(levels_missed(8192, 512), levels_missed(1024, 512));
  EXPECT_LE(levels_missed(~uint64_t{0}, 1), 40);
}

TEST(StructureAdvice, AWalkSavesLinksAndGaps) {
  Evidence tree = nodes(Container::kTree);
  tree.iterates = true;
  ASSERT_TRUE(advise(tree)->gain);
  EXPECT_DOUBLE_EQ(advise(tree)->gain->low, 1 - 48.0 / 64);
  EXPECT_DOUBLE_EQ(advise(tree)->gain->high, 1 - 16.0 / 64);
  Evidence list = nodes(Container::kList);
  list.block_bytes = 24;
  EXPECT_EQ(advise(list)->pattern, Pattern::kListOfNodes);
  EXPECT_DOUBLE_EQ(advise(list)->gain->low, 1 - 24.0 / 64);
  EXPECT_DOUBLE_EQ(advise(list)->gain->high, 1 - 8.0 / 64);
  list.walk.step_bytes = 64;
  list.walk.step_share = 0.9;
  EXPECT_DOUBLE_EQ(advise(list)->gain->low, 1 - 24.0 / 32) << "in order, nodes share lines already";
  EXPECT_DOUBLE_EQ(advise(list)->gain->high, 1 - 8.0 / 32);
}

TEST(StructureAdvice, OnlyTheNodesOfAHashTableAreSaved) {
  Evidence chain = nodes(Container::kHashChains, Shape::kIrregular);
  EXPECT_EQ(advise(chain)->pattern, Pattern::kHashChain);
  EXPECT_DOUBLE_EQ(advise(chain)->gain->high, 1);
  chain.separate_blocks = false;  // the buckets
  EXPECT_EQ(advise(chain)->pattern, Pattern::kHashChain);
  EXPECT_FALSE(advise(chain)->gain);
}

TEST(StructureAdvice, AChainOfATableNeedsNoName) {
  Evidence chain = nodes(Container::kNone, Shape::kIrregular);
  chain.in_chain_of_table = true;
  EXPECT_EQ(advise(chain)->pattern, Pattern::kHashChain);
  EXPECT_THAT(std::string(remedy_of(*advise(chain))), HasSubstr("open addressing"));
  EXPECT_TRUE(advise(chain)->basis.empty());
}

TEST(StructureAdvice, OneFieldOfObjectsGetsAnArray) {
  Evidence objects = nodes(Container::kNone, Shape::kIndirect);
  objects.walk.source = AddressSource::kLoadedInOrder;
  objects.block_bytes = 200;
  objects.used_bytes = 16;
  std::optional<Advice> advice = advise(objects);
  EXPECT_EQ(advice->pattern, Pattern::kPointerArray);
  EXPECT_DOUBLE_EQ(advice->gain->low, 1 - 16.0 / 64);
  EXPECT_DOUBLE_EQ(advice->gain->high, 1 - 8.0 / 64);
  objects.used_bytes = 100;
  EXPECT_THAT(std::string(remedy_of(*advise(objects))), HasSubstr("by value")) << "nearly all is used";
  EXPECT_FALSE(advise(objects)->gain);
  objects.separate_blocks = false;
  EXPECT_EQ(advise(objects)->pattern, Pattern::kBigRandomTable) << "indices of one table";
}

TEST(StructureAdvice, VirtualCallsOfSmallObjects) {
  Evidence objects = nodes(Container::kNone, Shape::kIndirect);
  objects.loads_dispatch = true;
  objects.block_bytes = 24;
  EXPECT_EQ(advise(objects)->pattern, Pattern::kVirtualCalls);
  EXPECT_DOUBLE_EQ(advise(objects)->gain->low, 1 - 24.0 / 64);
  EXPECT_DOUBLE_EQ(advise(objects)->gain->high, 1 - 16.0 / 64);
  objects.block_bytes = 200;
  EXPECT_FALSE(advise(objects)->gain) << "a line each, also side by side";
}

TEST(StructureAdvice, RuntimesObjectsHaveNoMeasuredGain) {
  for (Container each : {Container::kPythonObjects, Container::kPythonGarbage, Container::kNodeObjects,
                         Container::kScriptObjects, Container::kGoObjects, Container::kJavaObjects}) {
    Evidence objects = nodes(each, Shape::kIndirect);
    EXPECT_EQ(advise(objects)->pattern, Pattern::kBoxedObjects);
    EXPECT_FALSE(advise(objects)->gain);
    EXPECT_FALSE(advise(objects)->basis.empty());
  }
  Evidence table = nodes(Container::kGoObjects, Shape::kComputed);
  table.separate_blocks = false;
  EXPECT_EQ(advise(table)->pattern, Pattern::kBigRandomTable) << "the index of a slice is computed";
}

TEST(StructureAdvice, DenseContainersHaveTheirOwnPatterns) {
  Evidence vector = nodes(Container::kDense, Shape::kComputed);
  vector.separate_blocks = false;
  EXPECT_EQ(advise(vector)->pattern, Pattern::kBigRandomTable);
  vector = nodes(Container::kTree, Shape::kSequential);
  vector.separate_blocks = false;
  EXPECT_EQ(advise(vector)->pattern, Pattern::kWorkingSetTooLarge) << "in order there is nothing to mend";
}

}  // namespace
}  // namespace hm::cause
