// SPDX-License-Identifier: MIT
// Which instruction a thread was waiting for when a clock's interrupt found it. The processor takes an
// interrupt between two instructions: it lets the oldest one finish first, so the instruction that held
// everything up is the one executed last before the place where the interrupt fell.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symbol/code/control_flow.h"
#include "symbol/code/data_access.h"
#include "symbol/code/far_jumps.h"
#include "symbol/files/dso.h"
#include "symbol/files/frame_extents.h"

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

// The places of one object. Each function is decoded once. Not safe to use from several threads.
class Places {
 public:
  explicit Places(Dso& dso) : dso_(dso) {}

  // By address in the object.
  [[nodiscard]] Place at(uint64_t address);

 private:
  [[nodiscard]] std::optional<Extent> function_around(uint64_t address);
  [[nodiscard]] const ControlFlow& flow_of(const Extent& function);
  [[nodiscard]] std::vector<uint64_t> pointers_into(const Extent& function);
  [[nodiscard]] const ControlFlow& inner_flow_of(const Extent& function);
  [[nodiscard]] bool begins_instruction(const Way& jump);

  Dso& dso_;
  std::optional<FrameExtents> extents_;  // of an ELF file, from the first use on
  // By the function's start, alone and with the jumps from outside.
  std::unordered_map<uint64_t, ControlFlow> inner_flows_;
  std::unordered_map<uint64_t, ControlFlow> flows_;
  std::optional<std::vector<uint64_t>> code_pointers_;
  std::optional<FarJumps> far_jumps_;
};

}  // namespace hm::symbol
