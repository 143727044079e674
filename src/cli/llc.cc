// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>

#include "app/llc/monitor.h"
#include "app/llc/programs.h"
#include "app/llc/provider_choice.h"
#include "app/measure/loop.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/llc_words.h"
#include "cli/output.h"
#include "pmu/soft/ring/system_call.h"
#include "view/csv/occupancy.h"
#include "view/json/occupancy.h"
#include "view/text/occupancy.h"

namespace hm::cli {
namespace {

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

// Measures until the programs have ended, or as often as was asked for; then they are ended.
class LlcRun {
 public:
  // `provider`: null where the programs bring their own.
  LlcRun(const LlcWords& words, LlcPlan plan, std::unique_ptr<llc::Programs> programs,
         std::unique_ptr<rdt::Provider> provider)
      : words_(words),
        plan_(std::move(plan)),
        printer_(words),
        programs_(programs.get()),
        provider_(std::move(provider)) {
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
    if (!is_done()) show_end();
    if (!written_) return written_.error();
    bool interrupted = ran->outcome.interrupted && interrupts() != 0;
    return is_done() ? 0 : status_after(interrupted, ran->command.exit_status);
  }

 private:
  // As `perf stat` does: of what runs already, while one program runs, there is one figure.
  [[nodiscard]] bool tells_at_end() const {
    return !plan_.measures_programs && !plan_.programs.commands.empty() && !words_.batch &&
           words_.times == 0 && !words_.csv && !words_.json;
  }
  [[nodiscard]] bool is_done() const {
    return !written_ || is_over_ || (words_.times != 0 && printer_.printed() >= words_.times);
  }

  void refresh() {
    if (is_done()) return;
    bool is_first = !monitor_;
    if (is_first) begin();
    occupancy::Snapshot now = monitor_->refresh(soft::monotonic_ns());
    bool nobody_is_left = now.rows.empty() && !plan_.rows.processes.empty();
    if (nobody_is_left) {
      is_over_ = true;
    } else if (!is_first && !tells_at_end()) {
      written_ = printer_.print(now);
      told_ns_ = now.time_ns;
    }
  }
  void begin() {
    rdt::Provider& provider = provider_ ? *provider_ : *programs_->provider();
    llc::WantedRows rows = plan_.measures_programs
                               ? [this] { return programs_->rows(); }
                               : llc::wanted_rows(plan_.rows, std::make_shared<llc::TaskTable>());
    monitor_.emplace(provider, plan_.rows.by, std::move(rows));
  }
  // How it was at the end, unless that has just been told.
  void show_end() {
    uint64_t now_ns = soft::monotonic_ns();
    bool just_told =
        printer_.printed() != 0 && now_ns - told_ns_ < static_cast<uint64_t>(words_.delay_s * 1e9) / 4;
    if (just_told) return;
    occupancy::Snapshot end = monitor_->refresh(now_ns);
    if (tells_at_end()) {
      write_message('\n' + text::occupancy_table(end, {}));
    } else {
      written_ = printer_.print(end);
    }
  }

  const LlcWords& words_;
  LlcPlan plan_;
  Printer printer_;
  llc::Programs* programs_;
  std::unique_ptr<rdt::Provider> provider_;
  std::vector<std::unique_ptr<pmu::Source>> sources_;
  std::optional<llc::Monitor> monitor_;
  Status written_;
  uint64_t told_ns_ = 0;  // when it was printed last
  bool is_over_ = false;  // what was to be measured is no more
};

Result<int> watch(const LlcWords& words) {
  Result<LlcPlan> plan = read_llc_words(words);
  if (!plan) return plan.error();
  std::unique_ptr<rdt::Provider> provider;
  if (plan->provider.source != llc::SourceChoice::kModelled) {
    auto found = llc::open_provider(plan->provider);
    bool can_model = plan->measures_programs && plan->provider.source == llc::SourceChoice::kAuto;
    if (!found && !can_model) return found.error();
    if (found) provider = *std::move(found);
  }
  if (provider) {
    auto programs = llc::native_programs(plan->programs);
    return LlcRun(words, *std::move(plan), std::move(programs), std::move(provider)).run();
  }
  auto programs = llc::modelled_programs(plan->programs);
  if (!programs) return programs.error();
  return LlcRun(words, *std::move(plan), *std::move(programs), nullptr).run();
}

}  // namespace

Run add_llc(CommandLine& line) {
  auto words = std::make_shared<LlcWords>();
  add_llc_options(line, *words);
  return [words] { return watch(*words); };
}

}  // namespace hm::cli
