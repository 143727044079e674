// SPDX-License-Identifier: MIT
#include "cli/live_map.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/timeline_on_screen.h"
#include "view/screen/map_screen.h"
#include "view/screen/terminal.h"
#include "view/text/map_text.h"

namespace hm::cli {
namespace {

// Shows the map after each window.
class MapOutput {
 public:
  virtual ~MapOutput() = default;

  virtual Status show(const live::LiveMap& live) = 0;
  // Handles pressed keys.
  virtual void poll(live::LiveMap& /*live*/) {}
  [[nodiscard]] virtual bool finished() const { return false; }
  // Ctrl-Z.
  [[nodiscard]] virtual bool wants_stop() const { return false; }
  virtual void stop() {}
};

// Handles Ctrl-Z, if there is a terminal.
class StoppableOutput : public MapOutput {
 public:
  [[nodiscard]] bool wants_stop() const override { return screen::TerminalModes::wants_stop(); }
  void stop() override { modes_.stop(&is_over); }

 private:
  static bool is_over() { return interrupts() != 0; }

  screen::TerminalModes modes_;
};

class NoMapOutput final : public StoppableOutput {
  Status show(const live::LiveMap& /*live*/) override { return {}; }
};

class MapAsText final : public StoppableOutput {
 public:
  explicit MapAsText(const WatchOptions& options) : options_(options) {}

  Status show(const live::LiveMap& live) override {
    Result<map::Map> map = live.map(options_.columns());
    return write_output((map ? text::map_view(*map, output_style()) : map.error().message + '\n') + '\n');
  }

 private:
  const WatchOptions& options_;
};

class MapOnScreen final : public MapOutput {
 public:
  explicit MapOnScreen(const WatchOptions& options)
      : options_(options),
        terminal_(output_style().color),
        screen_(options.title, output_style(), first_state(options.live.map)) {}

  [[nodiscard]] bool works() const { return terminal_.works(); }

  Status show(const live::LiveMap& live) override {
    screen_.keep_windows(live.windows());
    update(live);
    draw();
    return {};
  }

  void poll(live::LiveMap& live) override {
    if (interrupts() != 0) return;  // may be in the background, where drawing is not allowed
    if (live.windows() == 0) draw();
    for (int key = terminal_.wait(0); key != screen::kNone; key = terminal_.wait(0)) {
      screen::MapState before = screen_.state();
      screen_.press(key);
      follow(before, live);
      update(live);
      draw();
    }
  }

  [[nodiscard]] bool finished() const override { return screen_.state().finished || terminal_.is_gone(); }
  [[nodiscard]] bool wants_stop() const override { return screen::Terminal::wants_stop(); }
  void stop() override {
    terminal_.stop([] { return interrupts() != 0; });
  }

 private:
  static screen::MapState first_state(const query::MapOptions& map) {
    screen::MapState state;
    if (map.cache.cache.empty()) state.level = map.cache.level;
    state.sets = map.sets;
    return state;
  }

  // Computes the windows for another cache, if a key has changed it.
  void follow(const screen::MapState& before, live::LiveMap& live) const {
    const screen::MapState& now = screen_.state();
    if (now.level == before.level && now.scale == before.scale && now.sets == before.sets) return;
    query::MapOptions map = live.chosen();
    map.sets = now.sets;
    if (now.level != before.level) {
      map.cache.level = now.level;
      map.cache.cache.clear();
    } else if (Result<map::Map> shown = live.map(1, now.back); shown && now.scale != before.scale) {
      uint64_t bytes = now.scale > before.scale ? 2 * shown->cache.bytes() : shown->cache.bytes() / 2;
      map.cache.cache = fmt::format("{},{},{}", bytes, shown->cache.sets.ways, shown->cache.line_bytes);
    }
    live.choose(map);
  }

  void update(const live::LiveMap& live) {
    Result<map::Map> map = live.map(options_.columns(), screen_.state().back);
    map ? screen_.update(*std::move(map), live.windows(), live.measured())
        : screen_.show_message(map.error().message);
  }

  void draw() {
    screen_.resize(terminal_.size());
    terminal_.show(screen_.draw());
  }

  const WatchOptions& options_;
  screen::Terminal terminal_;
  screen::MapScreen screen_;
};

// A terminal that cannot show a full screen (TERM=dumb) gets text, as a pipe does.
std::unique_ptr<MapOutput> open_output(const WatchOptions& options) {
  if (options.quiet) return std::make_unique<NoMapOutput>();
  if (has_screen()) {
    auto on_screen = std::make_unique<MapOnScreen>(options);
    if (on_screen->works()) return on_screen;
  }
  return std::make_unique<MapAsText>(options);
}

class Watch {
 public:
  Watch(const WatchOptions& options, const symbol::Resolver& resolver)
      : options_(options), live_(options.live, resolver), output_(open_output(options)) {}

  Result<map::Map> run() {
    measure::Observer observer = interruptible_observer();
    observer.every_ns = 50'000'000;  // latency of keys
    observer.progress = [&](const pmu::Progress&) { output_->poll(live_); };
    // Ctrl-Z ends a window early, so that the processes are released before this process stops. Otherwise
    // processes under the software PMU would wait for this process once their rings are full.
    observer.interrupts = [&] {
      return interrupts() + (output_->finished() || output_->wants_stop() ? 1 : 0);
    };
    std::string why_over;
    while (!is_over()) {
      if (output_->wants_stop()) {
        output_->stop();
        continue;
      }
      Status measured = live_.measure(observer);
      // A window that was cut short may lack samples.
      if (!measured && observer.interrupts() != 0) continue;
      bool ended = !measured && measured.error().code == ErrorCode::kNotFound && live_.windows() != 0;
      if (!measured && !ended) return measured.error();
      if (!measured) {
        why_over = measured.error().message;
        break;
      }
      if (Status shown = output_->show(live_); !shown) return shown.error();
    }
    output_.reset();  // restores the terminal
    if (!why_over.empty()) write_sentences(fmt::format("hardmeter: {}\n", why_over));
    return live_.map(options_.columns());
  }

 private:
  [[nodiscard]] bool is_over() const {
    return output_->finished() || interrupts() != 0 ||
           (options_.max_windows != 0 && live_.measured() >= options_.max_windows);
  }

  const WatchOptions& options_;
  live::LiveMap live_;
  std::unique_ptr<MapOutput> output_;
};

}  // namespace

Result<map::Map> watch(const WatchOptions& options, const symbol::Resolver& resolver) {
  return Watch(options, resolver).run();
}

}  // namespace hm::cli
