// SPDX-License-Identifier: MIT
#include "cli/timeline_on_screen.h"

#include <unistd.h>

#include <memory>
#include <optional>

#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording_header.h"
#include "view/screen/terminal.h"
#include "view/screen/timeline_screen.h"

namespace hm::cli {
namespace {

constexpr int kGlanceMs = 100;  // latency of interrupts and of new samples

Error no_screen() {
  return make_error(ErrorCode::kUnsupported,
                    "this terminal cannot show a full screen (TERM): --stdio prints the time line");
}

std::string about(const query::RecordedHistory& recorded) {
  return recording_header(*recorded.profile, recorded.totals);
}

bool is_interrupted() { return interrupts() != 0; }

// Draws changes, and handles the next key.
class Show {
 public:
  explicit Show(screen::Terminal& terminal) : terminal_(terminal) {}

  void begin(const query::RecordedHistory& recorded, const timeline::Window& first) {
    line_.emplace(recorded.history, about(recorded), first);
    changed_ = true;
  }
  // Returns the screen for a change, and marks it for redrawing.
  screen::TimelineScreen& change() {
    changed_ = true;
    return *line_;
  }
  [[nodiscard]] bool has_begun() const { return line_.has_value(); }

  // Returns false if the user has quit or interrupted.
  bool obey_a_key() {
    if (is_interrupted()) return false;  // may be in the background, where drawing is not allowed
    if (changed_ && line_) {
      line_->resize(terminal_.size());
      terminal_.show(line_->draw());
    } else if (changed_) {
      terminal_.show({{0, 0, "no samples yet; press q to end"}});
    }
    int key = terminal_.wait(kGlanceMs);
    changed_ = key != screen::kNone;
    if (line_) line_->press(key);
    return (line_ ? !line_->finished() : key != 'q') && !is_interrupted() && !terminal_.is_gone();
  }

 private:
  screen::Terminal& terminal_;
  std::optional<screen::TimelineScreen> line_;
  bool changed_ = true;
};

class LiveShow {
 public:
  LiveShow(screen::Terminal& terminal, const live::LiveTimelineOptions& options,
           const timeline::Window& first, uint64_t span_ns, const symbol::Resolver& resolver)
      : terminal_(terminal),
        show_(terminal),
        options_(options),
        resolver_(resolver),
        first_(first),
        span_ns_(span_ns) {}

  Status run() {
    measure();
    do {
      if (screen::Terminal::wants_stop()) stop();
      // The last history is available only after the measurement has ended.
      std::optional<Result<measure::Recorded>> end = live_ ? live_->ended() : std::nullopt;
      take_history();
      if (end && !over_) {
        over_ = true;
        if (!end->ok()) return end->error();
        if (!show_.has_begun())
          return make_error(ErrorCode::kNotFound, "the processes ended before the first sample");
        show_.change().show_message("the processes have ended");
      }
    } while (show_.obey_a_key());
    return {};
  }

 private:
  void measure() {
    live_ =
        std::make_unique<live::LiveTimeline>(options_.live, live::make_history(options_.query, resolver_));
  }

  // Releases the processes before this process stops: under the software PMU they would wait for this process
  // once their rings are full. The display stays until the next measurement has samples.
  void stop() {
    live_.reset();
    terminal_.stop(is_interrupted);
    if (!over_ && !is_interrupted()) measure();
  }

  void take_history() {
    std::unique_ptr<query::RecordedHistory> next = live_ ? live_->take() : nullptr;
    if (!next) return;
    if (!show_.has_begun()) {
      show_.begin(*next, first_);
      show_.change().follow(span_ns_);
    }
    show_.change().update(next->history, about(*next));
    shown_ = std::move(next);
  }

  screen::Terminal& terminal_;
  Show show_;
  const live::LiveTimelineOptions& options_;
  const symbol::Resolver& resolver_;
  const timeline::Window& first_;
  uint64_t span_ns_;
  bool over_ = false;
  std::unique_ptr<query::RecordedHistory> shown_;
  std::unique_ptr<live::LiveTimeline> live_;
};

}  // namespace

bool has_screen() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0; }

Status show_on_screen(const query::RecordedHistory& recorded, const timeline::Window& first) {
  count_interrupts();
  screen::Terminal terminal(output_style().color);
  if (!terminal.works()) return no_screen();
  Show show(terminal);
  show.begin(recorded, first);
  while (show.obey_a_key()) {
    if (screen::Terminal::wants_stop()) terminal.stop(is_interrupted);
  }
  return {};
}

Status watch_on_screen(const live::LiveTimelineOptions& options, const timeline::Window& first,
                       uint64_t span_ns, const symbol::Resolver& resolver) {
  count_interrupts();
  screen::Terminal terminal(output_style().color);
  if (!terminal.works()) return no_screen();
  return LiveShow(terminal, options, first, span_ns, resolver).run();
}

}  // namespace hm::cli
