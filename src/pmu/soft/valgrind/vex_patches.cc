// SPDX-License-Identifier: GPL-2.0-or-later
// Adapts VEX's handling of sites and call-outs. The linker redirects VEX's calls of these functions here
// (--wrap). Layouts: VEX/priv/host_amd64_defs.h and host_generic_regs.h, which are the same in Valgrind 3.19,
// 3.24 and 3.27. If data does not look as expected, the checks below leave a function's behaviour unchanged.
#include "call_outs.h"
#include "site.h"
#include "slow_paths.h"
#include "valgrind_api.h"

namespace {

// AMD64Instr, limited to Ain_Call, Ain_XDirect, _XIndir and _XAssisted.
struct Instruction {
  uint32_t tag;
  union {
    struct {
      uint32_t condition;
      uint64_t target;
    } call;
    struct {
      uint64_t target;
      void* instruction_pointer;
      uint32_t condition;
    } transfer;
  };
};

// The beginning of HRegUsage: the sets of real registers read and written, with one bit for each index in the
// universe.
struct RegisterUsage {
  uint64_t read;
  uint64_t written;
};

// The argument of emit_AMD64Instr that describes the host: an enumerator in 3.19 and 3.24, a pointer in 3.27.
// Both are passed in one register.
using HostDescription = uint64_t;

constexpr uint32_t kCallTag = 12;           // Ain_Call
constexpr uint32_t kFirstTransferTag = 13;  // Ain_XDirect
constexpr uint32_t kLastTransferTag = 15;   // Ain_XAssisted
constexpr uint32_t kAlways = 16;            // Acc_ALWAYS; smaller values are x86 condition codes
constexpr uint64_t kAllocable = 0xfffff;    // the allocator uses the first 20 registers of the universe
constexpr uint64_t kCallerSaved = 0xfffe0;  // of these, clobbered by a call: rsi rdi r8 r9 r10 xmm3-xmm12

bool is_ours(uint64_t target) {
  return hm::soft::vg::site_of(target) != nullptr || (target >= reinterpret_cast<uint64_t>(hm_thunks_begin) &&
                                                      target < reinterpret_cast<uint64_t>(hm_thunks_end));
}

uint32_t emit_conditional_site(const hm::soft::vg::Site& site, uint32_t condition, uint8_t* code) {
  if (condition == kAlways) return emit_site(site, code, 0);
  constexpr uint32_t kJumpBytes = 2;
  uint32_t end = emit_site(site, code, kJumpBytes);
  code[0] = static_cast<uint8_t>(0x70 | (condition ^ 1));
  code[1] = static_cast<uint8_t>(end - kJumpBytes);
  return end;
}

}  // namespace

extern "C" {
void __real_getRegUsage_AMD64Instr(RegisterUsage* usage, const Instruction* instruction,
                                   unsigned char mode64);
int __real_emit_AMD64Instr(unsigned char* is_profile_counter, uint8_t* code, int room,
                           const Instruction* instruction, unsigned char mode64, HostDescription host,
                           const void* chain_slow, const void* chain_fast, const void* indirect,
                           const void* assisted);

// VEX assumes that every call clobbers all caller-saved registers. It therefore spills around a call even on
// paths that do not take it, and holds no vector register across it. Calls of sites and thunks preserve every
// register that VEX allocates.
void __wrap_getRegUsage_AMD64Instr(RegisterUsage* usage, const Instruction* instruction,
                                   unsigned char mode64) {
  __real_getRegUsage_AMD64Instr(usage, instruction, mode64);
  if (instruction->tag != kCallTag || !is_ours(instruction->call.target)) return;
  if ((usage->written & kAllocable) == kCallerSaved) usage->written &= ~kAllocable;
}

VexTranslateResult __real_LibVEX_Translate(VexTranslateArgs* arguments);

VexTranslateResult __wrap_LibVEX_Translate(VexTranslateArgs* arguments) {
  hm::soft::vg::begin_block(arguments->host_bytes);
  return __real_LibVEX_Translate(arguments);
}

// Writes a site's code in place of its call, after a jump if the call is conditional. Appends the slow paths
// after an unconditional exit.
int __wrap_emit_AMD64Instr(unsigned char* is_profile_counter, uint8_t* code, int room,
                           const Instruction* instruction, unsigned char mode64, HostDescription host,
                           const void* chain_slow, const void* chain_fast, const void* indirect,
                           const void* assisted) {
  using namespace hm::soft::vg;  // NOLINT: of this function only
  const Site* site = instruction->tag == kCallTag ? site_of(instruction->call.target) : nullptr;
  uint32_t length;
  if (site == nullptr) {
    length = static_cast<uint32_t>(__real_emit_AMD64Instr(is_profile_counter, code, room, instruction, mode64,
                                                          host, chain_slow, chain_fast, indirect, assisted));
    bool leaves = instruction->tag >= kFirstTransferTag && instruction->tag <= kLastTransferTag;
    if (leaves && instruction->transfer.condition == kAlways) {
      static char message[] = "hardmeter: no room behind a block for what its sites call";
      if (length + kSlowPathRoom > static_cast<uint32_t>(room)) VG_(tool_panic)(message);
      length = append_slow_paths(code, length);
    }
  } else {
    length = emit_conditional_site(*site, instruction->call.condition, code);
  }
  next_piece(length);
  return static_cast<int>(length);
}

// VEX checks its own representation after every pass, which takes a tenth of the run time of short programs
// with much code. The checks have found no error in VEX's output since this version was released. Tests cover
// this tool's output.
void __wrap_sanityCheckIRSB(const void*, const char*, unsigned char, int) {}
}
