// SPDX-License-Identifier: MIT
// What the page asks, as a function: a path and its parameters in, JSON out. docs/page.md lists the paths.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "app/query/load.h"
#include "web/fleet.h"
#include "web/parameters.h"
#include "web/recorder.h"
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

  // From now on the page may record. `recorder` outlives this.
  void allow_recording(Recorder& recorder) { recorder_ = &recorder; }

  // From now on the page is about a store. `fleet` outlives this.
  void ask_store(Fleet& fleet) { fleet_ = &fleet; }

  // `path`: below /api/, such as "hotspots". What cannot be had is {"schema": 1, "error": SENTENCE}, with
  // status 400 for wrong parameters, 404 for what is not there, else 500.
  [[nodiscard]] Answer answer(std::string_view path, const Parameters::Given& given);

  // What changes something: "record" (`body`: parse_record_wish()) and "stop". Likewise.
  [[nodiscard]] Answer act(std::string_view path, const std::string& body);

  [[nodiscard]] size_t recordings();

  // Loads what the page will ask for at once, so that it need not wait for as long.
  void load_first();

 private:
  [[nodiscard]] Recording* recording(size_t number);
  // What has been recorded becomes one of them.
  void adopt_finished();

  [[nodiscard]] std::string list_recordings();
  [[nodiscard]] Result<std::string> compare(Parameters& parameters);
  [[nodiscard]] Result<std::string> find_answer(std::string_view path, Parameters& parameters);
  [[nodiscard]] Result<std::string> find_of_recording(std::string_view path, Parameters& parameters);

  std::mutex mutex_;  // of the list; a recording that is in it stays
  std::vector<std::unique_ptr<Recording>> recordings_;
  query::Reading reading_;
  std::string version_;
  Recorder* recorder_ = nullptr;
  Fleet* fleet_ = nullptr;
};

}  // namespace hm::web
