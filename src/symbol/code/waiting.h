// SPDX-License-Identifier: MIT
// Finds the instruction that a thread was waiting for when a clock interrupt hit it. The processor takes an
// interrupt between two instructions and lets the oldest one finish first. The instruction that caused the
// wait is therefore the last one executed before the interrupted instruction.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "symbol/code/control_flow.h"
#include "symbol/code/data_access.h"

namespace hm::symbol {

// Why the instruction is unknown.
enum class Undetermined : uint8_t {
  kKernel,       // the sample is in the kernel
  kNoCode,       // no x86-64 ELF file with the code: code generated at run time, a deleted file
  kNotDecoded,   // no function is known at the location, or decoding it does not reach the location
  kEntry,        // a function's first instruction: control came from a caller
  kReturn,       // after a call or system call: control came from other code
  kHalfDone,     // at a string instruction or gather that may have been interrupted half done
  kSeveralWays,  // the registers are consistent with several ways to the location
  kNoWay,        // no instruction of the function leads there: control entered it in another way
};
inline constexpr size_t kUndeterminedCount = 8;

// Returns the name in the JSON: "no_code", "not_decoded", ...
[[nodiscard]] std::string_view name_of(Undetermined reason);

// A way to a code location, and the memory access of the instruction at its beginning.
struct Arrival {
  Way way;
  DataAccess access;
};

// The instructions that can run directly before one code location.
struct Predecessors {
  std::optional<Undetermined> undetermined;  // if set, there are no arrivals
  std::vector<Arrival> arrivals;
};

struct Waiting {
  const Arrival* arrival = nullptr;                  // points into the predecessors; nullptr if unknown
  Undetermined undetermined = Undetermined::kNoWay;  // the reason if unknown
};

// Returns the only one of `predecessors` that is consistent with `registers`, those at the interrupt at `ip`.
[[nodiscard]] Waiting waiting_at(const Predecessors& predecessors, const RegisterValues& registers,
                                 uint64_t ip);

}  // namespace hm::symbol
