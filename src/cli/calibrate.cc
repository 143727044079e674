// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/status_line.h"
#include "host/calibration/calibration_run.h"
#include "host/calibration/profile_json.h"
#include "host/calibration/saved_profile.h"
#include "pmu/shell_status.h"
#include "view/text/calibration_text.h"

namespace hm::cli {
namespace {

struct CalibrateFlags {
  std::optional<int> cpu;
  std::string path;
  bool show = false;
  bool json = false;
};

Result<std::optional<host::MachineProfile>> measure(const CalibrateFlags& flags) {
  StatusLine line;
  count_interrupts();
  host::CalibrationOptions options{.cpu = flags.cpu, .interrupts = interrupts};
  options.progress = [&](const host::CalibrationProgress& progress) {
    line.show({fmt::format("{} %", 100 * progress.done / progress.all), progress.part,
               "Ctrl-C ends without a profile"});
  };
  return host::calibrate(options);
}

Result<int> print_profile(const CalibrateFlags& flags, const host::MachineProfile& profile) {
  return print(flags.json ? indented_json(host::to_json(profile))
                          : text::calibration_report(profile, output_style()));
}

Result<int> show(const CalibrateFlags& flags) {
  Result<host::MachineProfile> profile = host::read_profile(flags.path);
  if (!profile && profile.error().code == ErrorCode::kNotFound)
    return make_error(ErrorCode::kNotFound, "no machine profile {} yet: run hardmeter calibrate", flags.path);
  if (!profile) return profile.error();
  if (std::optional<std::string> other = host::mismatch(*profile))
    write_message(fmt::format("hardmeter: {}\n", *other));
  return print_profile(flags, *profile);
}

Result<int> calibrate(CalibrateFlags flags) {
  if (flags.path.empty()) flags.path = host::saved_profile_path();
  if (flags.path.empty())
    return make_error(ErrorCode::kInvalidArgument,
                      "HOME is not set, so there is no folder for the machine profile: give a file with -o");
  if (flags.show) return show(flags);
  Result<std::optional<host::MachineProfile>> profile = measure(flags);
  if (!profile) return profile.error();
  if (!*profile) return fail("interrupted: no machine profile was written", pmu::kInterruptedStatus);
  Status saved = host::save_profile(**profile, flags.path);
  Result<int> printed = print_profile(flags, **profile);  // a profile that cannot be saved is not lost
  if (!saved) return saved.error();
  write_message(fmt::format("[ hardmeter calibrate: profile written to {} ]\n", flags.path));
  return printed;
}

}  // namespace

Run add_calibrate(CommandLine& line) {
  auto flags = std::make_shared<CalibrateFlags>();
  line.add_option("--cpu", flags->cpu, "measure on this CPU (default: the current one)").type("N");
  line.add_option("-o,--output", flags->path,
                  "file of the machine profile (default: ~/.config/hardmeter/machine.json)")
      .type("FILE");
  line.add_flag("--show", flags->show, "print the saved profile, and measure nothing");
  add_format_options(line, flags->json);
  return [flags] { return calibrate(*flags); };
}

}  // namespace hm::cli
