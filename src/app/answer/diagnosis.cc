// SPDX-License-Identifier: MIT
#include "app/answer/diagnosis.h"

#include <fmt/format.h>

#include <string_view>

#include "view/json/values.h"

namespace hm::answer {
namespace {

std::string_view word_of(measure::Health health) {
  switch (health) {
    case measure::Health::kGood:
      return "ok";
    case measure::Health::kMissing:
      return "missing";
    case measure::Health::kNote:
      return "note";
  }
  return "";
}

}  // namespace

std::string diagnosis_text(const measure::Diagnosis& diagnosis) {
  std::string out;
  for (const measure::Finding& each : diagnosis.findings) {
    out += fmt::format("{:8} {:20} {}", word_of(each.health), each.subject, each.found);
    out += each.advice.empty() ? "\n" : fmt::format("; {}\n", each.advice);
  }
  return out + (diagnosis.can_record() ? "hardmeter record works here.\n"
                                       : "hardmeter record does not work here.\n");
}

std::string diagnosis_json(const measure::Diagnosis& diagnosis) {
  json::Json json{
      {"schema", json::kSchema}, {"can_record", diagnosis.can_record()}, {"findings", json::Json::array()}};
  for (const measure::Finding& each : diagnosis.findings) {
    json["findings"].push_back({{"subject", each.subject},
                                {"health", word_of(each.health)},
                                {"found", each.found},
                                {"advice", each.advice},
                                {"needed", each.needed}});
  }
  return indented_json(json);
}

}  // namespace hm::answer
