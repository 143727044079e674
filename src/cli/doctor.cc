// SPDX-License-Identifier: MIT
#include "app/measure/doctor.h"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "view/json/values.h"

namespace hm::cli {
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

Result<int> run_doctor(bool json) {
  measure::Diagnosis diagnosis = measure::diagnose();
  return print(json ? diagnosis_json(diagnosis) : diagnosis_text(diagnosis), diagnosis.can_record() ? 0 : 1);
}

}  // namespace

Run add_doctor(CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  add_format_options(line, *json);
  return [json] { return run_doctor(*json); };
}

}  // namespace hm::cli
