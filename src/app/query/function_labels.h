// SPDX-License-Identifier: MIT
// Names of functions in the rows of a comparison.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

// An inlined function at a location, by its source name.
struct InlinedFunction {
  std::string name, file;
};

// Names the functions of a profile's samples. A name is that of the symbol, or the source name and the file
// if an object has functions of this source name in several files.
class FunctionLabels {
 public:
  // Looks up the files of all locations with samples.
  FunctionLabels(const profile::Profile& profile, const symbol::Resolver& resolver);

  // `function`: an index of Profile::functions with samples.
  [[nodiscard]] std::string of(uint32_t function) const;
  // Returns true if the function's name has the file.
  [[nodiscard]] bool has_file(uint32_t function) const;
  // Returns the names of the functions that are inlined at a location with samples, innermost first, without
  // those that have the name of the function with a symbol.
  [[nodiscard]] std::vector<std::string> inlined_at(uint32_t location) const;

 private:
  using FunctionKey = std::pair<uint32_t, std::string>;  // object and source name

  void read_location(uint32_t location);
  [[nodiscard]] std::string start_file_of(uint32_t function) const;
  [[nodiscard]] std::optional<std::string> with_file(uint32_t dso, const std::string& source_name,
                                                     const std::string& file) const;

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  std::map<uint32_t, std::string> start_files_;         // by function
  std::vector<std::vector<InlinedFunction>> inlined_;   // by location
  std::map<FunctionKey, std::set<std::string>> files_;  // known source files
};

}  // namespace hm::query
