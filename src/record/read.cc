// SPDX-License-Identifier: MIT
#include "record/read.h"

namespace hm::record {

Result<Read> decode_read(const Record& record, uint64_t read_format) {
  ByteReader in = record.reader();
  Read read{.pid = in.u32(), .tid = in.u32(), .values = {}};
  read.values = decode_read_values(in, read_format);
  if (!in.ok()) return short_record(record);
  return read;
}

void encode_read(const Read& read, ByteWriter& payload) {
  payload.u32(read.pid);
  payload.u32(read.tid);
  encode_read_values(read.values, read.values.format(), payload);
}

}  // namespace hm::record
