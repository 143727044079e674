// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "analysis/totals/counting.h"
#include "app/soft_description.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/program_options.h"
#include "view/json/counting.h"
#include "view/text/counting.h"

namespace hm::cli {
namespace {

struct StatOptions {
  ProgramOptions program;
  std::string output;  // empty: standard error
  bool json = false;
};

totals::Counting counting_of(const app::SoftOptions& options, const app::SoftResult& result) {
  totals::Counting counting;
  counting.command = options.command;
  counting.pmu = fmt::format("software PMU (Valgrind {})", soft::built_valgrind_version());
  counting.machine = soft::describe(result.geometry);
  counting.exit_status = result.run.exit_status;
  counting.processes = result.run.totals.processes;
  counting.threads = result.run.totals.threads;
  counting.unrecorded_processes = result.run.totals.unrecorded;
  counting.cycles = result.run.totals.cycles;
  counting.cost_model = app::describe_cost_model(result.geometry.latency);
  counting.totals.elapsed_ns = result.run.elapsed_ns;
  for (event::EventId id : result.counted) {
    totals::EventTotal event{std::string(event::event_template(id).name), {}, {}, {}};
    event.count.exact = totals::Exact{result.run.totals.counts[event::index_of(id)], 0, 0};
    counting.totals.events.push_back(std::move(event));
  }
  totals::add_rates(counting.totals);
  return counting;
}

Status write_to_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return file ? Status() : Status(make_error(ErrorCode::kIo, "cannot write {}: {}", path, errno_text(errno)));
}

Status deliver(const StatOptions& options, const totals::Counting& counting) {
  std::string text = options.json ? json::counting_json(counting) : text::counting_report(counting, {});
  if (options.output == "-") return write_output(text);
  if (!options.output.empty()) return write_to_file(options.output, text);
  write_message(options.json ? text : '\n' + text);
  return {};
}

Result<int> run_stat(const StatOptions& options) {
  if (wants_cpu_list(options.program)) {
    if (Status written = write_output(cpu_list()); !written) return written.error();
    return 0;
  }
  Result<app::SoftOptions> soft = soft_options(options.program);
  if (!soft) return soft.error();
  if (std::optional<int> status = refuse_program(soft->command[0])) return *status;
  count_interrupts();
  soft->interrupts = interrupts;
  Result<app::SoftResult> result = app::count_with_soft_pmu(*soft);
  if (!result) return result.error();
  if (Status delivered = deliver(options, counting_of(*soft, *result)); !delivered) return delivered.error();
  if (result->run.interrupted) (void)fail("interrupted; the counts end there", 0);
  for (const std::string& obstacle : result->obstacles) (void)fail(obstacle, 0);
  return result->run.exit_status;
}

}  // namespace

Run add_stat(CLI::App& app) {
  auto options = std::make_shared<StatOptions>();
  add_program_options(app, options->program);
  app.add_option("-o,--output", options->output, "print there, not on standard error; - is standard output")
      ->type_name("FILE");
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return run_stat(*options); };
}

}  // namespace hm::cli
