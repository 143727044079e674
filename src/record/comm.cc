// SPDX-License-Identifier: MIT
#include "record/comm.h"

#include <linux/perf_event.h>

namespace hm::record {

Result<Comm> decode_comm(const Record& record) {
  ByteReader in = record.reader();
  Comm comm{.pid = in.u32(), .tid = in.u32(), .name = {}};
  comm.name = in.text(in.remaining());
  comm.by_exec = (record.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
  if (!in.ok()) return short_record(record);
  return comm;
}

void encode_comm(const Comm& comm, ByteWriter& payload) {
  payload.u32(comm.pid);
  payload.u32(comm.tid);
  append_name(payload, comm.name);
}

}  // namespace hm::record
