// SPDX-License-Identifier: MIT
// PERF_RECORD_READ: the exact count of an event for one thread, written when the thread ends.
#pragma once

#include <cstdint>

#include "record/perf_record.h"
#include "record/read_values.h"

namespace hm::record {

struct Read {
  uint32_t pid = 0;
  uint32_t tid = 0;
  ReadValues values;
};

// `read_format` is that of the record's event.
Result<Read> decode_read(const Record& record, uint64_t read_format);
void encode_read(const Read& read, ByteWriter& payload);

}  // namespace hm::record
