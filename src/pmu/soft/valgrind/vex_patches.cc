// SPDX-License-Identifier: GPL-2.0-or-later
// Where VEX is told about our sites and call-outs. The linker sends VEX's uses of these functions here
// (--wrap). Layouts: VEX/priv/host_amd64_defs.h and host_generic_regs.h of Valgrind 3.19, to which this tool
// is bound; the checks below keep a function as it was wherever something looks different.
#include "call_outs.h"
#include "site.h"

namespace {

// AMD64Instr, as far as Ain_Call is concerned.
struct Instruction {
  uint32_t tag;
  uint32_t unused;
  uint32_t condition;
  uint64_t target;
};

// HRegUsage begins with the sets of real registers read and written, a bit for each by its index in the
// universe.
struct RegisterUsage {
  uint64_t read;
  uint64_t written;
};

constexpr uint32_t kCallTag = 12;           // Ain_Call
constexpr uint32_t kAlways = 16;           // Acc_ALWAYS; below, the conditions as x86 numbers them
constexpr uint64_t kAllocable = 0xfffff;    // the first 20 registers of the universe are the allocator's
constexpr uint64_t kCallerSaved = 0xfffe0;  // of these, what a call clobbers: rsi rdi r8 r9 r10 xmm3-xmm12

bool is_ours(uint64_t target) {
  return hm::soft::vg::site_of(target) != nullptr ||
         (target >= reinterpret_cast<uint64_t>(hm_thunks_begin) &&
          target < reinterpret_cast<uint64_t>(hm_thunks_end));
}

}  // namespace

extern "C" {
void __real_getRegUsage_AMD64Instr(RegisterUsage* usage, const Instruction* instruction,
                                   unsigned char mode64);
int __real_emit_AMD64Instr(unsigned char* is_profile_counter, uint8_t* code, int room,
                           const Instruction* instruction, unsigned char mode64, int endness,
                           const void* chain_slow, const void* chain_fast, const void* indirect,
                           const void* assisted);

// VEX takes any call to clobber all caller-saved registers and therefore spills around it, on the path where
// the call is not taken too, and holds no vector register across it. Ours preserve every register it
// allocates.
void __wrap_getRegUsage_AMD64Instr(RegisterUsage* usage, const Instruction* instruction,
                                   unsigned char mode64) {
  __real_getRegUsage_AMD64Instr(usage, instruction, mode64);
  if (instruction->tag != kCallTag || !is_ours(instruction->target)) return;
  if ((usage->written & kAllocable) == kCallerSaved) usage->written &= ~kAllocable;
}

// Writes the code of a site in place of a call, behind a jump where the call is conditional.
int __wrap_emit_AMD64Instr(unsigned char* is_profile_counter, uint8_t* code, int room,
                           const Instruction* instruction, unsigned char mode64, int endness,
                           const void* chain_slow, const void* chain_fast, const void* indirect,
                           const void* assisted) {
  using namespace hm::soft::vg;  // NOLINT: of this function only
  const Site* site = instruction->tag == kCallTag ? site_of(instruction->target) : nullptr;
  if (site == nullptr) {
    return __real_emit_AMD64Instr(is_profile_counter, code, room, instruction, mode64, endness, chain_slow,
                                  chain_fast, indirect, assisted);
  }
  uint8_t* start = code;
  if (instruction->condition != kAlways) code += 2;
  uint32_t length = emit_site(*site, code);
  if (instruction->condition != kAlways) {
    start[0] = static_cast<uint8_t>(0x70 | (instruction->condition ^ 1));
    start[1] = static_cast<uint8_t>(length);
  }
  return static_cast<int>(code + length - start);
}

// VEX checks its own representation after every pass, a tenth of the time that short programs with much code
// take. The checks found nothing in what it makes since this version was released, and in what we make, tests
// do.
void __wrap_sanityCheckIRSB(const void*, const char*, unsigned char, int) {}
}
