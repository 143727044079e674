// SPDX-License-Identifier: MIT
#include "cli/llc_output.h"

#include "cli/llc_on_screen.h"
#include "cli/output.h"
#include "cli/snapshot_sink.h"
#include "cli/timeline_on_screen.h"
#include "pmu/soft/ring/system_call.h"
#include "view/text/occupancy_text.h"

namespace hm::cli {
namespace {

uint64_t delay_ns(const LlcFlags& flags) { return static_cast<uint64_t>(flags.delay_s * 1e9); }

// Prints at regular intervals, but not at the very beginning, when nothing has happened yet.
class PrintedOutput final : public LlcOutput {
 public:
  PrintedOutput(const LlcFlags& flags, std::unique_ptr<SnapshotSink> sink)
      : flags_(flags), sink_(std::move(sink)) {}

  uint64_t every_ns() const override { return delay_ns(flags_); }
  Status take(const occupancy::Snapshot& snapshot) override {
    if (!began_) {
      began_ = true;
      return {};
    }
    taken_ns_ = snapshot.time_ns;
    return sink_->take(snapshot);
  }
  bool finished() const override { return flags_.times != 0 && sink_->taken() >= flags_.times; }
  bool wants_end() const override {
    return sink_->taken() == 0 || soft::monotonic_ns() - taken_ns_ > delay_ns(flags_) / 4;
  }

 private:
  const LlcFlags& flags_;
  std::unique_ptr<SnapshotSink> sink_;
  bool began_ = false;
  uint64_t taken_ns_ = 0;
};

// Prints one figure at the end, like `perf stat`: running processes are measured while one program runs.
class AtEnd final : public LlcOutput {
 public:
  explicit AtEnd(const LlcFlags& flags) : flags_(flags) {}

  uint64_t every_ns() const override { return delay_ns(flags_); }
  Status take(const occupancy::Snapshot& snapshot) override {
    if (is_end_) write_message('\n' + text::occupancy_table(snapshot, {}));
    return {};
  }
  bool finished() const override { return false; }
  bool wants_end() const override { return is_end_ = true; }

 private:
  const LlcFlags& flags_;
  mutable bool is_end_ = false;
};

class ScreenOutput final : public LlcOutput {
 public:
  ScreenOutput(std::unique_ptr<LlcOnScreen> screen, std::string end)
      : screen_(std::move(screen)), end_(std::move(end)) {}

  uint64_t every_ns() const override { return LlcOnScreen::kPollNs; }
  bool is_due() const override { return screen_->is_due(); }
  void poll() override { screen_->poll(0); }
  Status take(const occupancy::Snapshot& snapshot) override {
    screen_->update(snapshot);
    return {};
  }
  bool finished() const override { return screen_->finished(); }
  bool wants_end() const override { return true; }
  void stay() override {
    constexpr int kGlanceMs = 100;
    screen_->end(end_);
    while (!screen_->finished()) screen_->poll(kGlanceMs);
  }
  std::optional<occupancy::By> wanted_by() const override { return screen_->wanted_by(); }

 private:
  std::unique_ptr<LlcOnScreen> screen_;
  std::string end_;  // message to show after the measurement has ended
};

bool is_printed(const LlcFlags& flags) {
  return flags.batch || flags.csv || flags.json || flags.times != 0 || !flags.prometheus.empty();
}

bool reports_at_end(const LlcFlags& flags, const LlcPlan& plan) {
  return !plan.measures_programs && !plan.programs.commands.empty() && !is_printed(flags);
}

// True if standard output is a terminal and no other output format was requested.
bool takes_the_screen(const LlcFlags& flags, const LlcPlan& plan) {
  return !is_printed(flags) && !reports_at_end(flags, plan) && has_screen();
}

}  // namespace

pmu::CommandOutput command_output(const LlcFlags& flags, const LlcPlan& plan) {
  if (takes_the_screen(flags, plan)) return pmu::CommandOutput::kNowhere;
  return reports_at_end(flags, plan) ? pmu::CommandOutput::kAsIs : pmu::CommandOutput::kToStandardError;
}

Result<std::unique_ptr<LlcOutput>> open_llc_output(const LlcFlags& flags, const LlcPlan& plan,
                                                   std::vector<occupancy::By> possible) {
  if (takes_the_screen(flags, plan)) {
    Result<std::unique_ptr<LlcOnScreen>> screen = LlcOnScreen::open(std::move(possible), flags.delay_s);
    if (!screen) return screen.error();
    return std::unique_ptr<LlcOutput>(std::make_unique<ScreenOutput>(
        *std::move(screen),
        plan.measures_programs ? "the programs have ended" : "nothing is left to measure"));
  }
  if (reports_at_end(flags, plan)) return std::unique_ptr<LlcOutput>(std::make_unique<AtEnd>(flags));
  Result<std::unique_ptr<SnapshotSink>> sink =
      SnapshotSink::open({flags.batch, flags.csv, flags.json, flags.prometheus});
  if (!sink) return sink.error();
  return std::unique_ptr<LlcOutput>(std::make_unique<PrintedOutput>(flags, *std::move(sink)));
}

}  // namespace hm::cli
