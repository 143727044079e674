// SPDX-License-Identifier: MIT
// Which instruction a thread was waiting for when a clock's interrupt found it. The processor takes an
// interrupt between two instructions: it lets the oldest one finish first, so the instruction that held
// everything up is the one executed last before the place where the interrupt fell.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "symbol/code/control_flow.h"
#include "symbol/code/data_access.h"

namespace hm::symbol {

// Why it cannot be told.
enum class Untold : uint8_t {
  kKernel,       // it fell in the kernel
  kNoCode,       // no x86-64 ELF file with the code: code made at run time, a file that is gone
  kNotDecoded,   // no function is known there, or decoding it does not arrive at the place
  kEntry,        // a function's first instruction: control came from a caller
  kReturn,       // behind a call or a system call: control came from elsewhere
  kHalfDone,     // at a string instruction or a gather that may itself have been interrupted when half done
  kSeveralWays,  // the registers allow more than one way to the place
  kNoWay,        // nothing in the function leads there: it was entered in another way
};
inline constexpr size_t kUntoldCount = 8;

// "no_code", "not_decoded", ...: as in the JSON.
[[nodiscard]] std::string_view name_of(Untold reason);

// A way to a place, and what the instruction at its beginning accesses.
struct Arrival {
  Way way;
  DataAccess access;
};

// All that the code says about a place.
struct Place {
  std::optional<Untold> untold;  // then there are no arrivals
  std::vector<Arrival> arrivals;
};

struct Waiting {
  const Arrival* arrival = nullptr;  // into the place; nullptr where it cannot be told
  Untold untold = Untold::kNoWay;    // then, why
};

// `registers`: at the interrupt, which found the thread at `ip`. Of all ways, those that the registers rule
// out do not count; one must be left.
[[nodiscard]] Waiting waiting_at(const Place& place, const RegisterValues& registers, uint64_t ip);

}  // namespace hm::symbol
