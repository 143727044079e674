// SPDX-License-Identifier: MIT
// The page's API as a function: takes a path and its parameters and returns JSON. docs/page.md lists the
// paths.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/query/load.h"
#include "base/mutex.h"
#include "web/fleet_requests.h"
#include "web/page_recorder.h"
#include "web/parameters.h"
#include "web/recordings.h"

namespace hm::web {

struct Answer {
  int status = 200;  // HTTP status
  std::string json;
};

// Thread-safe.
class Api {
 public:
  Api(const std::vector<std::string>& inputs, const query::Reading& reading, std::string version);

  // Allows the page to record from now on. `recorder` must outlive this object.
  void allow_recording(Recorder& recorder) { recorder_ = &recorder; }

  // Makes the page query a store from now on. `fleet` must outlive this object.
  void query_store(Fleet& fleet) { fleet_ = &fleet; }

  // `path` is the part below /api/, such as "hotspots". A failure returns {"schema": 1, "error": SENTENCE}
  // with status 400 for wrong parameters, 404 if something does not exist, else 500.
  [[nodiscard]] Answer answer(std::string_view path, const Parameters::Given& given);

  // Handles requests with side effects: "record" (`body`: parse_record_wish()) and "stop". Failures are as in
  // answer().
  [[nodiscard]] Answer act(std::string_view path, const std::string& body);

  [[nodiscard]] size_t recordings();

  // Loads the data that the page requests first, to shorten its wait.
  void load_first();

 private:
  [[nodiscard]] Recording* recording(size_t number);
  // Adds a finished recording to the list.
  void adopt_finished();

  [[nodiscard]] std::string list_recordings();
  [[nodiscard]] Result<std::string> compare(Parameters& parameters);
  [[nodiscard]] Result<std::string> find_answer(std::string_view path, Parameters& parameters);
  [[nodiscard]] Result<std::string> find_of_recording(std::string_view path, Parameters& parameters);

  Mutex mutex_;  // guards the list; recordings are never removed from it
  std::vector<std::unique_ptr<Recording>> recordings_ HM_GUARDED_BY(mutex_);
  query::Reading reading_;
  std::string version_;
  Recorder* recorder_ = nullptr;
  Fleet* fleet_ = nullptr;
};

}  // namespace hm::web
