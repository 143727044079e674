// SPDX-License-Identifier: MIT
#include "web/api.h"

#include <utility>

#include "app/query/comparison.h"
#include "symbol/file_resolver.h"
#include "view/json/diff.h"
#include "view/json/values.h"
#include "web/questions.h"

namespace hm::web {
namespace {

using json::Json;

std::string to_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Answer failed(const Error& error) {
  int status = error.code == ErrorCode::kInvalidArgument ? 400
               : error.code == ErrorCode::kNotFound      ? 404
                                                         : 500;
  return {status, to_text({{"schema", json::kSchema}, {"error", error.message}})};
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Api::Api(const std::vector<std::string>& inputs, const query::Reading& reading, std::string version)
    : reading_(reading), version_(std::move(version)) {
  for (const std::string& input : inputs) recordings_.push_back(std::make_unique<Recording>(input, reading));
}

std::string Api::list_recordings() const {
  Json list = Json::array();
  for (size_t i = 0; i < recordings_.size(); ++i) {
    const std::string& path = recordings_[i]->path();
    list.push_back({{"id", i}, {"name", last_part(path)}, {"path", path}});
  }
  return to_text({{"schema", json::kSchema},
                  {"version", version_},
                  {"allow_record", false},
                  {"recordings", std::move(list)}});
}

Result<std::string> Api::compare(Parameters& parameters) {
  size_t most = recordings_.size() - 1;
  uint64_t before = parameters.number("before", 0, most), after = parameters.number("after", most, most);
  query::DiffOptions options;
  options.sides = {recordings_[before]->path(), recordings_[after]->path()};
  options.rows.sort = parameters.text("sort", "function");
  options.rows.reading = reading_;
  if (Status right = parameters.check(); !right) return right.error();
  Result<diff::Diff> result = query::compare(options, symbol::FileResolver());
  if (!result) return result.error();
  return json::diff_json(*result);
}

Answer Api::answer(std::string_view path, const Parameters::Given& given) {
  Parameters parameters(given);
  if (path == "recordings") {
    Status right = parameters.check();
    return right ? Answer{200, list_recordings()} : failed(right.error());
  }
  if (path == "diff") {
    Result<std::string> compared = compare(parameters);
    return compared ? Answer{200, *std::move(compared)} : failed(compared.error());
  }
  Question question = find_question(path);
  if (question == nullptr) return failed(make_error(ErrorCode::kNotFound, "there is no /api/{}", path));
  uint64_t number = parameters.number("recording", 0, recordings_.size() - 1);
  Result<std::string> answered = question(*recordings_[number], parameters);
  return answered ? Answer{200, *std::move(answered)} : failed(answered.error());
}

}  // namespace hm::web
