// SPDX-License-Identifier: MIT
#include "record/task.h"

namespace hm::record {

Result<Task> decode_task(const Record& record) {
  ByteReader in = record.reader();
  Task task{
      .pid = in.u32(), .parent_pid = in.u32(), .tid = in.u32(), .parent_tid = in.u32(), .time_ns = in.u64()};
  if (!in.ok()) return short_record(record);
  return task;
}

void encode_task(const Task& task, ByteWriter& payload) {
  payload.u32(task.pid);
  payload.u32(task.parent_pid);
  payload.u32(task.tid);
  payload.u32(task.parent_tid);
  payload.u64(task.time_ns);
}

}  // namespace hm::record
