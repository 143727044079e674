// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "symbol/code/control_flow.h"
#include "symbol/code/far_jumps.h"
#include "symbol/code/waiting.h"
#include "symbol/files/dso.h"
#include "symbol/files/frame_extents.h"

namespace hm::symbol {

// Computes the predecessors of the instructions of one object. Decodes each function once. Not thread-safe.
class PredecessorFinder {
 public:
  explicit PredecessorFinder(Dso& dso) : dso_(dso) {}

  // `address` is in the object.
  [[nodiscard]] Predecessors at(uint64_t address);

 private:
  [[nodiscard]] std::optional<Extent> function_around(uint64_t address);
  [[nodiscard]] const ControlFlow& flow_of(const Extent& function);
  [[nodiscard]] std::vector<uint64_t> pointers_into(const Extent& function);
  [[nodiscard]] const ControlFlow& inner_flow_of(const Extent& function);
  [[nodiscard]] bool begins_instruction(const Way& jump);

  Dso& dso_;
  std::optional<FrameExtents> extents_;  // of an ELF file, set at the first use
  // Keyed by the function's start; inner_flows_ without and flows_ with the jumps from outside.
  std::unordered_map<uint64_t, ControlFlow> inner_flows_;
  std::unordered_map<uint64_t, ControlFlow> flows_;
  std::optional<std::vector<uint64_t>> code_pointers_;
  std::optional<FarJumps> far_jumps_;
};

}  // namespace hm::symbol
