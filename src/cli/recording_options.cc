// SPDX-License-Identifier: MIT
#include "cli/recording_options.h"

#include <filesystem>

namespace hm::cli {

void add_input_option(CommandLine& line, std::string& path) {
  line.add_option("-i,--input", path, "the recording; - is standard input").show_default();
}

void add_format_options(CommandLine& line, bool& json) {
  line.add_flag("--json", json, "print JSON");
  line.add_flag("--stdio", "print text (the default)");
}

namespace {

std::string check_folder(std::string& word) {
  std::error_code error;
  return std::filesystem::is_directory(word, error) ? "" : word + " is no folder";
}

void add_folders(CommandLine& line, const std::string& name, std::vector<std::string>& folders,
                 const std::string& description) {
  line.add_option(name, folders, description).one_at_a_time().check(check_folder, "").type("DIR");
}

}  // namespace

void add_reading_options(CommandLine& line, query::Reading& reading) {
  line.add_flag("--raw-ip", reading.raw_ip, "do not attribute clock samples to the instruction that waited");
  line.add_flag(
      "--trust-files", reading.trust_files,
      "use this machine's files even if the recording was made elsewhere and lacks their build IDs");
  add_folders(
      line, "--symfs", reading.files.system_roots,
      "look for programs and libraries below this folder, at the paths that the recording names; several folders with several options");
  add_folders(
      line, "--debug-dir", reading.files.debug_folders,
      "look here, too, for programs and their debug files, by their build IDs; several folders with several options");
  line.add_option("--source-map", reading.source_rules,
                  "look for source files whose path begins with FROM below TO instead; repeatable")
      .one_at_a_time()
      .check([](std::string& rule) { return symbol::check_source_rule(rule); }, "")
      .type("FROM=TO");
}

void add_inline_option(CommandLine& line, bool& no_inline) {
  line.add_flag(
      "--no-inline,--physical-functions", no_inline,
      "show functions with a symbol and their lines, not the functions inlined into them, also as callers");
}

void add_names_option(CommandLine& line, bool& full_names) {
  line.add_flag("--full-names", full_names,
                "show full names of functions, with template arguments and parameters");
}

void add_sizes_option(CommandLine& line, std::vector<std::string>& sizes) {
  line.add_option(
          "--sizes", sizes,
          "recordings made with --sizes of the programs that share the last-level cache, one of each: the division of the cache follows from their misses in other sizes")
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
  line.add_option("--cgroup", filter.cgroup,
                  "only processes in this container (name or ID) or control group (systemd unit or path)");
  line.add_option("--dso", filter.dso, "only this program or library, by path or file name");
}

}  // namespace hm::cli
