// SPDX-License-Identifier: GPL-2.0-or-later
// Sites: places in translated code with machine code of our own. In VEX's intermediate representation a site
// is one statement: a call to an address that is no function but the site's number. When VEX emits that call,
// our machine code takes its place (site_code.cc). So VEX's passes process one statement instead of ten, and
// we choose the code.
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
  uint16_t ticks;          // of the segment before the site: its stamp is the thread's tick plus these
  uint16_t loads, stores;  // kAdvance: of the segment
  uint32_t info;           // kData and kCall: a packed AccessInfo, where the thunk takes one
  uint64_t address;        // kFetch: of the line; kBranch: of the branch instruction
  union {
    model::CodePage* page;  // kFetch
    void (*thunk)();        // kCall
  };
};

// Sites of the block that is being translated: VEX does one at a time, from instrumentation to emission.
void forget_sites();
// Adds a site; returns the address to call. Ends the tool where there are more sites than any block can have.
uint64_t add_site(const Site& site);
// The site that this call's target stands for, or null for other calls.
const Site* site_of(uint64_t target);

// Writes the site's machine code to `piece`, which is `length` long already; returns its new length: less
// than 128. It may use rax, rcx, rdx and r11, which VEX leaves to calls, and arguments are in rdi and rsi.
uint32_t emit_site(const Site& site, uint8_t* piece, uint32_t length);

}  // namespace hm::soft::vg
