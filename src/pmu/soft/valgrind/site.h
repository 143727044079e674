// SPDX-License-Identifier: GPL-2.0-or-later
// Sites: positions in translated code at which custom machine code is inserted. In VEX's intermediate
// representation a site is one statement: a call to an address that encodes the site's number. When VEX emits
// that call, the custom code is written instead (site_code.cc). VEX's passes then process one statement
// instead of ten, and the code is under this folder's control.
#pragma once

#include <stdint.h>

#include "model/code_filter.h"
#include "pmu/soft/sampling/access_info.h"

namespace hm::soft::vg {

enum class SiteKind : uint8_t {
  kData,     // checks an access against the data filter; the call's argument is the address
  kFetch,    // checks a code line's presence word
  kAdvance,  // updates the hot counters
  kBranch,   // writes a branch record; the call's argument is the branch target
  kCall,     // calls a thunk with the call's arguments
};

struct Site {
  SiteKind kind;
  uint16_t ticks;          // ticks of the segment before the site, added to the thread's tick to give the
                           // stamp
  uint16_t loads, stores;  // kAdvance: in the segment
  uint32_t info;           // kData and kCall: a packed AccessInfo, if the thunk takes one
  uint64_t address;        // kFetch: of the line; kBranch: of the branch instruction
  union {
    model::CodePage* page;  // kFetch
    void (*thunk)();        // kCall
  };
};

// Forgets the sites of the last block. VEX translates one block at a time, from instrumentation to emission.
void forget_sites();
// Adds a site and returns the address to call. Ends the tool if there are more sites than a block can have.
uint64_t add_site(const Site& site);
// Returns the site for this call target, or null for other calls.
const Site* site_of(uint64_t target);

// Appends the site's machine code to `piece`, which already has `length` bytes. Returns the new length, less
// than 128. The code may use rax, rcx, rdx and r11, which VEX reserves for calls; arguments are in rdi and
// rsi.
uint32_t emit_site(const Site& site, uint8_t* piece, uint32_t length);

}  // namespace hm::soft::vg
