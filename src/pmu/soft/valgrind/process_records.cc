// SPDX-License-Identifier: GPL-2.0-or-later
// Record layouts: perf_event_open(2), "PERF_RECORD_MMAP2" and its neighbours.
#include "process_records.h"

#include "pmu/soft/events/sample_record.h"
#include "session_link.h"

namespace hm::soft::vg {
namespace {

uint32_t pid() { return static_cast<uint32_t>(VG_(getpid)()); }

void write(RecordBuilder& record, uint32_t tid) {
  if (ring() == nullptr) return;
  record.put_sample_id(pid(), tid, monotonic_ns(), 0);
  const void* finished = record.finish();
  ring()->write(finished, record.size());
}

void record_task(uint32_t type, uint32_t new_pid, uint32_t parent_pid, uint32_t tid, uint32_t parent_tid) {
  RecordBuilder record(type, PERF_RECORD_MISC_USER);
  record.put(new_pid);
  record.put(parent_pid);
  record.put(tid);
  record.put(parent_tid);
  record.put(monotonic_ns());
  write(record, tid);
}

// The kernel's names for what is no file: its stack, its heap, anonymous memory.
const HChar* segment_name(const NSegment* segment, Addr stack_pointer) {
  if (const HChar* file = VG_(am_get_filename)(segment)) return file;
  if (segment->isCH) return "[heap]";
  if (segment->start <= stack_pointer && stack_pointer <= segment->end) return "[stack]";
  return "//anon";
}

bool worth_recording(const NSegment* segment) {
  bool client = segment->kind == SkFileC || segment->kind == SkAnonC || segment->kind == SkShmC;
  return client && (segment->hasX || segment->kind == SkFileC);
}

void record_segment(const NSegment* segment, Addr start, SizeT bytes) {
  uint16_t misc = PERF_RECORD_MISC_USER;
  if (!segment->hasX) misc |= PERF_RECORD_MISC_MMAP_DATA;
  RecordBuilder record(PERF_RECORD_MMAP2, misc);
  record.put(pid());
  record.put(pid());
  record.put(uint64_t{start});
  record.put(uint64_t{bytes});
  bool file = segment->kind == SkFileC;
  record.put(file ? static_cast<uint64_t>(segment->offset) + (start - segment->start) : uint64_t{0});
  record.put(static_cast<uint32_t>(segment->dev >> 8));
  record.put(static_cast<uint32_t>(segment->dev & 0xff));
  record.put(uint64_t{segment->ino});
  record.put(uint64_t{0});  // inode generation: not known here
  uint32_t protection = (segment->hasR ? VKI_PROT_READ : 0u) | (segment->hasW ? VKI_PROT_WRITE : 0u) |
                        (segment->hasX ? VKI_PROT_EXEC : 0u);
  record.put(protection);
  record.put(uint32_t{VKI_MAP_PRIVATE});
  Addr stack_pointer = VG_(get_SP)(1);
  record.put_text(segment_name(segment, stack_pointer));
  write(record, pid());
}

const HChar* base_name(const HChar* path) {
  const HChar* slash = VG_(strrchr)(path, '/');
  return slash == nullptr ? path : slash + 1;
}

}  // namespace

void record_program_start() {
  record_comm(pid(), base_name(VG_(args_the_exename)), true);
  constexpr Int kMost = 4096;
  static Addr starts[kMost];
  Int count = VG_(am_get_segment_starts)(SkFileC | SkAnonC | SkShmC, starts, kMost);
  for (Int i = 0; i < count; ++i) {
    const NSegment* segment = VG_(am_find_nsegment)(starts[i]);
    if (segment != nullptr && worth_recording(segment)) {
      record_segment(segment, segment->start, segment->end + 1 - segment->start);
    }
  }
}

void record_fork(uint32_t parent_pid, uint32_t parent_tid) {
  record_task(PERF_RECORD_FORK, pid(), parent_pid, pid(), parent_tid);
}

void record_thread_start(uint32_t tid) { record_task(PERF_RECORD_FORK, pid(), pid(), tid, pid()); }

void record_thread_end(uint32_t tid) { record_task(PERF_RECORD_EXIT, pid(), pid(), tid, pid()); }

void record_comm(uint32_t tid, const char* name, bool exec) {
  RecordBuilder record(PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
  record.put(pid());
  record.put(tid);
  HChar comm[16] = {};  // the kernel's TASK_COMM_LEN
  VG_(strncpy)(comm, name, sizeof(comm) - 1);
  record.put_text(comm);
  write(record, tid);
}

void record_mapping(Addr start, SizeT bytes) {
  const NSegment* segment = VG_(am_find_nsegment)(start);
  if (segment != nullptr && worth_recording(segment)) record_segment(segment, start, bytes);
}

void record_undecodable(uint64_t ip) {
  if (ring() == nullptr) return;
  NoticeRecord notice{};
  notice.header = {kNoticeRecord, 0, sizeof(notice)};
  notice.notice = static_cast<uint32_t>(Notice::kUndecodable);
  notice.pid = pid();
  notice.ip = ip;
  __builtin_memcpy(notice.bytes, reinterpret_cast<const void*>(ip), sizeof(notice.bytes));
  ring()->write(&notice, sizeof(notice));
}

}  // namespace hm::soft::vg
