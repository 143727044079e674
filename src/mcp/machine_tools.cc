// SPDX-License-Identifier: MIT
#include "app/answer/answer.h"
#include "app/answer/diagnosis.h"
#include "app/measure/doctor_checks.h"
#include "app/query/events.h"
#include "mcp/tools.h"
#include "view/json/event_list_json.h"

namespace hm::mcp {
namespace {

Result<Answer> list_events(const Call& call) {
  query::EventsOptions options{call.arguments.text("pattern", ""), call.arguments.text("cpu", "")};
  Result<event::HardwareEvents> events = query::list_events(options);
  if (!events) return events.error();
  return Answer{{answer::events_text(*events, !options.cpu.empty(), {})}, json::event_list_json(*events)};
}

Result<Answer> diagnose(const Call& /*call*/) {
  measure::Diagnosis diagnosis = measure::diagnose();
  return Answer{{answer::diagnosis_text(diagnosis)}, answer::diagnosis_json(diagnosis)};
}

}  // namespace

Tool list_tool() {
  return {.name = "list",
          .title = "Events",
          .description = "Lists the events that `run` can count and sample, with a description of each.",
          .arguments = {{"pattern", Type::kText, "only events whose name contains this text"},
                        {"cpu", Type::kText,
                         "also list the hardware encodings on this processor; host is this machine's"}},
          .call = list_events};
}

Tool doctor_tool() {
  return {
      .name = "doctor",
      .title = "What this machine can measure",
      .description =
          "Checks what hardmeter can measure on this machine, and describes the remedy for what is missing.",
      .arguments = {},
      .call = diagnose};
}

}  // namespace hm::mcp
