// SPDX-License-Identifier: MIT
#include "record/deferred_chain.h"

namespace hm::record {

Result<DeferredChain> decode_deferred_chain(const Record& record) {
  ByteReader in = record.reader();
  DeferredChain chain{.cookie = in.u64(), .callchain = {}};
  chain.callchain = take_words(in, in.u64());
  if (!in.ok()) return short_record(record);
  return chain;
}

void encode_deferred_chain(const DeferredChain& chain, ByteWriter& payload) {
  payload.u64(chain.cookie);
  payload.u64(chain.callchain.size());
  for (uint64_t ip : chain.callchain) payload.u64(ip);
}

std::optional<uint64_t> deferred_cookie(const U64View& callchain) {
  size_t size = callchain.size();
  if (size < 2 || callchain[size - 2] != kContextUserDeferred) return std::nullopt;
  return callchain[size - 1];
}

std::optional<U64View> DeferredChains::find(uint32_t tid, uint64_t cookie) const {
  auto found = chains_.find({tid, cookie});
  return found == chains_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace hm::record
