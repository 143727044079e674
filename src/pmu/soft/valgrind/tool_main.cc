// SPDX-License-Identifier: GPL-2.0-or-later
// The Valgrind tool `hardmeter`: the robust engine of the software PMU. The launcher starts it with
// VALGRIND_LIB set to the link kEngineLinkName in the session's folder.
#include "collection.h"
#include "core_model.h"
#include "engine_link.h"
#include "heap.h"
#include "instrumenter.h"
#include "pmu/soft/sampling/kernel_frames.h"
#include "process_records.h"
#include "session_link.h"
#include "system_call_memory.h"
#include "threads.h"
#include "valgrind_api.h"

namespace hm::soft::vg {
namespace {

Demand g_demand;
bool g_recording = false;

// Parent process and thread of a fork, stored for the child.
uint32_t g_fork_pid = 0;
uint32_t g_fork_tid = 0;

Bool process_option(const HChar*) { return False; }

void print_usage() { VG_(printf)("    (none)\n"); }
void print_debug_usage() { VG_(printf)("    (none)\n"); }

void begin_recording(ThreadId tid) {
  open_ring();
  reset_threads(tid);
  if (RingWriter* own = ring()) own->open(static_cast<uint32_t>(VG_(getpid)()));
  note_missing_frames(*session());
}

void after_options() {
  if (session_folder() == nullptr) {
    VG_(fmsg)("hardmeter's software PMU must be started by `hardmeter record` or `hardmeter stat`\n");
    VG_(exit)(1);
  }
  if (!open_session(session_folder())) return;
  g_recording = true;
  build_core(*session());
  share_cache();
  limit_collection();
  observe_heap();
  begin_recording(1);
  g_demand = demand_of(*session());
}

IRSB* instrument(VgCallbackClosure*, IRSB* block, const VexGuestLayout*, const VexGuestExtents*,
                 const VexArchInfo*, IRType, IRType) {
  forget_sites();
  return g_recording ? Instrumenter(g_demand, block).run() : block;
}

// Called before each thread's first instruction. The program's mappings are known when the first thread is
// about to run.
void first_instruction(ThreadId tid) {
  static bool program_started = false;
  if (!g_recording) return;
  if (!program_started) {
    record_program_start();
    find_all_entries();
    look_for_regions();
    begin_collection(tid);
  }
  program_started = true;
  thread_starts(tid);
}

void thread_exits(ThreadId tid) {
  if (g_recording) thread_ends(tid);
}

void time_slice_starts(ThreadId tid, ULong blocks) {
  if (g_recording) time_slice_begins(tid, blocks);
}

void time_slice_stops(ThreadId tid, ULong blocks) {
  if (g_recording) time_slice_ends(tid, blocks);
}

void mapped(Addr start, SizeT bytes, Bool, Bool, Bool executable, ULong) {
  if (!g_recording) return;
  record_mapping(start, bytes);
  find_entries(start, bytes, executable);
}

void break_moved(Addr start, SizeT bytes, ThreadId) {
  if (g_recording) record_break(start, bytes);
}

void unmapped(Addr start, SizeT bytes) {
  if (g_recording) forget_frames(start, bytes);
}

void protection_changed(Addr start, SizeT bytes, Bool, Bool, Bool executable) {
  if (!g_recording) return;
  if (executable) record_mapping(start, bytes);
  find_entries(start, bytes, executable);
}

void before_fork(ThreadId tid) {
  if (!g_recording) return;
  g_fork_pid = static_cast<uint32_t>(VG_(getpid)());
  g_fork_tid = kernel_tid(tid);
  __atomic_fetch_add(&session()->forks_under_way, 1, __ATOMIC_SEQ_CST);
}

void after_fork_in_parent(ThreadId) {
  if (g_recording) doubt_frames();
}

void after_fork_in_child(ThreadId tid) {
  if (!g_recording) return;
  doubt_frames();
  begin_recording(tid);
  forget_regions(tid);
  record_fork(g_fork_pid, g_fork_tid);
  __atomic_fetch_sub(&session()->forks_under_way, 1, __ATOMIC_SEQ_CST);
}

void before_system_call(ThreadId, UInt, UWord*, UInt) {}

void after_system_call(ThreadId tid, UInt number, UWord* arguments, UInt, SysRes result) {
  constexpr UWord kSetName = 15;  // PR_SET_NAME
  if (!g_recording) return;
  model_call_buffers(tid, number, arguments, result);
  if (number == __NR_madvise && !sr_isError(result) && gives_memory_back(arguments[2]))
    return forget_frames(arguments[0], arguments[1]);
  if (number != __NR_prctl) return;
  if (arguments[0] == kRegionOption) return obey_region(tid, arguments[1]);
  if (arguments[0] != kSetName || sr_isError(result)) return;
  record_comm(kernel_tid(tid), reinterpret_cast<const char*>(arguments[1]), false);
}

void finish(Int) {
  if (RingWriter* own = ring()) own->close();
}

void before_options() {
  take_session_from_environment();
  VG_(details_name)("hardmeter");
  VG_(details_version)(nullptr);
  VG_(details_description)("the software PMU");
  VG_(details_copyright_author)("Copyright (C) 2026 the hardmeter authors; GPL-2.0-or-later.");
  VG_(details_bug_reports_to)("the hardmeter project");
  VG_(details_avg_translation_sizeB)(600);
  VG_(basic_tool_funcs)(after_options, instrument, finish);
  VG_(needs_command_line_options)(process_option, print_usage, print_debug_usage);
  VG_(needs_syscall_wrapper)(before_system_call, after_system_call);
  VG_(track_pre_thread_first_insn)(first_instruction);
  VG_(track_pre_thread_ll_exit)(thread_exits);
  VG_(track_start_client_code)(time_slice_starts);
  VG_(track_stop_client_code)(time_slice_stops);
  VG_(track_new_mem_mmap)(mapped);
  VG_(track_new_mem_brk)(break_moved);
  VG_(track_change_mem_mprotect)(protection_changed);
  VG_(track_die_mem_munmap)(unmapped);
  VG_(track_die_mem_brk)(unmapped);
  VG_(atfork)(before_fork, after_fork_in_parent, after_fork_in_child);
}

}  // namespace
}  // namespace hm::soft::vg

extern "C" {
VG_DETERMINE_INTERFACE_VERSION(hm::soft::vg::before_options)
}
