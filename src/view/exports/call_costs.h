// SPDX-License-Identifier: MIT
// Costs of functions and of their calls at each position in the code, from samples with call chains.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "profile/lookup.h"
#include "view/exports/export_selection.h"
#include "view/exports/stacks.h"

namespace hm::exports {

using Costs = std::vector<uint64_t>;  // by index of the exported event

struct CallCost {
  uint64_t samples = 0;
  Costs costs;
};

// A position in a function. If other functions are inlined there, it is that of their call.
struct Position {
  uint64_t address = 0;
  uint32_t line = 0;                                  // in the function's file; 0 if unknown
  auto operator<=>(const Position&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct PositionCost {
  Costs self;                          // empty if no sample is there
  std::map<uint32_t, CallCost> calls;  // by number of the called function
};

// A function as the source has it (profile::written_functions_at). All its inlined copies and its own code
// are one CostFunction.
struct CostFunction {
  std::string name;
  std::string object;    // path
  std::string file;      // source file; empty if unknown
  uint64_t address = 0;  // start of the function if it has a symbol, otherwise an address in it
  std::map<Position, PositionCost> positions{};
};

// The costs of a call are those of the samples in which it is the outermost call of its function. Thereby the
// costs of all calls of a function are its inclusive costs, also if it is recursive.
class CallCosts {
 public:
  explicit CallCosts(const Selection& selection);

  [[nodiscard]] const std::vector<uint32_t>& events() const { return events_; }
  [[nodiscard]] const Costs& total() const { return total_; }
  [[nodiscard]] const std::vector<CostFunction>& functions() const { return functions_; }

  // Calls functions that begin a call chain, if these are called or call themselves elsewhere.
  static constexpr const char* kNoCaller = "[no caller]";

 private:
  struct Frame {
    uint32_t function = 0;
    Position position;
  };

  [[nodiscard]] std::vector<Frame> chain_of(size_t sample);  // outermost first
  const std::vector<Frame>& frames_at(uint32_t location);    // outermost first
  uint32_t number_of(uint32_t location, const profile::WrittenFunction& function);
  void find_called(size_t sample);
  void add(size_t sample, size_t column, uint64_t weight);
  void add_call(const Frame& caller, uint32_t callee, size_t column, uint64_t weight);

  Selection selection_;
  Stacks stacks_;
  std::vector<uint32_t> events_;
  Costs total_;
  std::vector<CostFunction> functions_;
  std::map<std::tuple<uint32_t, std::string, std::string>, uint32_t> numbers_;  // by object, name and file
  std::map<uint32_t, uint32_t> symbols_;           // by index into Profile::functions
  std::map<uint32_t, std::vector<Frame>> frames_;  // by location
  std::vector<bool> is_called_;                    // by function
};

}  // namespace hm::exports
