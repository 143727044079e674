// SPDX-License-Identifier: MIT
#include "cli/recording_options.h"

namespace hm::cli {

void add_input_option(CommandLine& line, std::string& path) {
  line.add_option("-i,--input", path, "the recording; - is standard input").show_default();
}

void add_format_options(CommandLine& line, bool& json) {
  line.add_flag("--json", json, "print JSON");
  line.add_flag("--stdio", "print text (which is the default)");
}

void add_reading_options(CommandLine& line, query::Reading& reading) {
  line.add_flag("--raw-ip", reading.raw_ip,
                "leave samples of the clock event where they fell, not at the instruction that waited");
  line.add_flag("--trust-files", reading.trust_files,
                "take this machine's files for those that the recording names, also where it was made "
                "elsewhere and has no build-ids of them");
  line.add_option("--source-map", reading.source_rules,
                  "look for source files whose path begins with FROM below TO instead; repeatable")
      .one_at_a_time()
      .check([](std::string& rule) { return symbol::check_source_rule(rule); }, "")
      .type("FROM=TO");
}

void add_inline_option(CommandLine& line, bool& no_inline) {
  line.add_flag("--no-inline,--physical-functions", no_inline,
                "functions with a symbol and their lines, not what is inlined into them, also among callers");
}

void add_names_option(CommandLine& line, bool& full_names) {
  line.add_flag("--full-names", full_names,
                "functions with template arguments, parameters and all else that their names have");
}

void add_sizes_option(CommandLine& line, std::vector<std::string>& sizes) {
  line.add_option(
          "--sizes", sizes,
          "recordings made with --sizes of programs that crowd each other in the last-level cache, one "
          "of each: how to divide it follows from what they miss in other sizes")
      .separated_by(',')
      .type("FILE");
}

void add_filter_options(CommandLine& line, profile::FilterOptions& filter) {
  line.add_option("-e,--event", filter.events, "only these events").separated_by(',');
  add_task_filter_options(line, filter);
}

void add_task_filter_options(CommandLine& line, profile::FilterOptions& filter) {
  line.add_option("--comm", filter.comm, "only threads with this name");
  line.add_option("--pid", filter.pid, "only this process");
  line.add_option("--tid", filter.tid, "only this thread");
  line.add_option("--dso", filter.dso, "only this program or library, by path or by the path's last part");
}

}  // namespace hm::cli
