// SPDX-License-Identifier: MIT
// What the page asks, as a function: a path and its parameters in, JSON out. docs/page.md lists the paths.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/query/load.h"
#include "web/parameters.h"
#include "web/recordings.h"

namespace hm::web {

struct Answer {
  int status = 200;  // as HTTP's
  std::string json;
};

// May be asked by several threads at a time.
class Api {
 public:
  Api(const std::vector<std::string>& inputs, const query::Reading& reading, std::string version);

  // `path`: below /api/, such as "hotspots". What cannot be had is {"schema": 1, "error": SENTENCE}, with
  // status 400 for wrong parameters, 404 for what is not there, else 500.
  [[nodiscard]] Answer answer(std::string_view path, const Parameters::Given& given);

  [[nodiscard]] size_t recordings() const { return recordings_.size(); }

 private:
  [[nodiscard]] std::string list_recordings() const;
  [[nodiscard]] Result<std::string> compare(Parameters& parameters);

  std::vector<std::unique_ptr<Recording>> recordings_;
  query::Reading reading_;
  std::string version_;
};

}  // namespace hm::web
