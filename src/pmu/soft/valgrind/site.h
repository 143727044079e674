// SPDX-License-Identifier: GPL-2.0-or-later
// Sites: positions in translated code with our own machine code. In VEX's intermediate representation a site
// is one statement: a call to the site's number instead of a function's address. When VEX emits that call,
// our machine code replaces it (site_code.cc). So VEX's passes process one statement instead of ten, and we
// choose the code.
#pragma once

#include <stdint.h>

#include "model/code_filter.h"
#include "pmu/soft/sampling/access_info.h"

namespace hm::soft::vg {

enum class SiteKind : uint8_t {
  kData,     // checks an access against the data filter; its address is the call's argument
  kFetch,    // checks a code line's presence word
  kAdvance,  // updates the hot counters
  kBranch,   // writes a branch record; the branch's target is the call's argument
  kCall,     // calls a thunk; its arguments are the call's
};

struct Site {
  SiteKind kind;
  uint16_t ticks;  // ticks of the segment before the site; added to the thread's tick, they give its stamp
  uint16_t loads, stores;  // kAdvance: totals of the segment
  uint32_t info;           // kData and kCall: a packed AccessInfo, if the thunk takes one
  uint64_t address;        // kFetch: of the line; kBranch: of the branch instruction
  union {
    model::CodePage* page;  // kFetch
    void (*thunk)();        // kCall
  };
};

// Sites of the block in translation: VEX translates one block at a time, from instrumentation to emission.
void forget_sites();
// Adds a site; returns the address to call. Ends the tool if there are more sites than a block can have.
uint64_t add_site(const Site& site);
// Returns the site that this call target represents, or null for other calls.
const Site* site_of(uint64_t target);

// Writes the site's machine code to `piece`, after the `length` bytes already there. Returns the new length,
// below 128. The code may use rax, rcx, rdx and r11, which VEX leaves to calls; arguments are in rdi and rsi.
uint32_t emit_site(const Site& site, uint8_t* piece, uint32_t length);

}  // namespace hm::soft::vg
