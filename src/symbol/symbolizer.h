// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "symbol/dso.h"

namespace hm::symbol {

// Every object of a recording, each opened at most once.
class Symbolizer {
 public:
  // The reference stays valid as long as the symbolizer.
  Dso& dso(const std::string& path, const std::string& build_id) {
    std::unique_ptr<Dso>& dso = dsos_[{path, build_id}];
    if (dso == nullptr) dso = std::make_unique<Dso>(path, build_id);
    return *dso;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Dso>> dsos_;
};

}  // namespace hm::symbol
