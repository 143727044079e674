// SPDX-License-Identifier: MIT
#include "cli/live_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/interrupts.h"
#include "cli/keyboard.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/redrawn_text.h"
#include "view/text/map.h"

namespace hm::cli {
namespace {

constexpr std::array<std::string_view, 3> kLevels{"l1d", "l2", "l3"};

class Watch {
 public:
  Watch(const WatchOptions& options, const symbol::Resolver& resolver)
      : options_(options), live_(options.live, resolver) {}

  Result<map::Map> run() {
    measure::Observer observer = interruptible_observer();
    observer.progress = [&](const pmu::Progress&) { obey_keys(); };
    // Ctrl-Z ends a window early, so that the processes are released before this process stops. Otherwise
    // processes under the software PMU would wait for this process once their rings are full.
    observer.interrupts = [&] { return interrupts() + (ended_ || Keyboard::wants_stop() ? 1 : 0); };
    while (!ended_ && interrupts() == 0 &&
           (options_.most_windows == 0 || measured_ < options_.most_windows)) {
      if (Keyboard::wants_stop()) {
        keyboard_.stop([] { return interrupts() != 0; });
        continue;
      }
      Status measured = live_.measure(observer);
      // A window that was cut short may lack samples.
      if (!measured && observer.interrupts() != 0) continue;
      bool ended = !measured && measured.error().code == ErrorCode::kNotFound && live_.windows() != 0;
      if (!measured && !ended) return measured.error();
      if (!measured) {
        why_over_ = measured.error().message;
        break;
      }
      ++measured_;
      if (back_ != 0) back_ = std::min(back_ + 1, live_.windows() - 1);  // the displayed windows stay
      if (Status shown = show(); !shown) return shown.error();
    }
    if (!why_over_.empty()) write_message(fmt::format("hardmeter: {}\n", why_over_));
    return live_.map(options_.columns());
  }

 private:
  void obey_keys() {
    bool is_redrawn = keyboard_.take_redraw();
    if (is_redrawn) screen_.clear();
    std::string keys = keyboard_.pressed();
    for (char key : keys) obey(key);
    if ((is_redrawn || !keys.empty()) && live_.windows() != 0 && !ended_) (void)show();
  }

  void obey(char key) {
    size_t oldest = std::max<size_t>(live_.windows(), 1) - 1;
    switch (key) {
      case ' ':
        back_ = back_ == 0 ? std::min<size_t>(1, oldest) : 0;
        break;
      case '<':
        back_ = std::min(back_ + 1, oldest);
        break;
      case '>':
        back_ -= back_ == 0 ? 0 : 1;
        break;
      case 'l':
        change_level();
        break;
      case '[':
        scale_cache(false);
        break;
      case ']':
        scale_cache(true);
        break;
      case 's':
        change([](query::MapOptions& map) { map.sets = !map.sets; });
        break;
      case 'q':
        ended_ = true;
        break;
      default:
        break;
    }
  }

  template <typename Change>
  void change(Change&& change) {
    query::MapOptions map = live_.chosen();
    change(map);
    live_.choose(map);
  }

  void change_level() {
    change([](query::MapOptions& map) {
      map.cache.cache.clear();
      auto now = std::ranges::find(kLevels, map.cache.level);
      map.cache.level = now == kLevels.end() || now + 1 == kLevels.end() ? kLevels.front() : now[1];
    });
  }

  // Doubles or halves the sets of the displayed cache.
  void scale_cache(bool up) {
    Result<map::Map> now = live_.map(options_.columns(), back_);
    if (!now || (!up && now->cache.sets.sets % 2 != 0)) return;
    uint64_t bytes = up ? 2 * now->cache.bytes() : now->cache.bytes() / 2;
    change([&](query::MapOptions& map) {
      map.cache.cache = fmt::format("{},{},{}", bytes, now->cache.sets.ways, now->cache.line_bytes);
    });
  }

  Status show() {
    if (options_.quiet) return {};
    Result<map::Map> map = live_.map(options_.columns(), back_);
    std::string text = map ? text::map_view(*map, output_style()) : map.error().message + '\n';
    return screen_.show(screen_.on_terminal() ? head() + text : text);
  }

  [[nodiscard]] std::string head() const {
    std::string where = back_ == 0 ? fmt::format("window {}", measured_)
                                   : fmt::format("window {} of {}: stopped", measured_ - back_, measured_);
    return fmt::format(
        "{}   [space] stop  [arrows] step  [l]evel  [[] []] half, twice the cache  [s]ets  [q]uit\n", where);
  }

  const WatchOptions& options_;
  live::LiveMap live_;
  Keyboard keyboard_;
  RedrawnText screen_;
  uint64_t measured_ = 0;
  size_t back_ = 0;  // number of newest windows that are hidden
  bool ended_ = false;
  std::string why_over_;
};

}  // namespace

Result<map::Map> watch(const WatchOptions& options, const symbol::Resolver& resolver) {
  return Watch(options, resolver).run();
}

}  // namespace hm::cli
