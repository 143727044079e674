// SPDX-License-Identifier: MIT
// The stack of a sample as other tools show it: functions from the program's entry inwards, including inlined
// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "profile/lookup.h"
#include "view/exports/export_selection.h"

namespace hm::exports {

// Options for the names that are shown beside addresses.
struct Names {
  bool paths = true;      // full paths of source files, else only file names
  bool functions = true;  // function names, else only "[module+0x1000]" without inlined functions
};

struct Function {
  std::string name;  // as recorded: any bytes; never empty
  uint32_t dso = 0;
  std::string file;  // source file that defines it; empty if unknown
  bool operator==(const Function&) const = default;
};

struct Frame {
  uint32_t function = 0;  // number in Stacks
  uint32_t location = 0;  // index into Profile::locations
  uint32_t depth = 0;     // inline depth: number of functions that it is inlined into at its location
  std::string file{};     // source file of the line, not of the function, if it is inlined or included
  uint32_t line = 0;      // 0 if unknown
};

// Calls the resolver once for each location. Functions are numbered in the order in which they appear.
class Stacks {
 public:
  explicit Stacks(const Selection& selection, Names names = {})
      : selection_(selection), names_(names), by_location_(selection.profile.locations.size()) {}

  // Returns the frames of a location, innermost first and never empty. The last frame is the function with a
  // symbol. The reference is valid while this object lives.
  [[nodiscard]] const std::vector<Frame>& at(uint32_t location);
  // Returns the sample's location and those of its calls, innermost first, never empty.
  [[nodiscard]] std::vector<uint32_t> locations_of(size_t sample) const;
  // Returns the sample's frames, outermost first, never empty. The reference is valid until the next call.
  [[nodiscard]] const std::vector<const Frame*>& of(size_t sample);

  [[nodiscard]] const Function& function(uint32_t number) const { return functions_[number]; }
  [[nodiscard]] size_t functions() const { return functions_.size(); }
  // Returns the names of all functions so far, for formats that distinguish functions by their names alone.
  // Functions of one object that have one name and different files are "NAME (FILE)".
  [[nodiscard]] std::vector<std::string> labels() const;

 private:
  struct Origin {
    uint32_t location = 0;  // the first one with the function
    bool inlined = false;
  };

  [[nodiscard]] std::vector<Frame> frames_of(uint32_t location);
  uint32_t symbol_number(uint32_t location, const std::string& file);
  uint32_t inlined_number(uint32_t location, Function function);
  [[nodiscard]] profile::FunctionFiles files_of(uint32_t number) const;
  void label_equal_names(const std::vector<uint32_t>& numbers, std::vector<std::string>& labels) const;

  Selection selection_;
  Names names_;
  std::vector<std::vector<Frame>> by_location_;  // empty if not resolved yet
  std::vector<Function> functions_;
  std::vector<Origin> origins_;             // by function
  std::map<uint32_t, uint32_t> by_symbol_;  // by index into Profile::functions
  std::map<std::tuple<std::string, uint32_t, std::string>, uint32_t> inlined_;
  std::vector<const Frame*> stack_;
};

}  // namespace hm::exports
