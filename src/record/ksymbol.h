// SPDX-License-Identifier: MIT
// PERF_RECORD_KSYMBOL: code that the kernel added or removed at run time (BPF programs, trampolines).
#pragma once

#include <cstdint>
#include <string_view>

#include "record/perf_record.h"

namespace hm::record {

struct Ksymbol {
  uint64_t address = 0;
  uint32_t bytes = 0;
  uint16_t kind = 0;      // PERF_RECORD_KSYMBOL_TYPE_*
  uint16_t flags = 0;     // PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER
  std::string_view name;  // points into the recording

  bool operator==(const Ksymbol&) const = default;
};

Result<Ksymbol> decode_ksymbol(const Record& record);
void encode_ksymbol(const Ksymbol& symbol, ByteWriter& payload);

}  // namespace hm::record
