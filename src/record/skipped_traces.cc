// SPDX-License-Identifier: MIT
#include "record/skipped_traces.h"

#include <fmt/format.h>

#include "record/aux.h"

namespace hm::record {

void SkippedTraces::take(const Record& record) {
  if (record.type == kAuxtraceInfo) {
    Result<uint32_t> kind = decode_auxtrace_info(record);
    if (kind.ok()) kind_ = *kind;
  }
  if (record.type == kAuxtrace) {
    bytes_ += record.reader().u64();
    ++pieces_;
  }
}

std::optional<std::string> SkippedTraces::note() const {
  if (pieces_ == 0) return std::nullopt;
  return fmt::format("{} bytes of {} trace were skipped (in {} parts): hardmeter does not decode them",
                     bytes_, trace_kind_name(kind_), pieces_);
}

}  // namespace hm::record
