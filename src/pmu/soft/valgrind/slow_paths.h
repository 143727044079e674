// SPDX-License-Identifier: GPL-2.0-or-later
// The calls of sites, gathered behind the last instruction of their block: there they cost the usual path
// neither a taken branch nor space in the host's branch predictor and first-level cache.
#pragma once

#include <stdint.h>

namespace hm::soft::vg {

struct SlowPath {
  uint32_t branch_end;  // of the branch that leads here; the 4 bytes before are its displacement
  uint32_t resume;      // where it comes back to
  uint32_t value;       // that the thunk gets in eax
  void (*thunk)();
};

// A block's code is about to be emitted to `code`, piece by piece.
void begin_block(uint8_t* code);
// The next piece begins `bytes` after the last one did.
void next_piece(uint32_t bytes);

// Offsets in `path` are from the beginning of this piece.
bool has_room_for_slow_path();
void add_slow_path(const SlowPath& path);

// Appends all of them to this piece, which is `length` long already and where nothing passes its end; leads
// their branches there. Returns the new length: at most kSlowPathRoom more.
inline constexpr uint32_t kSlowPathRoom = 95;
uint32_t append_slow_paths(uint8_t* piece, uint32_t length);

}  // namespace hm::soft::vg
