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

void add_raw_ip_option(CommandLine& line, bool& raw_ip) {
  line.add_flag("--raw-ip", raw_ip,
                "leave samples of the clock event where they fell, not at the instruction that waited");
}

void add_filter_options(CommandLine& line, profile::FilterOptions& filter) {
  line.add_option("-e,--event", filter.events, "only these events").separated_by(',');
  line.add_option("--comm", filter.comm, "only threads with this name");
  line.add_option("--pid", filter.pid, "only this process");
  line.add_option("--tid", filter.tid, "only this thread");
  line.add_option("--dso", filter.dso, "only this program or library, by path or by the path's last part");
}

}  // namespace hm::cli
