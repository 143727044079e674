// SPDX-License-Identifier: GPL-2.0-or-later
#include "system_call_memory.h"

#include "collection.h"
#include "core_model.h"
#include "pmu/soft/sampling/accounting.h"
#include "pmu/soft/sampling/io_rings.h"
#include "pmu/soft/sampling/system_call_buffers.h"
#include "sampling.h"
#include "session_link.h"
#include "threads.h"

namespace hm::soft::vg {
namespace {

bool read_client(uint64_t from, void* to, uint64_t bytes) {
  if (!VG_(am_is_valid_for_client)(from, bytes, VKI_PROT_READ)) return false;
  __builtin_memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return true;
}

// Returns the thread's registers at its last system call.
VexGuestAMD64State state_at_call(ThreadId tid, uint64_t number) {
  constexpr uint64_t kInstructionBytes = 2;
  VexGuestAMD64State state;
  VG_(get_shadow_regs_area)(tid, reinterpret_cast<UChar*>(&state), 0, 0, sizeof(state));
  state.guest_RAX = number;
  state.guest_RIP -= kInstructionBytes;
  return state;
}

struct InCall {
  ThreadId tid;
  uint64_t number;

  static ModelledCore& core() { return g_core; }
  static Counters& counters() { return g_counters; }
  [[nodiscard]] uint64_t ip() const { return state_at_call(tid, number).guest_RIP; }
  static uint64_t site() { return 0; }
  static const AddressSources* address_sources() { return nullptr; }
  static bool read(uint64_t, uint64_t*) { return false; }
  void sample(EventId id, const Cause& cause, Tick now) const {
    VexGuestAMD64State state = state_at_call(tid, number);
    vg::sample(id, cause, now, &state);
  }
};

// Each access has a stamp of its own, because the models order lines by their stamps. But it takes no time.
void pass_slot() {
  g_core.tick += 2;
  g_core.costs.add_free_slots(1);
}

constinit IoRings g_rings;

}  // namespace

void model_call_buffers(ThreadId tid, UInt number, const UWord* arguments, SysRes result) {
  if (session()->system_call_memory == 0 || session()->models != Models::kAll || sr_isError(result)) return;
  CompletedCall call{number, {}, static_cast<int64_t>(sr_Res(result))};
  for (unsigned i = 0; i < 6; ++i) call.arguments[i] = arguments[i];
  Accounting account(InCall{tid, number});
  bool has_sizes = session()->sizes.lines.set_counts != 0;
  const auto model = [&](const CallBuffer& buffer) {
    for_each_line(buffer, g_core.machine.geometry().line_bytes, [&](uint64_t address, uint32_t bytes) {
      AccessInfo info = AccessInfo::of_kernel(bytes, buffer.written);
      account.on_kernel_data(address, info, g_core.tick);
      if (has_sizes) account.on_size(address, info);
      pass_slot();
    });
  };
  bool models = is_collected(tid);
  if (models) begin_counting_for(tid);
  if (models) visit_call_buffers(call, read_client, BufferVisitor(model));
  CompletedCall done[IoRings::kMaxDone];
  uint32_t count = 0;
  do {
    count = g_rings.follow(call, read_client, done);
    for (uint32_t i = 0; models && i < count; ++i)
      visit_call_buffers(done[i], read_client, BufferVisitor(model));
  } while (count == IoRings::kMaxDone);
  if (models) end_counting_for(tid);
}

}  // namespace hm::soft::vg
