// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "symbol/files/dso.h"

namespace hm::symbol {

// Every object of a recording, each opened at most once.
class Symbolizer {
 public:
  Symbolizer() = default;
  explicit Symbolizer(const DebugFiles::Options& debug_files) : debug_files_(debug_files) {}

  // The reference stays valid as long as the symbolizer.
  Dso& dso(const std::string& path, const std::string& build_id) {
    std::unique_ptr<Dso>& dso = dsos_[{path, build_id}];
    if (dso == nullptr) dso = std::make_unique<Dso>(path, build_id, debug_files_);
    return *dso;
  }
  // What could not be looked for so far, a sentence each.
  [[nodiscard]] std::vector<std::string> problems() const { return debug_files_.problems(); }

 private:
  DebugFiles debug_files_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Dso>> dsos_;
};

}  // namespace hm::symbol
