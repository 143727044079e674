// SPDX-License-Identifier: GPL-2.0-or-later
// The calls of sites, placed after the last instruction of their block. There they add no taken branch to the
// usual path, and no load on the host's branch predictor and first-level cache.
#pragma once

#include <stdint.h>

namespace hm::soft::vg {

struct SlowPath {
  uint32_t branch_end;  // end of the branch to this path; its last 4 bytes are the displacement
  uint32_t resume;      // offset at which the block continues
  uint32_t value;       // passed to the thunk in eax
  void (*thunk)();
};

// Begins a block, whose code is emitted to `code` in pieces.
void begin_block(uint8_t* code);
// Begins the next piece, `bytes` after the beginning of the last one.
void next_piece(uint32_t bytes);

// Offsets in `path` are relative to the beginning of this piece.
bool has_room_for_slow_path();
void add_slow_path(const SlowPath& path);

// Appends all slow paths to this piece, which already has `length` bytes and ends in an unconditional jump.
// Sets the displacements of their branches. Returns the new length, at most kSlowPathRoom more.
inline constexpr uint32_t kSlowPathRoom = 95;
uint32_t append_slow_paths(uint8_t* piece, uint32_t length);

}  // namespace hm::soft::vg
