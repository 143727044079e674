// SPDX-License-Identifier: MIT
#include "cli/llc_on_screen.h"

#include <algorithm>
#include <utility>

#include "cli/interrupts.h"
#include "cli/output.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::cli {

LlcOnScreen::LlcOnScreen(std::vector<occupancy::By> possible, double delay_s)
    : terminal_(output_style().color), screen_(std::move(possible), delay_s, output_style().drawing) {}

Result<std::unique_ptr<LlcOnScreen>> LlcOnScreen::open(std::vector<occupancy::By> possible, double delay_s) {
  std::unique_ptr<LlcOnScreen> opened(new LlcOnScreen(std::move(possible), delay_s));
  if (!opened->terminal_.works())
    return make_error(ErrorCode::kUnsupported,
                      "this terminal cannot show a full screen (TERM); -b prints the occupancy as text");
  return opened;
}

bool LlcOnScreen::is_due() const {
  if (ended_) return false;
  if (!updated_ns_) return true;
  return static_cast<double>(soft::monotonic_ns() - *updated_ns_) * 1e-9 >= screen_.delay_s();
}

void LlcOnScreen::update(occupancy::Snapshot snapshot) {
  updated_ns_ = soft::monotonic_ns();
  screen_.update(std::move(snapshot));
  changed_ = true;
}

void LlcOnScreen::end(std::string why) {
  ended_ = true;
  screen_.end(std::move(why));
  changed_ = true;
}

void LlcOnScreen::poll(int milliseconds) {
  if (screen::Terminal::wants_stop()) terminal_.stop([] { return interrupts() != 0; });
  if (interrupts() != 0) return;  // may be in the background, where drawing is not allowed
  draw();
  for (int key = terminal_.wait(milliseconds); key != screen::kNone; key = terminal_.wait(0)) {
    screen_.press(key);
    changed_ = true;
    if (screen_.finished()) screen_.show_message("ending");
  }
  draw();
}

void LlcOnScreen::draw() {
  if (!std::exchange(changed_, false)) return;
  screen_.resize(terminal_.size());
  terminal_.show(screen_.draw());
}

bool LlcOnScreen::finished() const { return screen_.finished() || interrupts() != 0 || terminal_.is_gone(); }

}  // namespace hm::cli
