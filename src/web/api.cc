// SPDX-License-Identifier: MIT
#include "web/api.h"

#include <optional>
#include <utility>

#include "app/query/comparison_query.h"
#include "symbol/file_resolver.h"
#include "view/json/diff_json.h"
#include "view/json/values.h"
#include "web/live.h"
#include "web/questions.h"

namespace hm::web {
namespace {

using json::Json;

Answer failed(const Error& error) {
  int status = error.code == ErrorCode::kInvalidArgument ? 400
               : error.code == ErrorCode::kNotFound      ? 404
                                                         : 500;
  return {status, compact_json({{"schema", json::kSchema}, {"error", error.message}})};
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Api::Api(const std::vector<std::string>& inputs, const query::Reading& reading, std::string version)
    : reading_(reading), version_(std::move(version)) {
  for (const std::string& input : inputs) recordings_.push_back(std::make_unique<Recording>(input, reading));
}

size_t Api::recordings() {
  MutexLock guard(mutex_);
  return recordings_.size();
}

void Api::load_first() {
  if (Recording* first = recording(0)) (void)first->code().use();  // a request reports the error, if any
}

Recording* Api::recording(size_t number) {
  MutexLock guard(mutex_);
  return number < recordings_.size() ? recordings_[number].get() : nullptr;
}

void Api::adopt_finished() {
  std::optional<std::string> path = recorder_ == nullptr ? std::nullopt : recorder_->take_finished();
  if (!path) return;
  MutexLock guard(mutex_);
  recordings_.push_back(std::make_unique<Recording>(*path, reading_));
}

std::string Api::list_recordings() {
  adopt_finished();
  MutexLock guard(mutex_);
  Json list = Json::array();
  for (size_t i = 0; i < recordings_.size(); ++i) {
    const std::string& path = recordings_[i]->path();
    list.push_back({{"id", i}, {"name", last_part(path)}, {"path", path}});
  }
  return compact_json({{"schema", json::kSchema},
                       {"version", version_},
                       {"allow_record", recorder_ != nullptr},
                       {"store", fleet_ == nullptr ? Json() : Json(fleet_->name())},
                       {"recordings", std::move(list)}});
}

Result<std::string> Api::compare(Parameters& parameters) {
  size_t last = recordings() - 1;
  Recording* before = recording(parameters.number("before", 0, last));
  Recording* after = recording(parameters.number("after", last, last));
  query::DiffOptions options;
  options.rows.sort = parameters.text("sort", "function");
  options.rows.reading = reading_;
  if (Status right = parameters.check(); !right) return right.error();
  if (before == nullptr || after == nullptr)
    return make_error(ErrorCode::kNotFound, "there is no recording yet");
  options.sides = {before->path(), after->path()};
  Result<diff::Diff> result = query::compare(options, query::resolver_for(reading_));
  if (!result) return result.error();
  return json::diff_json(*result);
}

Result<std::string> Api::find_of_recording(std::string_view path, Parameters& parameters) {
  Question question = find_question(path);
  if (question == nullptr) return make_error(ErrorCode::kNotFound, "/api/{} does not exist", path);
  size_t count = recordings();
  Recording* chosen = recording(parameters.number("recording", 0, count == 0 ? 0 : count - 1));
  if (chosen == nullptr) return make_error(ErrorCode::kNotFound, "there is no recording yet");
  return question(*chosen, parameters);
}

Result<std::string> Api::find_answer(std::string_view path, Parameters& parameters) {
  if (path == "diff") return compare(parameters);
  if (path.starts_with("fleet")) {
    if (fleet_ == nullptr)
      return make_error(ErrorCode::kNotFound, "the page has no store: start hardmeter ui --store STORE");
    return fleet_->answer(path, parameters);
  }
  if (path != "recordings" && path != "events" && path != "recorder" && path != "live")
    return find_of_recording(path, parameters);
  if (Status right = parameters.check(); !right) return right.error();
  if (path == "recordings") return list_recordings();
  if (path == "events") return events_of_machine();
  if (recorder_ == nullptr)
    return make_error(ErrorCode::kNotFound,
                      "recording from the page is not allowed: start hardmeter ui --allow-record");
  return path == "live" ? live_hotspots(recorder_->state()) : recorder_json(recorder_->state());
}

Answer Api::answer(std::string_view path, const Parameters::Given& given) {
  Parameters parameters(given);
  Result<std::string> found = find_answer(path, parameters);
  return found ? Answer{200, *std::move(found)} : failed(found.error());
}

Answer Api::act(std::string_view path, const std::string& body) {
  if (path != "record" && path != "stop")
    return failed(make_error(ErrorCode::kNotFound, "/api/{} accepts no data", path));
  if (recorder_ == nullptr)
    return failed(make_error(ErrorCode::kNotFound,
                             "recording from the page is not allowed: start hardmeter ui --allow-record"));
  if (path == "stop") {
    recorder_->stop();
  } else {
    Result<RecordWish> wish = parse_record_wish(body);
    if (!wish) return failed(wish.error());
    if (Status started = recorder_->start(*wish); !started) return failed(started.error());
  }
  return {200, recorder_json(recorder_->state())};
}

}  // namespace hm::web
