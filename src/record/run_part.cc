// SPDX-License-Identifier: MIT
#include "record/run_part.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/byte_size.h"
#include "record/run_description.h"

namespace hm::record {
namespace {

constexpr const char *kStopped = "stopped", *kPart = "part";

double seconds(uint64_t ns) { return static_cast<double>(ns) / 1e9; }

void add_line(nlohmann::json& json, const std::string& text) {
  if (!json["delivery"].is_array()) json["delivery"] = nlohmann::json::array();
  auto& lines = json["delivery"];
  lines.insert(lines.begin(), nlohmann::json{{"event", "recording"}, {"how", text}});
}

// Keeps the last of the ascending times that are not later, and those behind it.
void keep_from(uint64_t time_ns, nlohmann::json& begins) {
  size_t first = 0;
  while (first + 1 < begins.size() && begins[first + 1] <= time_ns) ++first;
  begins.erase(begins.begin(), begins.begin() + static_cast<ptrdiff_t>(first));
}

// Keeps only the bursts and episodes of this part. Removes the errors of totals, which are not valid for a
// part.
void keep_later_bursts(nlohmann::json& bursts, const RunPart& part) {
  for (const char* key : {"count", "counted_slots", "exact_slots", "all_slots"}) {
    uint64_t before = part.bursts_before.is_object() ? number_in(part.bursts_before, key) : 0;
    uint64_t now = number_in(bursts, key);
    bursts[key] = now - std::min(now, before);
  }
  bursts.erase("relative_error");
  bursts.erase("wait_share_error");
  for (const char* key : {"episode_begins_ns", "part_begins_ns"}) {
    if (bursts.contains(key) && bursts[key].is_array()) keep_from(part.began_ns, bursts[key]);
  }
}

// Returns the object `member` of the description with these keys as numbers (0 if invalid); null if there is
// no such object.
nlohmann::json numbers_in(const nlohmann::json& description, const char* member,
                          std::initializer_list<const char*> keys) {
  auto found = description.find(member);
  if (found == description.end() || !found->is_object()) return {};
  nlohmann::json numbers;
  for (const char* key : keys) numbers[key] = number_in(*found, key);
  return numbers;
}

}  // namespace

nlohmann::json bursts_in(const Features& features) {
  nlohmann::json json = run_description(features);
  auto found = json.find("bursts");
  return found != json.end() && found->is_object() ? *found : nlohmann::json::object();
}

void restrict_to_part(const RunPart& part, Features& features) {
  nlohmann::json json = run_description(features);
  for (const char* key : {"totals", "cycles", "so_far"}) json.erase(key);
  json["elapsed_ns"] = part.end_ns - part.begin_ns;
  if (json.contains("bursts") && json["bursts"].is_object()) keep_later_bursts(json["bursts"], part);
  json[kPart] = {{"number", part.number}, {"begin_ns", part.begin_ns}, {"end_ns", part.end_ns}};
  add_line(
      json,
      fmt::format(
          "part {} of a recording in several files: {:.2f} to {:.2f} s of the run; exact counts are left out, as they are of the whole run",
          part.number, seconds(part.begin_ns), seconds(part.end_ns)));
  features.hardmeter = json_line(json);
  features.sample_time.reset();  // valid only for the whole run
}

std::string size_limit_text(const SizeLimit& limit) {
  std::string where = limit.max_bytes == 0 ? "its maximum number of samples"
                                           : byte_size_text(limit.max_bytes) + " (--max-size)";
  return fmt::format("stopped at {}: it contains the first {:.2f} s of {:.2f} s; the rest was not sampled",
                     where, seconds(limit.reached_ns), seconds(limit.elapsed_ns));
}

std::string with_size_limit(const std::string& description, const SizeLimit& limit) {
  nlohmann::json json = parse_json(description);
  if (!json.is_object()) json = nlohmann::json::object();
  json[kStopped] = {
      {"max_bytes", limit.max_bytes}, {"reached_ns", limit.reached_ns}, {"elapsed_ns", limit.elapsed_ns}};
  add_line(json, size_limit_text(limit));
  return json_line(json);
}

nlohmann::json size_limit_json(const nlohmann::json& description) {
  return numbers_in(description, kStopped, {"max_bytes", "reached_ns", "elapsed_ns"});
}

std::optional<SizeLimit> size_limit_in(const nlohmann::json& description) {
  nlohmann::json json = size_limit_json(description);
  if (json.is_null()) return std::nullopt;
  return SizeLimit{json["max_bytes"], json["reached_ns"], json["elapsed_ns"]};
}

nlohmann::json part_json(const nlohmann::json& description) {
  return numbers_in(description, kPart, {"number", "begin_ns", "end_ns"});
}

}  // namespace hm::record
