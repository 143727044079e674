// SPDX-License-Identifier: MIT
// The stack of a sample as other tools show it: functions from the program's entry inwards, those that were
// inlined among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "view/exports/selection.h"

namespace hm::exports {

// What else than addresses is told.
struct Names {
  bool paths = true;      // where source files lie, else only their names
  bool functions = true;  // names of functions, else only "[module+0x1000]", and nothing of what is inlined
};

struct Function {
  std::string name;  // as recorded: any bytes; never empty
  uint32_t dso = 0;
  std::string file;  // of its source; empty: not known
  bool operator==(const Function&) const = default;
};

struct Frame {
  uint32_t function = 0;  // number in Stacks
  uint32_t location = 0;  // index into Profile::locations
  uint32_t depth = 0;     // how many functions it is inlined into at its location
  std::string file{};     // of the line: what is inlined or included may be of another file than the function
  uint32_t line = 0;      // 0: not known
};

// Asks the resolver once for each location. Functions have numbers in the order in which they appear.
class Stacks {
 public:
  explicit Stacks(const Selection& selection, Names names = {})
      : selection_(selection), names_(names), by_location_(selection.profile.locations.size()) {}

  // Of a location, innermost first, never empty: the last is the function with a symbol. Valid as long as
  // this.
  [[nodiscard]] const std::vector<Frame>& at(uint32_t location);
  // Where a sample was taken and where the functions around it were called, innermost first, never empty.
  [[nodiscard]] std::vector<uint32_t> locations_of(size_t sample) const;
  // Outermost first, never empty. Valid until the next call.
  [[nodiscard]] const std::vector<const Frame*>& of(size_t sample);

  [[nodiscard]] const Function& function(uint32_t number) const { return functions_[number]; }
  [[nodiscard]] size_t functions() const { return functions_.size(); }

 private:
  [[nodiscard]] std::vector<Frame> frames_of(uint32_t location);
  uint32_t symbol_number(uint32_t location, const std::string& file);
  uint32_t inlined_number(Function function);

  Selection selection_;
  Names names_;
  std::vector<std::vector<Frame>> by_location_;  // empty: not asked for so far
  std::vector<Function> functions_;
  std::map<uint32_t, uint32_t> by_symbol_;  // by index into Profile::functions
  std::map<std::tuple<std::string, uint32_t, std::string>, uint32_t> inlined_;
  std::vector<const Frame*> stack_;
};

}  // namespace hm::exports
