// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>

#include "app/llc/llc_programs.h"
#include "app/llc/monitor.h"
#include "app/llc/provider_choice.h"
#include "app/measure/loop.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/llc_flags.h"
#include "cli/llc_output.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::cli {
namespace {

using occupancy::By;

// The provider of measurements and the running programs. If `provider` is null, the programs bring their own.
struct Measured {
  std::unique_ptr<llc::Programs> programs;
  std::unique_ptr<rdt::Provider> provider;
};

Result<Measured> open_measured(const LlcPlan& plan) {
  Measured measured;
  if (plan.provider.source != llc::SourceChoice::kModelled) {
    auto found = llc::open_provider(plan.provider);
    bool can_model =
        plan.measures_programs && plan.provider.source == llc::SourceChoice::kAuto && plan.ways.empty();
    if (!found && !can_model) return found.error();
    if (found) measured.provider = *std::move(found);
  }
  if (measured.provider) {
    measured.programs = llc::native_programs(plan.programs);
    return measured;
  }
  auto programs = llc::modelled_programs(plan.programs);
  if (!programs) return programs.error();
  measured.programs = *std::move(programs);
  return measured;
}

// Returns what rows can stand for with this provider. The initial choice comes first.
std::vector<By> possible_rows(const LlcPlan& plan, const Measured& measured) {
  std::vector<By> possible{plan.rows.by};
  if (!measured.provider || plan.measures_programs) return possible;
  const rdt::Capabilities& can = measured.provider->capabilities();
  for (By each : {By::kProcess, By::kTree, By::kCgroup, By::kThread, By::kVm, By::kCpu}) {
    bool can_be = each == By::kCpu ? can.cpus : can.threads;
    if (can_be && each != plan.rows.by) possible.push_back(each);
  }
  return possible;
}

// Measures until the programs have ended or the output is finished; then ends the programs.
class LlcRun {
 public:
  LlcRun(LlcPlan plan, Measured measured, LlcOutput& output)
      : plan_(std::move(plan)),
        programs_(*measured.programs),
        provider_(std::move(measured.provider)),
        output_(output) {
    sources_.push_back(std::move(measured.programs));
  }

  Result<int> run() {
    measure::Observer observer;
    observer.every_ns = output_.every_ns();
    observer.progress = [this](const pmu::Progress&) { look(); };
    observer.interrupts = [this] { return interrupts() + (is_done() ? 1 : 0); };
    Result<measure::Run> ran = measure::run(
        sources_, [](Bytes) { return Status(); }, observer);
    if (!ran) return ran.error();
    bool had_enough = output_.finished();
    if (!had_enough && written_ && !nobody_is_left_ && output_.wants_end()) take_snapshot();
    if (!had_enough && written_) output_.stay();
    if (!written_) return written_.error();
    bool interrupted = interrupts() != 0;
    return had_enough && !interrupted ? 0 : status_after(interrupted, ran->command.exit_status);
  }

 private:
  [[nodiscard]] bool is_done() const { return !written_ || nobody_is_left_ || output_.finished(); }

  void look() {
    if (is_done()) return;
    follow_wanted_by();
    if (output_.is_due()) take_snapshot();
    output_.poll();
  }

  void take_snapshot() {
    if (!monitor_) {
      written_ = check_ways();
      if (!written_) return;
      monitor_.emplace(make_monitor());
      if (!plan_.measures_programs && plan_.rows.processes.empty()) monitor_->show_foreign_groups();
    }
    occupancy::Snapshot now = monitor_->refresh(soft::monotonic_ns());
    nobody_is_left_ = now.rows.empty() && (!plan_.rows.processes.empty() || plan_.rows.of_xen);
    if (!nobody_is_left_) written_ = output_.take(now);
  }

  void follow_wanted_by() {
    std::optional<By> wanted = output_.wanted_by();
    if (!wanted || *wanted == plan_.rows.by) return;
    plan_.rows.by = *wanted;
    monitor_.reset();  // frees its monitoring groups for the next monitor
  }

  [[nodiscard]] rdt::Provider& provider() { return provider_ ? *provider_ : *programs_.provider(); }

  // Fails if a mask has bits beyond the cache's ways, or the provider cannot limit ways.
  Status check_ways() {
    uint64_t all = provider().capabilities().ways;
    for (uint64_t mask : plan_.ways) {
      if (all == 0)
        return make_error(ErrorCode::kUnsupported, "{} cannot restrict programs to cache ways",
                          provider().capabilities().name);
      if ((mask & ~all) != 0)
        return make_error(ErrorCode::kInvalidArgument,
                          "the cache has the ways {:x}, but {:x} contains others", all, mask);
    }
    return {};
  }

  [[nodiscard]] llc::Monitor make_monitor() {
    llc::WantedRows rows = plan_.measures_programs
                               ? [this] { return bounded_programs(); }
                               : llc::wanted_rows(plan_.rows, std::make_shared<llc::TaskTable>());
    return {provider(), plan_.rows.by, std::move(rows)};
  }

  [[nodiscard]] std::vector<llc::WantedRow> bounded_programs() const {
    std::vector<llc::WantedRow> rows = programs_.rows();
    for (size_t i = 0; i < std::min(rows.size(), plan_.ways.size()); ++i) rows[i].ways = plan_.ways[i];
    return rows;
  }

  LlcPlan plan_;
  llc::Programs& programs_;
  std::unique_ptr<rdt::Provider> provider_;
  LlcOutput& output_;
  std::vector<std::unique_ptr<pmu::Source>> sources_;
  std::optional<llc::Monitor> monitor_;
  Status written_;
  bool nobody_is_left_ = false;  // the measured processes have all ended
};

Result<int> watch(const LlcFlags& flags) {
  Result<LlcPlan> plan = read_llc_flags(flags);
  if (!plan) return plan.error();
  plan->programs.output = command_output(flags, *plan);
  Result<Measured> measured = open_measured(*plan);
  if (!measured) return measured.error();
  count_interrupts();
  Result<std::unique_ptr<LlcOutput>> output = open_llc_output(flags, *plan, possible_rows(*plan, *measured));
  if (!output) return output.error();
  return LlcRun(*std::move(plan), *std::move(measured), **output).run();
}

}  // namespace

Run add_llc(CommandLine& line) {
  auto flags = std::make_shared<LlcFlags>();
  add_llc_options(line, *flags);
  return [flags] { return watch(*flags); };
}

}  // namespace hm::cli
