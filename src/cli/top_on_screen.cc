// SPDX-License-Identifier: MIT
#include "cli/top_on_screen.h"

#include <utility>

#include "cli/interrupts.h"
#include "cli/output.h"
#include "view/screen/top_screen.h"
#include "view/text/annotation_text.h"
#include "view/text/causes_text.h"
#include "view/text/progress_text.h"

namespace hm::cli {
namespace {

constexpr int kTopGlanceMs = 100;  // latency of interrupts and of new samples

using TopMode = screen::TopState::Mode;

class TopShow {
 public:
  TopShow(screen::Terminal& terminal, const TopOptions& options, const symbol::Resolver& resolver)
      : terminal_(terminal),
        resolver_(resolver),
        measurement_(options, resolver, true),
        screen_(options.title) {}

  Result<std::string> run() {
    draw();
    while (interrupts() == 0 && !screen_.state().finished && !terminal_.is_gone()) {
      if (screen::Terminal::wants_stop()) {
        stop();
        continue;
      }
      std::optional<Result<measure::Recorded>> end = measurement_.ended();  // before the last view is taken
      if (measurement_.look(!screen_.state().stopped, end.has_value())) show_new_view();
      if (end) return measurement_.farewell(*end);
      if (measurement_.had_enough()) break;
      obey(terminal_.wait(kTopGlanceMs));
    }
    return measurement_.farewell_after_views();
  }

 private:
  // Releases the processes before this process stops: under the software PMU they would wait for this process
  // once their rings are full.
  void stop() {
    measurement_.stop();
    terminal_.stop([] { return interrupts() != 0; });
    measurement_.start();
  }

  void show_new_view() {
    std::vector<screen::TopTables> tables;
    if (const query::TopView* view = measurement_.view()) {
      std::vector<std::string> head = top_head(*view);
      for (const query::TopEvent& event : view->events) {
        const cause::EventCauses& causes = event.causes.events.front();
        bool is_in_head = head.size() > 1 && causes.name == "memory_wait";
        tables.push_back({&event.functions, &event.lines, &event.causes,
                          is_in_head ? std::string() : text::cold_text(causes)});
      }
      screen_.update(std::move(tables), std::move(head));
    }
    draw();
  }

  void obey(int key) {
    if (key == screen::kNone) return;
    TopMode before = screen_.state().mode;
    screen_.press(key);
    if (before == TopMode::kTable && screen_.state().mode == TopMode::kSource) {
      screen_.show_code("reading the code ...\n");
      draw();
      screen_.show_code(code_of_selected());
    }
    draw();
  }

  // The code stays as it is, so that it can be read, while the measurement continues.
  std::string code_of_selected() const {
    const query::TopEvent& event = measurement_.view()->events[*screen_.event()];
    bool by_line = screen_.state().by_line;
    const hotspots::Row& row = (by_line ? event.lines : event.functions).rows[screen_.row()];
    std::string function = by_line ? event.line_functions[screen_.row()] : row.keys.front();
    if (!by_line && !row.short_file.empty())  // several functions have this name
      function = row.short_file + ':' + function;
    Result<annotate::Annotation> code = query::annotate_in(
        *measurement_.view(), event.functions.events.front().name, function, row.dso, resolver_);
    if (!code) return code.error().message + '\n';
    return text::annotation(*code, {.width = terminal_.size().columns}, 0);
  }

  void draw() {
    pmu::Progress progress = measurement_.progress();
    screen_.progress(text::cost_fields(progress), text::waiting_text(progress));
    screen_.resize(terminal_.size());
    terminal_.show(screen_.draw());
  }

  screen::Terminal& terminal_;
  const symbol::Resolver& resolver_;
  TopMeasurement measurement_;
  screen::TopScreen screen_;
};

}  // namespace

Result<std::string> top_on_screen(screen::Terminal& terminal, const TopOptions& options,
                                  const symbol::Resolver& resolver) {
  return TopShow(terminal, options, resolver).run();
}

}  // namespace hm::cli
