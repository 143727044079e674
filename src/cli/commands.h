// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command.h"

namespace hm::cli {

Run add_annotate(CLI::App& app);
Run add_explain(CLI::App& app);
Run add_check(CLI::App& app);
Run add_diff(CLI::App& app);
Run add_doctor(CLI::App& app);
Run add_latency(CLI::App& app);
Run add_export(CLI::App& app);
Run add_list(CLI::App& app);
Run add_overhead(CLI::App& app);
Run add_record(CLI::App& app);
Run add_report(CLI::App& app);
Run add_run(CLI::App& app);
Run add_stat(CLI::App& app);

}  // namespace hm::cli
