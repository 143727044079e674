// SPDX-License-Identifier: MIT
#include <time.h>

#include <memory>
#include <optional>

#include "app/llc/monitor.h"
#include "app/llc/shared_programs.h"
#include "app/measure/loop.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/program_options.h"
#include "pmu/soft/ring/system_call.h"
#include "view/csv/occupancy.h"
#include "view/json/occupancy.h"
#include "view/text/occupancy.h"

namespace hm::cli {
namespace {

struct LlcWords {
  const CommandLine* line = nullptr;
  bool batch = false, csv = false, json = false;
  uint64_t times = 0;  // 0: until there is nothing left to measure
  double delay_s = 1;
  std::string engine = "auto";
  soft::GeometryOptions geometry;
};

// Prints snapshots, one after the other.
class Printer {
 public:
  explicit Printer(const LlcWords& words) : words_(words) {}

  Status print(const occupancy::Snapshot& snapshot) {
    std::string text = words_.json  ? json::occupancy_json(snapshot)
                       : words_.csv ? csv::occupancy_lines(snapshot)
                                    : text::occupancy_table(snapshot, output_style());
    if (printed_ == 0 && words_.csv) text.insert(0, csv::kOccupancyHeader);
    if (printed_ != 0 && !words_.csv && !words_.json) text.insert(0, "\n");
    ++printed_;
    return write_output(text);
  }
  [[nodiscard]] uint64_t printed() const { return printed_; }

 private:
  const LlcWords& words_;
  uint64_t printed_ = 0;
};

// Measures programs that share the modelled cache, from their start until the last has ended, or as often as
// was asked for; then they are ended.
class ProgramsRun {
 public:
  ProgramsRun(const LlcWords& words, std::unique_ptr<llc::SharedPrograms> programs)
      : words_(words), printer_(words), programs_(programs.get()) {
    sources_.push_back(std::move(programs));
  }

  Result<int> run() {
    count_interrupts();
    measure::Observer observer;
    observer.every_ns = static_cast<uint64_t>(words_.delay_s * 1e9);
    observer.progress = [this](const pmu::Progress&) { refresh(); };
    observer.interrupts = [this] { return interrupts() + (is_done() ? 1 : 0); };
    Result<measure::Run> ran = measure::run(
        sources_, [](Bytes) { return Status(); }, observer);
    if (!ran) return ran.error();
    if (!is_done()) show(snapshot());  // how it was at the end
    if (!written_) return written_.error();
    return is_done() ? 0 : status_after(ran->outcome.interrupted, ran->command.exit_status);
  }

 private:
  [[nodiscard]] bool is_done() const {
    return !written_ || (words_.times != 0 && printer_.printed() >= words_.times);
  }

  void refresh() {
    if (is_done()) return;
    bool is_first = !monitor_;
    if (is_first)
      monitor_.emplace(programs_->provider(), occupancy::By::kProgram, [this] { return programs_->rows(); });
    occupancy::Snapshot now = snapshot();
    if (!is_first) show(now);
  }
  occupancy::Snapshot snapshot() { return monitor_->refresh(soft::monotonic_ns()); }
  void show(const occupancy::Snapshot& snapshot) { written_ = printer_.print(snapshot); }

  const LlcWords& words_;
  Printer printer_;
  llc::SharedPrograms* programs_;
  std::vector<std::unique_ptr<pmu::Source>> sources_;
  std::optional<llc::Monitor> monitor_;
  Status written_;
};

Result<int> watch_programs(const LlcWords& words) {
  Result<std::vector<std::vector<std::string>>> commands = llc::split_commands(words.line->rest());
  if (!commands) return commands.error();
  llc::ProgramsOptions options;
  options.commands = *std::move(commands);
  options.engine = engine_named(words.engine);
  options.geometry = words.geometry;
  Result<std::unique_ptr<llc::SharedPrograms>> programs = llc::share_cache(options);
  if (!programs) return programs.error();
  return ProgramsRun(words, *std::move(programs)).run();
}

Result<int> watch(const LlcWords& words) {
  if (words.line->rest().empty())
    return make_error(ErrorCode::kInvalidArgument,
                      "there is no program to run: write `hardmeter llc -- PROGRAM ... , PROGRAM ...`");
  return watch_programs(words);
}

}  // namespace

Run add_llc(CommandLine& line) {
  auto words = std::make_shared<LlcWords>();
  words->line = &line;
  line.add_flag("-b,--batch", words->batch,
                "print, and do not take the screen; as where standard output is no terminal");
  line.add_option("-n,--iterations", words->times, "print so many times").positive().type("N");
  line.add_option("-d,--delay", words->delay_s, "so many seconds from one to the next")
      .between(0.02, 86400.0)
      .type("SECONDS")
      .show_default();
  line.add_flag("--csv", words->csv, "print CSV");
  line.add_flag("--json", words->json, "print JSON, a line each time");
  add_engine_choice(line, words->engine);
  add_machine_options(line, words->geometry);
  line.take_program();
  return [words] { return watch(*words); };
}

}  // namespace hm::cli
