// SPDX-License-Identifier: MIT
#include "cli/recording.h"

#include <fmt/format.h>

#include <fstream>

#include "cli/interrupts.h"
#include "cli/linux_run.h"
#include "cli/output.h"
#include "cli/soft_run.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

constexpr std::string_view kUsualSampledEvents = "l1_cache_miss,l2_cache_miss,dtlb_load_miss";

}  // namespace

void add_making_options(CommandLine& line, RecordingOptions& options) {
  options.program.usual_events = kUsualSampledEvents;
  add_program_options(line, options.program);
  add_sampling_options(line, options.sampling);
  line.add_option("-o,--output", options.output,
                  "the recording; an old one becomes FILE.old; - is standard output")
      .type("FILE")
      .show_default();
  line.add_flag("-q,--quiet", options.quiet, "say nothing but errors");
}

Result<Recorded> record_measurement(const Measurement& measurement, const RecordingOptions& options) {
  Result<app::PmuChoice> choice =
      app::choose_pmu(measurement.wish, measurement.events, measurement.only_a_command(), event::Use::kSample,
                      linux_pmu::this_kernel());
  if (!choice) return choice.error();
  count_interrupts();
  return choice->soft ? record_soft(measurement, options, choice->reason)
                      : record_linux(measurement, options, choice->reason);
}

Result<Recorded> make_recording(const RecordingOptions& options) {
  if (wants_cpu_list(options.program)) {
    if (Status written = write_output(cpu_list()); !written) return written.error();
    return Recorded{};
  }
  Result<Measurement> measurement = read_program_options(options.program);
  if (!measurement) return measurement.error();
  if (std::optional<int> status = refuse_missing_program(measurement->target.command))
    return Recorded{*status, false};
  bool soft_only = !options.sampling.allocators.empty();
  if (soft_only && measurement->wish == app::PmuWish::kAuto) measurement->wish = app::PmuWish::kSoft;
  return record_measurement(*measurement, options);
}

std::string recording_summary(uint64_t samples, uint64_t bytes, const std::string& output) {
  return fmt::format("[ hardmeter record: {}, {:.2f} MB written to {} ]\n",
                     text::count_of(samples, "sample", "samples"), static_cast<double>(bytes) / 1e6,
                     output == "-" ? "standard output" : output);
}

std::vector<std::string> own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace hm::cli
