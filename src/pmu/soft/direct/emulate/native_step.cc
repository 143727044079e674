// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/native_step.h"

#include "pmu/soft/direct/core/switch.h"
#include "pmu/soft/direct/core/thread.h"
#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/emulate/leaving.h"
#include "pmu/soft/direct/emulate/target_state.h"
#include "pmu/soft/direct/process/process.h"
#include "pmu/soft/direct/runtime/process_area.h"
#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {
namespace {

constexpr size_t kLongestInstruction = 15;
constexpr int32_t kTrace = 2;          // TRAP_TRACE
constexpr int32_t kAccessRefused = 2;  // SEGV_ACCERR

// Returns the number of bytes at `ip` that are known to be code; 0 if there is no code at `ip`.
size_t code_bytes_at(uint64_t ip) {
  g_process.knowledge.begin_block();
  uint64_t end = g_process.knowledge.executable_end(ip);
  if (end <= ip) return 0;
  return end - ip < kLongestInstruction ? end - ip : kLongestInstruction;
}

enum class Kind : uint8_t { kNone, kUnknown, kOrdinary, kUsesGs, kLoadsFlags, kSystemCall };

// Returns true if a prefix names the GS segment. This works even if the instruction cannot be decoded.
bool has_gs_prefix(const uint8_t* code, size_t bytes) {
  constexpr uint8_t kGsPrefix = 0x65;
  constexpr uint8_t kLegacyPrefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x66, 0x67, 0xf0, 0xf2, 0xf3};
  for (size_t i = 0; i < bytes; ++i) {
    if (code[i] == kGsPrefix) return true;
    bool is_prefix = false;
    for (uint8_t each : kLegacyPrefixes) is_prefix |= code[i] == each;
    if (!is_prefix) return false;
  }
  return false;
}

bool loads_flags(const Instruction& instruction) {
  constexpr uint8_t kPopf = 0x9d, kIret = 0xcf;
  return instruction.encoding == Encoding::kLegacy && instruction.map == 0 &&
         (instruction.opcode == kPopf || instruction.opcode == kIret);
}

Kind kind_at(uint64_t ip) {
  size_t bytes = code_bytes_at(ip);
  if (bytes == 0) return Kind::kNone;
  const auto* code = reinterpret_cast<const uint8_t*>(ip);
  Instruction instruction;
  if (!decode(code, bytes, ip, instruction))
    return has_gs_prefix(code, bytes) ? Kind::kUsesGs : Kind::kUnknown;
  if (uses_gs(instruction)) return Kind::kUsesGs;
  if (loads_flags(instruction)) return Kind::kLoadsFlags;
  return instruction.flow == Flow::kSystemCall ? Kind::kSystemCall : Kind::kOrdinary;
}

// Reports an instruction that ran although it cannot be decoded. Does not report an instruction again that
// was reported recently: it may be in a loop.
void report_unknown(const Thread& thread, uint64_t ip) {
  constexpr unsigned kRemembered = 64;
  static uint64_t reported[kRemembered];
  uint64_t& last = reported[ip % kRemembered];
  if (__atomic_exchange_n(&last, ip, __ATOMIC_RELAXED) == ip) return;
  g_process.recording.write(undecodable_notice(thread.pid, ip, code_bytes_at(ip)));
}

}  // namespace

void undo_invalid_branch(Core& core) {
  constexpr unsigned kAddressBits =
      48;  // 57 with five levels of page tables: the additional addresses fault either way
  auto target = static_cast<int64_t>(core.context.ip);
  bool is_canonical = target << (64 - kAddressBits) >> (64 - kAddressBits) == target;
  Instruction branch;
  size_t bytes = code_bytes_at(core.branch);
  if (is_canonical || !decode(reinterpret_cast<const uint8_t*>(core.branch), bytes, core.branch, branch))
    return;
  uint64_t& sp = core.context.registers[kSp];
  if (branch.flow == Flow::kIndirectCall) sp += sizeof(uint64_t);
  if (branch.flow == Flow::kReturn) sp -= sizeof(uint64_t) + branch.immediate;
  core.context.ip = core.branch;
}

// Returns true if the address is in memory that only the engine has mapped. Natively, there is no code.
bool is_in_engine(uint64_t ip) { return in_copied_code(ip) || (ip >= kEngineBase && ip < kEngineEnd); }

bool step_is_in_engine(const Core& core) {
  return core.thread->signals.native_step_due && is_in_engine(core.context.ip);
}

SignalInfo fault_at_unmapped_code(uint64_t ip, SignalContext& registers) {
  constexpr int32_t kNotMapped = 1;      // SEGV_MAPERR
  constexpr uint64_t kUserFetch = 0x14;  // error code of a page fault: fetched by the program
  constexpr uint64_t kPageFault = 14;    // the exception's number
  registers.trap = kPageFault;
  registers.error = kUserFetch;
  registers.fault_address = ip;
  SignalInfo info{};
  info.number = kSegv;
  info.code = kNotMapped;
  info.address = ip;
  return info;
}

const uint8_t* begin_native_step(Core& core) {
  SignalState& signals = core.thread->signals;
  Kind kind = kind_at(core.context.ip);
  if (kind == Kind::kUsesGs && may_leave(*core.thread)) leave_for(core, LeaveReason::kGsBase);
  signals.native_step_due = true;
  signals.native_step_is_unknown = kind == Kind::kUnknown;
  signals.loads_trap_flag = kind == Kind::kLoadsFlags;
  return reinterpret_cast<const uint8_t*>(hm_trap_for_signal);
}

void start_native_step(Core& core, UserContext& context) {
  SignalState& signals = core.thread->signals;
  signals.native_step_due = false;
  signals.native_step = true;
  context.registers.flags |= kTrapFlag;
  core.tick += 2;  // one instruction
}

bool end_native_step(Core& core, const SignalInfo& info, UserContext& context) {
  SignalState& signals = core.thread->signals;
  SignalContext& registers = context.registers;
  bool done = info.number == kTrap && info.code == kTrace;
  bool engines_page = info.number == kSegv && info.code == kAccessRefused;
  // The instruction runs again.
  if (engines_page && g_process.copies.resolve_write(info.address)) return false;
  if (done && is_in_other_segment(registers)) return false;  // single-step the next instruction, too
  signals.native_step = false;
  bool was_traced = signals.trap_flag;
  if (done && signals.loads_trap_flag) signals.trap_flag = (registers.flags & kTrapFlag) != 0;
  if (done && signals.native_step_is_unknown) report_unknown(*core.thread, core.context.ip);
  registers.flags &= ~kTrapFlag;
  if (signals.trap_flag) registers.flags |= kTrapFlag;
  if (!done || was_traced) return true;
  hide_target(core, registers);
  core.attention = 1;  // a signal may have arrived meanwhile
  return false;
}

bool is_at_system_call(const Core& core) { return kind_at(core.context.ip) == Kind::kSystemCall; }

}  // namespace hm::soft::direct
