// SPDX-License-Identifier: MIT
// PERF_RECORD_CALLCHAIN_DEFERRED: the part of a call chain that lies in user space, which the kernel walks
// only when the thread returns there. The samples that were taken before, on that visit to the kernel, end
// their chains with a marker and the cookie of this record: include/uapi/linux/perf_event.h, Linux 6.19.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "record/record.h"
#include "record/u64_view.h"

namespace hm::record {

// PERF_CONTEXT_USER_DEFERRED: in a sample's chain the word after it is a cookie, and the last.
inline constexpr uint64_t kContextUserDeferred = ~uint64_t{0} - 639;

struct DeferredChain {
  uint64_t cookie = 0;
  U64View callchain;  // as in a sample: innermost first, behind a PERF_CONTEXT_USER
};

Result<DeferredChain> decode_deferred_chain(const Record& record);
void encode_deferred_chain(const DeferredChain& chain, ByteWriter& payload);

// The cookie with which a sample's chain ends; nothing where it is whole as it is.
[[nodiscard]] std::optional<uint64_t> deferred_cookie(const U64View& callchain);

// The deferred chains of a recording: views, valid as long as it is. A record serves all samples of its
// thread that have its cookie, so all records are to be added before the first is looked for.
class DeferredChains {
 public:
  void add(uint32_t tid, const DeferredChain& chain) { chains_[{tid, chain.cookie}] = chain.callchain; }
  // Nothing where the record was lost, or the recording ended before the thread returned.
  [[nodiscard]] std::optional<U64View> find(uint32_t tid, uint64_t cookie) const;

 private:
  std::map<std::pair<uint32_t, uint64_t>, U64View> chains_;
};

}  // namespace hm::record
