// SPDX-License-Identifier: MIT
#include "cli/recording_options.h"

#include "app/input.h"
#include "profile/loader.h"

namespace hm::cli {

void add_input_option(CLI::App& app, std::string& path) {
  app.add_option("-i,--input", path, "the recording; - is standard input")->capture_default_str();
}

void add_format_options(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "print JSON");
  app.add_flag("--stdio")->description("print text (which is the default)");
}

void add_raw_ip_option(CLI::App& app, bool& raw_ip) {
  app.add_flag("--raw-ip", raw_ip,
               "leave samples of the clock event where they fell, not at the instruction that waited");
}

void add_filter_options(CLI::App& app, profile::FilterOptions& filter) {
  app.add_option("-e,--event", filter.events, "only these events")->delimiter(',');
  app.add_option("--comm", filter.comm, "only threads with this name");
  app.add_option("--pid", filter.pid, "only this process");
  app.add_option("--tid", filter.tid, "only this thread");
  app.add_option("--dso", filter.dso, "only this program or library, by path or by the path's last part");
}

Result<profile::Profile> load_profile(const std::string& path, const symbol::Resolver& resolver,
                                      const profile::Needs& needs, bool raw_ip) {
  Result<app::Input> input = app::Input::open(path);
  if (!input) return input.error();
  Result<profile::Profile> profile =
      profile::load(input->reader(), resolver, {.needs = needs, .attribute_clock = !raw_ip});
  if (profile)
    profile->problems.insert(profile->problems.end(), input->problems().begin(), input->problems().end());
  return profile;
}

}  // namespace hm::cli
