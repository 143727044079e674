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
  uint64_t registers[16];  // as instructions number them
  uint64_t flags;
  uint64_t fault_signal;   // 0: the block came to its end
  uint64_t fault_offset;   // of the instruction that faulted, from the block's begin
  uint64_t fault_address;  // of the data, where one faulted
  uint64_t fault_code;     // what the kernel says of the reason (siginfo's si_code)
  uint64_t fault_place;  // of an invalid opcode or an arithmetic fault: like fault_offset, as siginfo has it
  alignas(64) uint8_t x87[512];  // as fxsave writes it
  uint8_t vectors[32][64];
  uint64_t masks[8];
};

static_assert(offsetof(State, registers) == STATE_REGISTERS && offsetof(State, flags) == STATE_FLAGS);
static_assert(offsetof(State, x87) == STATE_X87 && offsetof(State, vectors) == STATE_VECTORS);
static_assert(offsetof(State, masks) == STATE_MASKS);

// Where things lie in the program that runs blocks: within reach of its own code, so that a block's end is a
// direct jump, across which flags live.
inline constexpr uint64_t kCodeBase = 0x20000000;
inline constexpr uint64_t kCodeBytes = 64u << 20;
// Memory that blocks read and write; around it is none.
inline constexpr uint64_t kArena = 0x30000000;
inline constexpr uint64_t kArenaBytes = 16384;
// As much again, as far from the code as an operand relative to rip reaches.
inline constexpr uint64_t kFarArena = 0x9ff00000;
inline constexpr uint64_t kFarArenaBytes = 4096;
// Behind it a page of a file that is shorter: SIGBUS.
inline constexpr uint64_t kBeyondFile = kArena + kArenaBytes;
inline constexpr uint64_t kBeyondFileBytes = 4096;
// Within reach of all this an engine may have memory of its own: a wild access to there is none that can be
// compared. Close to the arena there is none.
inline constexpr uint64_t kReachStart = 0x1000000;
inline constexpr uint64_t kReachEnd = 0xd0000000;
inline constexpr uint64_t kClose = 0x10000;
// A block is entered with its flags on the stack: its first instruction is popf.
inline constexpr uint8_t kPopFlags = 0x9d;

// Each block runs so often.
inline constexpr unsigned kRuns = 2;

// In a file of blocks, before each block's bytes.
struct BlockHeader {
  uint64_t seed;  // of the state that it starts from
  uint32_t bytes;
  // Of its first instruction that the processor is taken to lack (decode/features.h), or kNoneAbsent.
  uint32_t absent_at;
};
inline constexpr uint32_t kNoneAbsent = ~uint32_t{0};

}  // namespace hm::direct_test
#endif
