// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/heap_options.h"

#include <gtest/gtest.h>

#include <memory>

namespace hm::soft {
namespace {

void expect_allocator(std::string_view text, const std::string& name, uint32_t size_argument) {
  auto parsed = parse_allocator(text);
  ASSERT_TRUE(parsed.ok()) << text;
  EXPECT_EQ(parsed->name, name);
  EXPECT_EQ(parsed->size_argument, size_argument);
}

TEST(HeapOptions, AllocatorsAreNamed) {
  expect_allocator("palloc", "palloc", 1);
  expect_allocator("MemoryContextAlloc:2", "MemoryContextAlloc", 2);
  expect_allocator("Arena::take", "Arena::take", 1);
  expect_allocator("Arena::take:6", "Arena::take", 6);
}

TEST(HeapOptions, WhatIsNoAllocatorIsRefused) {
  for (const char* text : {"", ":1", "palloc:", "palloc:0", "palloc:7", "palloc:x", "palloc:1x", "palloc:-1"})
    EXPECT_FALSE(parse_allocator(text).ok()) << text;
  EXPECT_FALSE(parse_allocator(std::string(kMaxFunctionName, 'x')).ok());
}

TEST(HeapOptions, ASessionHoldsThem) {
  auto session = std::make_unique<Session>();
  HeapOptions options{true, {{"palloc", 2}, {"take", 1}}};
  ASSERT_TRUE(observe_heap(*session, options).ok());
  EXPECT_EQ(session->heap_blocks, 1u);
  EXPECT_STREQ(session->allocators[0].name, "palloc");
  EXPECT_EQ(session->allocators[0].size_argument, 2u);
  session->allocators[1].found = 1;
  EXPECT_EQ(missing_allocators(*session), std::vector<std::string>{"palloc"});
  options.allocators.resize(kMaxAllocators + 1);
  EXPECT_FALSE(observe_heap(*session, options).ok());
}

}  // namespace
}  // namespace hm::soft
