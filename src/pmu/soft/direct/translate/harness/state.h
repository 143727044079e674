/* SPDX-License-Identifier: MIT
   The state of registers before and after a run, with the offsets of its parts for run.S. */
#pragma once

#define STATE_FLAGS 128
#define STATE_VECTORS 144
#define CALL_BYTES 32

#ifndef __ASSEMBLER__
#include <stddef.h>
#include <stdint.h>

namespace hm::soft::direct {

struct State {
  uint64_t registers[16];  // by Reg
  uint64_t flags;
  uint64_t padding;
  uint8_t vectors[16][16];
};
static_assert(offsetof(State, flags) == STATE_FLAGS && offsetof(State, vectors) == STATE_VECTORS);

// Record of a copy's call to a thunk.
struct CallOut {
  uint64_t thunk;
  uint64_t r10, r11;  // the arguments
  uint64_t tick;      // tick at the block's beginning
};
static_assert(sizeof(CallOut) == CALL_BYTES);

}  // namespace hm::soft::direct
#endif
