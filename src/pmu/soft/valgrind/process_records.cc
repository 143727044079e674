// SPDX-License-Identifier: GPL-2.0-or-later
#include "process_records.h"

#include "pmu/soft/sampling/process_records.h"
#include "pmu/soft/sampling/reported_mappings.h"
#include "session_link.h"

namespace hm::soft::vg {
namespace {

constinit ReportedRanges g_named;  // ranges last reported as named mappings
constinit ReportedHeap g_heap;
bool g_started = false;

uint32_t pid() { return static_cast<uint32_t>(VG_(getpid)()); }

Origin origin(uint32_t tid) { return {pid(), tid, monotonic_ns()}; }

void write(RecordBuilder&& record) {
  if (ring() != nullptr) record.write_to(*ring());
}

void record_heap() {
  if (g_heap.reported_end() > g_heap.start())
    write(mapping_record(origin(pid()), heap_mapping(g_heap.start(), g_heap.reported_end())));
}

// Returns the file's path, or the kernel's name for a segment without file: stack, heap or anonymous memory.
const HChar* segment_name(const NSegment* segment, Addr stack_pointer) {
  if (const HChar* file = VG_(am_get_filename)(segment)) return file;
  if (segment->isCH) return "[heap]";
  if (segment->start <= stack_pointer && stack_pointer <= segment->end) return "[stack]";
  return "//anon";
}

// Records the segment's part at [start, start + bytes), if it belongs to the program and is worth a record.
void record_segment(const NSegment* segment, Addr start, SizeT bytes) {
  if (segment->kind != SkFileC && segment->kind != SkAnonC && segment->kind != SkShmC) return;
  Mapping mapping;
  mapping.of_file = segment->kind == SkFileC;
  mapping.start = start;
  mapping.bytes = bytes;
  if (mapping.of_file)
    mapping.file_offset = static_cast<uint64_t>(segment->offset) + (start - segment->start);
  mapping.device_major = static_cast<uint32_t>(segment->dev >> 8);
  mapping.device_minor = static_cast<uint32_t>(segment->dev & 0xff);
  mapping.inode = segment->ino;
  mapping.protection = (segment->hasR ? VKI_PROT_READ : 0u) | (segment->hasW ? VKI_PROT_WRITE : 0u) |
                       (segment->hasX ? VKI_PROT_EXEC : 0u);
  mapping.name = segment_name(segment, VG_(get_SP)(1));
  bool is_recorded = mapping.worth_recording();
  if (mapping.of_file)
    g_named.add(start, start + bytes);
  else if (g_named.take_over(start, start + bytes))
    is_recorded = true;
  if (is_recorded) write(mapping_record(origin(pid()), mapping));
}

}  // namespace

void record_program_start() {
  record_comm(pid(), base_name(VG_(args_the_exename)), true);
  constexpr Int kMost = 4096;
  static Addr starts[kMost];
  Int count = VG_(am_get_segment_starts)(SkFileC | SkAnonC | SkShmC, starts, kMost);
  for (Int i = 0; i < count; ++i) {
    const NSegment* segment = VG_(am_find_nsegment)(starts[i]);
    if (segment != nullptr) record_segment(segment, segment->start, segment->end + 1 - segment->start);
  }
  record_heap();  // Valgrind creates a heap before the program starts
  g_started = true;
}

void record_fork(uint32_t parent_pid, uint32_t parent_tid) {
  write(fork_record(origin(pid()), parent_pid, parent_tid));
}

void record_thread_start(uint32_t tid, Addr stack_pointer) {
  constexpr SizeT kMaxStackBytes = SizeT{64} << 20;  // a larger segment contains more than a stack
  write(fork_record(origin(tid), pid(), pid()));
  const NSegment* segment = VG_(am_find_nsegment)(stack_pointer);
  if (segment == nullptr || segment->kind != SkAnonC) return;
  Addr end = segment->end + 1;
  if (end - segment->start > kMaxStackBytes) return;
  g_named.add(segment->start, end);
  write(thread_stack_record(origin(tid), segment->start, end));
}

void record_thread_end(uint32_t tid) { write(exit_record(origin(tid))); }

void record_comm(uint32_t tid, const char* name, bool exec) { write(comm_record(origin(tid), name, exec)); }

void record_mapping(Addr start, SizeT bytes) {
  const NSegment* segment = VG_(am_find_nsegment)(start);
  if (segment != nullptr) record_segment(segment, start, bytes);
}

void record_break(Addr start, SizeT bytes) {
  (void)g_heap.grows(start);
  if (g_heap.grows(start + bytes) && g_started) record_heap();
}

void record_undecodable(uint64_t ip) {
  if (ring() == nullptr) return;
  const NSegment* segment = VG_(am_find_nsegment)(ip);
  NoticeRecord notice = undecodable_notice(pid(), ip, segment == nullptr ? 0 : segment->end + 1 - ip);
  ring()->write(&notice, sizeof(notice));
}

}  // namespace hm::soft::vg
