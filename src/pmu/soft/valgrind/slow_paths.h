// SPDX-License-Identifier: GPL-2.0-or-later
// The calls of sites, placed after the last instruction of their block. There they cost the usual path
// neither a taken branch nor space in the host's branch predictor and first-level cache.
#pragma once

#include <stdint.h>

namespace hm::soft::vg {

struct SlowPath {
  uint32_t branch_end;  // end of the branch to this path; the 4 bytes before it are its displacement
  uint32_t resume;      // offset to which the path returns
  uint32_t value;       // passed to the thunk in eax
  void (*thunk)();
};

// Starts a block, whose code will be emitted to `code`, piece by piece.
void begin_block(uint8_t* code);
// Starts the next piece, `bytes` after the last piece's start.
void next_piece(uint32_t bytes);

// Offsets in `path` are relative to the start of this piece.
bool has_room_for_slow_path();
void add_slow_path(const SlowPath& path);

// Appends all slow paths to this piece, which has `length` bytes and which execution does not leave at its
// end. Sets their branches' targets. Returns the new length, at most kSlowPathRoom more.
inline constexpr uint32_t kSlowPathRoom = 95;
uint32_t append_slow_paths(uint8_t* piece, uint32_t length);

}  // namespace hm::soft::vg
