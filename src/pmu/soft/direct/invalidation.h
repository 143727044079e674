// SPDX-License-Identifier: MIT
// Code that changes: its copies must not be run again.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Its pages are copied from: the target's writes to them are noticed from now on, as far as it may write
// there. True where they were not before. Called with g_translation held, as are the others but
// resolve_write_to_code().
bool watch_code(uint64_t start, uint64_t end);

// [start, end) may hold other code from now on: after munmap, mprotect, mmap.
void forget_code(uint64_t start, uint64_t end);
// The copies that begin there are to be made anew.
void forget_block_at(uint64_t source);
// All copies are.
void forget_all_code();

// A write to `address` was refused by the system. True where it was refused for the engine's sake: it may be
// done now.
bool resolve_write_to_code(uint64_t address);

}  // namespace hm::soft::direct
