// SPDX-License-Identifier: MIT
// PERF_RECORD_CALLCHAIN_DEFERRED: the user-space part of a call chain, which the kernel unwinds only when the
// thread returns to user space. Samples that the kernel took before that return end their chains with a
// marker and this record's cookie: include/uapi/linux/perf_event.h, Linux 6.19.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "record/perf_record.h"
#include "record/u64_view.h"

namespace hm::record {

// PERF_CONTEXT_USER_DEFERRED: in a sample's chain, the next and last word is the cookie.
inline constexpr uint64_t kContextUserDeferred = ~uint64_t{0} - 639;

struct DeferredChain {
  uint64_t cookie = 0;
  U64View callchain;  // as in a sample: innermost first, after a PERF_CONTEXT_USER marker
};

Result<DeferredChain> decode_deferred_chain(const Record& record);
void encode_deferred_chain(const DeferredChain& chain, ByteWriter& payload);

// Returns the cookie at the end of a sample's chain; nullopt if the chain is already complete.
[[nodiscard]] std::optional<uint64_t> deferred_cookie(const U64View& callchain);

// The deferred chains of a recording, as views into the recording. A record applies to all samples of its
// thread that have its cookie. Add all records before the first call of find().
class DeferredChains {
 public:
  void add(uint32_t tid, const DeferredChain& chain) { chains_[{tid, chain.cookie}] = chain.callchain; }
  // Returns nullopt if the record was lost, or if the recording ended before the thread returned to user
  // space.
  [[nodiscard]] std::optional<U64View> find(uint32_t tid, uint64_t cookie) const;

 private:
  std::map<std::pair<uint32_t, uint64_t>, U64View> chains_;
};

}  // namespace hm::record
