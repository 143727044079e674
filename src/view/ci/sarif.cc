// SPDX-License-Identifier: MIT
#include "base/json.h"
#include "view/ci/check_level.h"
#include "view/ci/formats.h"
#include "view/json/values.h"
#include "view/text/diff.h"

namespace hm::ci {
namespace {

using json::Json;

constexpr const char* kRule = "limit";

Json result_json(const diff::Check& check) {
  Json json{{"ruleId", kRule},
            {"level", level_of(check.verdict)},
            {"message", {{"text", check.limit.spec + ": " + text::check_sentence(check)}}}};
  if (check.limit.function) {
    Json function{{"name", *check.limit.function}, {"kind", "function"}};
    json["locations"] = Json::array({{{"logicalLocations", Json::array({function})}}});
  }
  return json;
}

}  // namespace

std::string sarif(const diff::Diff& result) {
  Json results = Json::array();
  for (const diff::Check& check : result.checks) {
    if (check.verdict != diff::Verdict::kWithin) results.push_back(result_json(check));
  }
  Json rule{{"id", kRule}, {"shortDescription", {{"text", "An event grew beyond its limit"}}}};
  Json driver{{"name", "hardmeter"}, {"rules", Json::array({rule})}};
  Json run{{"tool", {{"driver", driver}}}, {"results", std::move(results)}};
  return indented_json({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                        {"version", "2.1.0"},
                        {"runs", Json::array({run})}});
}

}  // namespace hm::ci
