// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/restart_areas.h"

#include "pmu/soft/direct/core/program_memory.h"
#include "pmu/soft/direct/emulate/defined_machine.h"
#include "pmu/soft/direct/process/attachment.h"
#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {
namespace {

// Copies that exist already do not treat sequences.
void use_sequences(uint32_t signature) {
  Guard guard(g_process.copies.lock());
  if (g_process.sequences.are_used()) return;
  g_process.sequences.begin(signature);
  g_process.copies.forget_all();
}

bool are_used() { return g_process.sequences.are_used(); }

}  // namespace

// The area has the number of the CPU, which a defined machine must not show. All threads of known programs
// have the same signature.
bool refuses_restart_area(const Thread& thread) {
  if (is_machine_defined() && !was_running()) return true;
  auto signature = static_cast<uint32_t>(thread.context.registers[kR10]);
  return are_used() && signature != g_process.sequences.signature();
}

void follow_restart_area(Thread& thread) {
  constexpr uint64_t kUnregister = 1;  // RSEQ_FLAG_UNREGISTER
  const uint64_t* r = thread.context.registers;
  if ((r[kDx] & kUnregister) != 0) {
    thread.restart_area = 0;
    return;
  }
  use_sequences(static_cast<uint32_t>(r[kR10]));
  thread.restart_area = r[kDi];
}

void take_restart_area(Thread& thread, const StartInfo& start) {
  if (start.restart_area == 0) return;
  use_sequences(start.restart_signature);
  if (start.restart_signature == g_process.sequences.signature()) thread.restart_area = start.restart_area;
}

void learn_begun_sequence(Thread& thread) {
  uint64_t descriptor = 0;
  if (thread.restart_area == 0 || !read_program(thread.restart_area + kDescriptorField, descriptor)) return;
  if (descriptor == 0 || descriptor == thread.last_sequence) return;
  thread.last_sequence = descriptor;
  Guard guard(g_process.copies.lock());
  if (!g_process.sequences.learn(descriptor)) return;
  const RestartableSequence& learned = g_process.sequences.newest();
  g_process.copies.forget_code(learned.start, learned.end);
}

uint64_t restarted(const Thread& thread, uint64_t ip) {
  RestartableSequence sequence;
  if (thread.restart_area == 0) return ip;
  Guard guard(g_process.copies.lock());
  return g_process.sequences.find(ip, sequence) ? sequence.abort : ip;
}

}  // namespace hm::soft::direct
