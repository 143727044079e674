// SPDX-License-Identifier: MIT
#include "base/json.h"
#include "view/ci/check_level.h"
#include "view/ci/formats.h"
#include "view/json/values.h"
#include "view/text/diff_text.h"

namespace hm::ci {
namespace {

using json::Json;

constexpr const char* kLimitRule = "limit";
constexpr const char* kMeasurementRule = "measurement";

std::string with_name(const diff::NamedDiff& result, const std::string& text) {
  return result.name.empty() ? text : result.name + ": " + text;
}

Json result_json(const diff::NamedDiff& result, const diff::Check& check) {
  std::string text = check.limit.spec + ": " + text::check_sentence(check);
  Json json{{"ruleId", kLimitRule},
            {"level", level_of(check.verdict)},
            {"message", {{"text", with_name(result, text)}}}};
  if (check.limit.function) {
    Json function{{"name", *check.limit.function}, {"kind", "function"}};
    json["locations"] = Json::array({{{"logicalLocations", Json::array({function})}}});
  }
  return json;
}

void add_results(const diff::NamedDiff& result, Json& results) {
  if (!result.failure.empty()) {
    results.push_back({{"ruleId", kMeasurementRule},
                       {"level", "error"},
                       {"message", {{"text", with_name(result, result.failure)}}}});
  }
  for (const diff::Check& check : result.diff.checks) {
    if (check.verdict != diff::Verdict::kWithin) results.push_back(result_json(result, check));
  }
}

Json rule_json(const char* id, const char* description) {
  return {{"id", id}, {"shortDescription", {{"text", description}}}};
}

}  // namespace

std::string sarif(Results results) {
  Json found = Json::array();
  for (const diff::NamedDiff& each : results) add_results(each, found);
  Json rules =
      Json::array({rule_json(kLimitRule, "An event grew beyond its limit"),
                   rule_json(kMeasurementRule, "A command could not be compared with its baseline")});
  Json driver{{"name", "hardmeter"}, {"rules", std::move(rules)}};
  Json run{{"tool", {{"driver", driver}}}, {"results", std::move(found)}};
  return indented_json({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                        {"version", "2.1.0"},
                        {"runs", Json::array({run})}});
}

}  // namespace hm::ci
