// SPDX-License-Identifier: MIT
#include "record/deferred_chain.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

namespace hm::record {
namespace {

TEST(DeferredChain, ComesBack) {
  std::vector<uint64_t> words{PERF_CONTEXT_USER, 0x1000, 0x2000};
  ByteWriter payload;
  encode_deferred_chain({.cookie = 7, .callchain = U64View(words)}, payload);
  Record record{.type = kCallchainDeferred, .payload = payload.bytes()};
  auto chain = decode_deferred_chain(record);
  ASSERT_TRUE(chain.ok());
  EXPECT_EQ(chain->cookie, 7u);
  EXPECT_TRUE(std::equal(words.begin(), words.end(), chain->callchain.begin()));
  for (size_t size = 0; size < payload.size(); ++size) {
    record.payload = payload.bytes().first(size);
    EXPECT_FALSE(decode_deferred_chain(record).ok()) << size;
  }
}

TEST(DeferredChain, ASampleNamesItsCookieAtTheEnd) {
  std::vector<uint64_t> deferred{PERF_CONTEXT_KERNEL, 0xffff0000, kContextUserDeferred, 99};
  std::vector<uint64_t> whole{PERF_CONTEXT_USER, 0x1000};
  EXPECT_EQ(kContextUserDeferred, static_cast<uint64_t>(-640));
  EXPECT_EQ(deferred_cookie(U64View(deferred)), 99u);
  EXPECT_EQ(deferred_cookie(U64View(whole)), std::nullopt);
  EXPECT_EQ(deferred_cookie({}), std::nullopt);
}

TEST(DeferredChain, IsFoundByThreadAndCookie) {
  std::vector<uint64_t> words{PERF_CONTEXT_USER, 0x1000};
  DeferredChains chains;
  chains.add(5, {.cookie = 7, .callchain = U64View(words)});
  ASSERT_TRUE(chains.find(5, 7).has_value());
  EXPECT_EQ(chains.find(5, 7)->size(), 2u);
  EXPECT_EQ(chains.find(6, 7), std::nullopt);
  EXPECT_EQ(chains.find(5, 8), std::nullopt);
}

}  // namespace
}  // namespace hm::record
