// SPDX-License-Identifier: GPL-2.0-or-later
// Sites: the places in translated code where something of ours stands. In VEX's intermediate representation a
// site is one statement, a call to an address that is no function but the site's number; when VEX comes to
// emit that call, machine code of our own takes its place (site_code.cc). So a check costs VEX's passes one
// statement instead of ten, and the code is what we want it to be.
#pragma once

#include <stdint.h>

#include "model/code_filter.h"
#include "pmu/soft/sampling/access_info.h"

namespace hm::soft::vg {

enum class SiteKind : uint8_t {
  kData,     // checks an access against the data filter; its address is the call's argument
  kFetch,    // checks a code line's word
  kAdvance,  // brings the hot counters up to date
  kBranch,   // writes a branch record; where it goes to is the call's argument
  kCall,     // calls a thunk; its arguments are the call's
};

struct Site {
  SiteKind kind;
  uint16_t ticks;          // of the segment before the site: its stamp is the thread's tick and these
  uint16_t loads, stores;  // kAdvance: of the segment
  uint32_t info;           // kData and kCall: a packed AccessInfo, if that means anything there
  uint64_t address;        // kFetch: of the line; kBranch: of the branch instruction
  union {
    model::CodePage* page;  // kFetch
    void (*thunk)();        // kCall
  };
};

// Sites of the block that is being translated: VEX does one at a time, from instrumentation to emission.
void forget_sites();
// Takes a place among them: the address to call. The tool gives up where there are more than any block has.
uint64_t add_site(const Site& site);
// The site that this call's target stands for, or null for other calls.
const Site* site_of(uint64_t target);

// Writes the site's machine code to `piece`, which is `length` long already; returns its new length: less
// than 128. It may use rax, rcx, rdx and r11, which VEX leaves to calls, and arguments are in rdi and rsi.
uint32_t emit_site(const Site& site, uint8_t* piece, uint32_t length);

}  // namespace hm::soft::vg
