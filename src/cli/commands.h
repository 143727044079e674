// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command.h"

namespace hm::cli {

Run add_agent(CommandLine& line);
Run add_archive(CommandLine& line);
Run add_annotate(CommandLine& line);
Run add_explain(CommandLine& line);
Run add_map(CommandLine& line);
Run add_check(CommandLine& line);
Run add_ci(CommandLine& line);
Run add_diff(CommandLine& line);
Run add_doctor(CommandLine& line);
Run add_latency(CommandLine& line);
Run add_calibrate(CommandLine& line);
Run add_export(CommandLine& line);
Run add_llc(CommandLine& line);
Run add_list(CommandLine& line);
Run add_lsp(CommandLine& line);
Run add_mcp(CommandLine& line);
Run add_overhead(CommandLine& line);
Run add_record(CommandLine& line);
Run add_report(CommandLine& line);
Run add_run(CommandLine& line);
Run add_stat(CommandLine& line);
Run add_store(CommandLine& line);
Run add_timeline(CommandLine& line);
Run add_top(CommandLine& line);
Run add_ui(CommandLine& line);

}  // namespace hm::cli
