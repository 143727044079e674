// SPDX-License-Identifier: MIT
// Drops copies of code that has changed.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// From now on notices the target's writes to the pages of [start, end), as far as it may write there, since
// code is copied from them. True where a page was not watched before. Called with g_translation held, as are
// the others but resolve_write_to_code().
bool watch_code(uint64_t start, uint64_t end);

// [start, end) may hold other code from now on: after munmap, mprotect, mmap.
void forget_code(uint64_t start, uint64_t end);
// The copies that begin at `source` are to be made anew.
void forget_block_at(uint64_t source);
// All copies are to be made anew.
void forget_all_code();

// A write to `address` has faulted. True where that was because the engine watches the page: it is writable
// now, and the write can be repeated.
bool resolve_write_to_code(uint64_t address);

}  // namespace hm::soft::direct
