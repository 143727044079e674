// SPDX-License-Identifier: MIT
#include "app/measure/doctor_checks.h"

#include <memory>

#include "app/answer/diagnosis.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"

namespace hm::cli {
namespace {

Result<int> run_doctor(bool json) {
  measure::Diagnosis diagnosis = measure::diagnose();
  return print(json ? answer::diagnosis_json(diagnosis) : answer::diagnosis_text(diagnosis),
               diagnosis.can_record() ? 0 : 1);
}

}  // namespace

Run add_doctor(CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  add_format_options(line, *json);
  return [json] { return run_doctor(*json); };
}

}  // namespace hm::cli
