// SPDX-License-Identifier: MIT
#include "app/measure/latency.h"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/status_line.h"
#include "pmu/shell_status.h"
#include "view/json/latency.h"
#include "view/text/latency.h"

namespace hm::cli {
namespace {

struct LatencyWords {
  measure::LatencyOptions what;
  bool json = false;
};

Result<host::MemoryCosts> measure_costs(measure::LatencyOptions options) {
  StatusLine line;
  count_interrupts();
  options.interrupts = interrupts;
  options.progress = [&](const host::SweepProgress& progress) {
    line.show({fmt::format("{} %", 100 * progress.done / progress.all),
               fmt::format("{} KiB", progress.size_bytes / 1024), "Ctrl-C ends it with what there is"});
  };
  return measure::measure_latency(options);
}

Result<int> print_latency(const LatencyWords& words) {
  Result<host::MemoryCosts> costs = measure_costs(words.what);
  if (!costs) return costs.error();
  return print(words.json ? json::latency_json(*costs) : text::latency_report(*costs, output_style()),
               costs->sweep.interrupted ? pmu::kInterruptedStatus : 0);
}

}  // namespace

Run add_latency(CommandLine& line) {
  auto words = std::make_shared<LatencyWords>();
  line.add_option("--cpu", words->what.cpu, "measure on this CPU (the one it runs on)").type("N");
  line.add_option("--max-size", words->what.max_size,
                  "the most memory to visit, such as 256M (four last-level caches)")
      .type("SIZE");
  line.add_flag("--quick", words->what.quick, "fewer sizes, shorter repetitions: some seconds");
  add_format_options(line, words->json);
  return [words] { return print_latency(*words); };
}

}  // namespace hm::cli
