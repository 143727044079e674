// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "app/live/live_recording.h"
#include "app/measure/sampling_words.h"
#include "app/query/top.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/keyboard.h"
#include "cli/output.h"
#include "cli/program_options.h"
#include "cli/redrawn_text.h"
#include "cli/status_line.h"
#include "symbol/file_resolver.h"
#include "view/text/causes.h"
#include "view/text/format.h"
#include "view/text/progress.h"
#include "view/text/report.h"
#include "view/text/verdict.h"

namespace hm::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kUsualEvents = "l1_cache_miss,l2_cache_miss,dtlb_load_miss";
constexpr const char* kUsualBudget = "5%";

struct TopWords {
  ProgramWords program;
  measure::SamplingOptions sampling;
  double delay_s = 2;
  uint64_t most_views = 0;  // 0: until the processes or the user end it
};

class TopShow {
 public:
  TopShow(const TopWords& words, const live::LiveOptions& options, const symbol::Resolver& resolver)
      : words_(words), options_(options), resolver_(resolver) {}

  // Returns the sentence that is printed at the end.
  Result<std::string> run() {
    measure();
    while (interrupts() == 0 && !ended_) {
      if (Keyboard::wants_stop()) {
        stop();
        continue;
      }
      std::optional<Result<measure::Recorded>> end = live_->ended();  // before the last view is taken
      if (Status looked = look(end.has_value()); !looked) {
        if (interrupts() != 0) break;  // the terminal is gone (SIGHUP)
        return looked.error();
      }
      if (end) return farewell(*end);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return views_ == 0 && ended_by_count_ ? nothing_measured() : std::string();
  }

 private:
  void measure() {
    live_ = std::make_unique<Live>(
        options_, [this](const std::string& path) { return query::top({.input = path}, resolver_); });
    drawn_ = Clock::now();
    looks_drawn_ = 0;
  }

  // Releases the processes before this process stops: under the software PMU they would wait for this process
  // once their rings are full.
  void stop() {
    live_.reset();
    keyboard_.stop([] { return interrupts() != 0; });
    if (interrupts() == 0) measure();
  }

  Status look(bool is_last) {
    bool is_redrawn = keyboard_.take_redraw();
    if (is_redrawn) screen_.clear();
    std::string keys = keyboard_.pressed();
    for (char key : keys) obey(key);
    bool is_time = Clock::now() - drawn_ >= std::chrono::duration<double>(words_.delay_s);
    bool takes = !stopped_ && (is_time || is_last || !view_);
    if (std::unique_ptr<query::TopView> next = takes ? live_->take() : nullptr) {
      view_ = std::move(next);
      ++views_;
      return draw_next();
    }
    // A large view takes longer than the delay.
    if (is_time && !is_last && live_->looks() != looks_drawn_) return draw_next();
    return screen_.on_terminal() && (is_redrawn || !keys.empty()) ? draw() : Status();
  }

  void obey(char key) {
    if (key == ' ') stopped_ = !stopped_;
    if (key == 'e') ++event_;
    if (key == 'l') by_line_ = !by_line_;
    if (key == 'w') reasons_ = !reasons_;
    if (key == 'q') ended_ = true;
  }

  // Draws one of the views that --iterations counts.
  Status draw_next() {
    drawn_ = Clock::now();
    looks_drawn_ = live_->looks();
    ++screens_;
    if (words_.most_views != 0 && screens_ >= words_.most_views) ended_ = ended_by_count_ = true;
    return draw();
  }

  Status draw() {
    constexpr std::string_view kTitle = "hardmeter top: ";
    size_t width = screen_.on_terminal() ? output_style().width : SIZE_MAX;
    std::string text = fmt::format(
        "{}{}\n", kTitle,
        joined_to_fit(text::progress_fields(live_->progress()), width - std::min(width, kTitle.size() + 1)));
    if (screen_.on_terminal())
      text += fmt::format("[e]vent  [l]ines or functions  [w]hy  [space] {}  [q]uit\n",
                          stopped_ ? "go on" : "stop");
    if (!view_) return screen_.show(text + "\nno sample has come yet\n");
    if (view_->verdict) text += '\n' + fitted(text::verdict_line(*view_->verdict), width);
    if (screen_.on_terminal())
      text += '\n' + event_text(view_->events[event_ % view_->events.size()], RedrawnText::rows());
    for (size_t i = 0; i < view_->events.size() && !screen_.on_terminal(); ++i)
      text += '\n' + event_text(view_->events[i], kRowsOfText);
    return screen_.show(text);
  }

  // A line that a terminal need not break.
  static std::string fitted(std::string line, size_t width) {
    line.pop_back();
    return text::elided(line, width) + '\n';
  }

  // Returns the event's table in about `lines` lines.
  [[nodiscard]] std::string event_text(const query::TopEvent& event, size_t lines) const {
    const size_t kHead = (event.functions.no_shares.empty() ? 9 : 11) + (view_->verdict ? 2 : 0);
    hotspots::Hotspots table = by_line_ ? event.lines : event.functions;
    size_t rows = std::max<size_t>(lines, kHead + 3) - kHead;
    table.rows.resize(std::min(table.rows.size(), reasons_ ? rows / 2 : rows));
    std::string text = table.no_shares.empty() ? std::string() : table.no_shares + "\n\n";
    text += text::hotspots_title(table) + text::hotspots_table(table, output_style());
    return reasons_ ? text + '\n' + text::causes(event.causes, output_style()) : text;
  }

  [[nodiscard]] Result<std::string> farewell(const Result<measure::Recorded>& end) const {
    if (!end) return end.error();
    if (end->refusal) return make_error(ErrorCode::kIo, "{}", end->refusal->reason);
    if (!view_) return make_error(ErrorCode::kNotFound, "the measurement ended before a sample had come");
    std::string text =
        "hardmeter: the processes have ended, or the program beside which they were measured\n";
    for (const pmu::Remark& each : end->report.delivery)
      text += fmt::format("[ {}: {} ]\n", each.subject, each.text);
    for (const std::string& each : end->report.shortfalls) text += fmt::format("hardmeter: {}\n", each);
    return text;
  }

  [[nodiscard]] std::string nothing_measured() const {
    return fmt::format(
        "hardmeter: no sample came in {:.1f} s: the processes did not run, or none of the events happened\n",
        static_cast<double>(live_->progress().elapsed_ns) * 1e-9);
  }

  static constexpr size_t kRowsOfText = 28;

  using Live = live::LiveView<query::TopView>;

  const TopWords& words_;
  const live::LiveOptions& options_;
  const symbol::Resolver& resolver_;
  Keyboard keyboard_;
  RedrawnText screen_;
  Clock::time_point drawn_;
  std::unique_ptr<query::TopView> view_;
  uint64_t views_ = 0, screens_ = 0;  // views with new samples; all views
  uint64_t looks_drawn_ = 0;
  size_t event_ = 0;
  bool by_line_ = false, reasons_ = true, stopped_ = false, ended_ = false, ended_by_count_ = false;
  std::unique_ptr<Live> live_;  // declared last: its threads use the other members
};

Result<live::LiveOptions> live_options(TopWords& words) {
  ProgramWords& program = words.program;
  TargetWords& target = program.target;
  bool runs_already = !target.pids.empty() || !target.tids.empty() || target.whole_system ||
                      !target.cpus.empty() || !target.cgroup.empty();
  if (!runs_already)
    return make_error(ErrorCode::kInvalidArgument,
                      "top shows what runs already, and needs to know of what: processes (-p PID); a program "
                      "that is to be started is for hardmeter run");
  bool are_processes = !target.pids.empty() || !target.cgroup.empty();
  if (target.budget.empty() && are_processes && program.pmu != "linux") target.budget = kUsualBudget;
  Result<measure::MeasureOptions> what = read_program_options(program);
  if (!what) return what.error();
  live::LiveOptions options;
  options.record.what = *std::move(what);
  options.record.sampling = words.sampling;
  options.most_bytes = size_t{32} << 20;
  options.pause_for_each = 20;
  return options;
}

Result<int> show_top(TopWords words) {
  if (wants_cpu_list(words.program)) return print(cpu_list());
  Result<live::LiveOptions> options = live_options(words);
  if (!options) return options.error();
  count_interrupts();
  const symbol::FileResolver resolver;
  // The terminal is restored when TopShow is destroyed.
  Result<std::string> farewell = TopShow(words, *options, resolver).run();
  if (!farewell) return farewell.error();
  write_message(*farewell);
  return status_after(interrupts() != 0, 0);
}

}  // namespace

Run add_top(CommandLine& line) {
  auto words = std::make_shared<TopWords>();
  words->program.usual_events = kUsualEvents;
  words->program.answers_first = words->program.adds_waits = true;
  add_own_program_options(line, words->program);
  add_target_options(line, words->program.target);
  line.add_option("-c,--count", words->sampling.period,
                  "take a sample every so many events, or of the clock every so much time, such as 100us")
      .check(measure::check_period, "")
      .type("PERIOD");
  line.add_option("-d,--delay", words->delay_s, "how often what is shown is made anew, in seconds")
      .between(0.1, 3600.0)
      .show_default();
  line.add_option("-n,--iterations", words->most_views,
                  "end after so many views, also if there is nothing new to see; 0 is never")
      .show_default();
  line.set_footer(
      "Of running processes: hardmeter top -p PID. Where hardware cannot measure the events, the software "
      "PMU "
      "does, within --budget (5% where none is given). Without a terminal one view is printed after the "
      "other.");
  return [words] { return show_top(*words); };
}

}  // namespace hm::cli
