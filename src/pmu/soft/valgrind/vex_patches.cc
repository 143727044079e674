// SPDX-License-Identifier: GPL-2.0-or-later
// Tells VEX's register allocator the truth about our call-outs: their thunks preserve every register it
// allocates.
//
// VEX takes any call to clobber all caller-saved registers and therefore spills around it, on the path where
// the call is not taken too, and holds no vector register across it. The linker sends VEX's uses of this
// function here (--wrap). Layouts: VEX/priv/host_amd64_defs.h and host_generic_regs.h of Valgrind 3.19, to
// which this tool is bound; the checks below keep the function as it was wherever something looks different.
#include "call_outs.h"

namespace {

// AMD64Instr, as far as Ain_Call is concerned.
struct Instruction {
  uint32_t tag;
  uint32_t unused;
  uint64_t condition;
  uint64_t target;
};

// HRegUsage begins with the sets of real registers read and written, a bit for each by its index in the
// universe.
struct RegisterUsage {
  uint64_t read;
  uint64_t written;
};

constexpr uint32_t kCallTag = 11;           // Ain_Call
constexpr uint64_t kAllocable = 0xfffff;    // the first 20 registers of the universe are the allocator's
constexpr uint64_t kCallerSaved = 0xfffe0;  // of these, what a call clobbers: rsi rdi r8 r9 r10 xmm3-xmm12

}  // namespace

extern "C" {
void __real_getRegUsage_AMD64Instr(RegisterUsage* usage, const Instruction* instruction,
                                   unsigned char mode64);

void __wrap_getRegUsage_AMD64Instr(RegisterUsage* usage, const Instruction* instruction,
                                   unsigned char mode64) {
  __real_getRegUsage_AMD64Instr(usage, instruction, mode64);
  if (instruction->tag != kCallTag) return;
  if (instruction->target < reinterpret_cast<uint64_t>(hm_thunks_begin) ||
      instruction->target >= reinterpret_cast<uint64_t>(hm_thunks_end)) {
    return;
  }
  if ((usage->written & kAllocable) == kCallerSaved) usage->written &= ~kAllocable;
}

// VEX checks its own representation after every pass, a tenth of the time that short programs with much code
// take. The checks found nothing in what it makes since this version was released, and in what we make, tests
// do.
void __wrap_sanityCheckIRSB(const void*, const char*, unsigned char, int) {}
}
