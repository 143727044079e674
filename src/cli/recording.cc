// SPDX-License-Identifier: MIT
#include "cli/recording.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/status_line.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

std::vector<std::string> own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

std::string summary(const app::SoftResult& result, const RecordingOptions& options) {
  std::string target = options.output == "-" ? "standard output" : options.output;
  return fmt::format("[ hardmeter record: {}, {:.2f} MB written to {} ]\n",
                     text::count_of(result.run.totals.samples, "sample", "samples"),
                     static_cast<double>(result.file_bytes) / 1e6, target) +
         fmt::format("[ software PMU (Valgrind {}): {} ]\n", soft::built_valgrind_version(),
                     soft::describe(result.geometry));
}

std::string warnings(const app::SoftResult& result) {
  const soft::Totals& totals = result.run.totals;
  std::string out;
  if (result.run.interrupted) out += "hardmeter: interrupted; what was measured until then is recorded\n";
  if (totals.unrecorded != 0) {
    out += fmt::format("hardmeter: {} could not be recorded and ran unmeasured\n",
                       text::count_of(totals.unrecorded, "process", "processes"));
  }
  if (totals.damaged_rings != 0) {
    out +=
        fmt::format("hardmeter: {} wrote over the memory that holds its samples; the rest of them is lost\n",
                    text::count_of(totals.damaged_rings, "process", "processes"));
  }
  return out;
}

}  // namespace

void add_making_options(CLI::App& app, RecordingOptions& options) {
  options.program.events = {"l1_cache_miss", "l2_cache_miss", "dtlb_load_miss"};
  add_program_options(app, options.program);
  add_sampling_options(app, options.sampling);
  app.add_option("-o,--output", options.output,
                 "the recording; an old one becomes FILE.old; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_flag("-q,--quiet", options.quiet, "say nothing but errors");
}

Result<Recorded> make_recording(const RecordingOptions& options) {
  if (wants_cpu_list(options.program)) {
    if (Status written = write_output(cpu_list()); !written) return written.error();
    return Recorded{};
  }
  Result<app::SoftOptions> soft = soft_options(options.program);
  if (!soft) return soft.error();
  if (std::optional<int> status = refuse_program(soft->command[0])) return Recorded{*status, false};
  take_sampling(options.sampling, *soft);
  count_interrupts();
  soft->interrupts = interrupts;

  auto status_line = std::make_unique<StatusLine>();
  if (!options.quiet)
    soft->progress = [&](const soft::RunProgress& progress) { status_line->show(progress); };
  Result<app::SoftResult> result = app::record_with_soft_pmu(*soft, options.output, own_command_line());
  status_line.reset();
  if (!result) return result.error();
  if (!options.quiet) write_message(summary(*result, options) + warnings(*result));
  for (const std::string& obstacle : result->obstacles) (void)fail(obstacle, 0);
  return Recorded{result->run.exit_status, true};
}

}  // namespace hm::cli
