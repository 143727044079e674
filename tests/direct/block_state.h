/* SPDX-License-Identifier: MIT
   The state that a block of instructions starts from and leaves behind, and where run_block.S finds its
   parts. */
#pragma once

#define STATE_REGISTERS 0
#define STATE_FLAGS 128
#define STATE_X87 192
#define STATE_VECTORS 704
#define STATE_MASKS 2752

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>

namespace hm::direct_test {

struct State {
  uint64_t registers[16];  // in the order of their encoding
  uint64_t flags;
  uint64_t fault_signal;   // 0: the block ran to its end
  uint64_t fault_offset;   // of the faulting instruction, relative to the block's start
  uint64_t fault_address;  // of the faulting data access
  uint64_t fault_code;     // reason given by the kernel (siginfo's si_code)
  uint64_t fault_place;    // siginfo's address of an invalid opcode or an arithmetic fault, like fault_offset
  uint64_t fault_trap;     // number of the processor's exception, and its error code, as the handler's
  uint64_t fault_error;    // context has them
  alignas(64) uint8_t x87[512];  // as fxsave writes it
  uint8_t vectors[32][64];
  uint64_t masks[8];
};

static_assert(offsetof(State, registers) == STATE_REGISTERS && offsetof(State, flags) == STATE_FLAGS);
static_assert(offsetof(State, x87) == STATE_X87 && offsetof(State, vectors) == STATE_VECTORS);
static_assert(offsetof(State, masks) == STATE_MASKS);

// Addresses in the program that runs blocks. They are within reach of its own code, so that a block ends in a
// direct jump, which preserves flags.
inline constexpr uint64_t kCodeBase = 0x20000000;
inline constexpr uint64_t kCodeBytes = 2u << 20;
// Memory that blocks read and write; nothing is mapped around it.
inline constexpr uint64_t kArena = 0x30000000;
inline constexpr uint64_t kArenaBytes = 16384;
// More memory, at the maximum distance of a rip-relative operand from the code.
inline constexpr uint64_t kFarArena = 0x9ff00000;
inline constexpr uint64_t kFarArenaBytes = 4096;
// A page behind the arena, mapped beyond the end of a file: SIGBUS.
inline constexpr uint64_t kBeyondFile = kArena + kArenaBytes;
inline constexpr uint64_t kBeyondFileBytes = 4096;
// The handler of a fault continues at the address here if it is one of a block; otherwise the block ends.
inline constexpr uint64_t kResumeSlot = kArena + kArenaBytes - 8;
// In this range an engine may have memory of its own, so a wild access there is not comparable. The engine
// has none close to the arena.
inline constexpr uint64_t kReachStart = 0x1000000;
inline constexpr uint64_t kReachEnd = 0xd0000000;
inline constexpr uint64_t kClose = 0x10000;
// A block starts with its flags on the stack: its first instruction is popf.
inline constexpr uint8_t kPopFlags = 0x9d;

// Size of the jump to the end of runs, which the runner writes behind each block.
inline constexpr uint64_t kJumpBytes = 5;

// Number of runs of each block.
inline constexpr unsigned kRuns = 2;
inline constexpr unsigned kStackPointerOfState = 4;  // number of rsp
inline constexpr uint32_t kAdjustFlagOfState = 0x10;
inline constexpr uint32_t kStatusFlagsOfState = 0x8d5;

// Precedes each block's bytes in a file of blocks.
struct BlockHeader {
  uint64_t seed;  // of the initial state
  uint32_t bytes;
  uint32_t entry;  // offset of the first instruction to run
  // Flags that are not compared: behind the block, and where it faults.
  uint32_t ignored_flags;
  uint32_t ignored_flags_at_fault;
  // Offset of the first instruction that the processor is assumed to lack (decode/features.h), or
  // kNoneAbsent.
  uint32_t absent_at;
  // Where an indirect call finds no canonical address, a copying engine has pushed the return address. The
  // word is below the stack pointer then.
  uint32_t ignores_pushed_word;
  uint32_t is_left_out;  // `block_runner range` does not run the block
  uint32_t unused;
};
inline constexpr uint32_t kNoneAbsent = ~uint32_t{0};

}  // namespace hm::direct_test
#endif
