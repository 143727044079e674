// SPDX-License-Identifier: MIT
// `hardmeter llc` on a full screen, driven by a loop that calls it regularly.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "base/result.h"
#include "view/screen/llc_screen.h"
#include "view/screen/terminal.h"

namespace hm::cli {

// Takes over the terminal until destruction. Interrupts must be counted (cli/interrupts.h). Meanwhile no
// other code may write to the terminal, and the measured programs must not either.
class LlcOnScreen {
 public:
  // Interval at which the loop must call poll(), so that keys take effect at once.
  static constexpr uint64_t kPollNs = 50'000'000;

  // Rows can stand for each of `possible`; the first is selected at the beginning. Fails with kUnsupported if
  // the terminal cannot show a full screen.
  [[nodiscard]] static Result<std::unique_ptr<LlcOnScreen>> open(std::vector<occupancy::By> possible,
                                                                 double delay_s);

  // Returns whether the next snapshot is due, according to the delay that the user has chosen.
  [[nodiscard]] bool is_due() const;
  void update(occupancy::Snapshot snapshot);
  // Marks the measurement as ended; the last snapshot stays on the screen.
  void end(std::string why);

  // Draws changes, waits up to `milliseconds` for a key, and handles the pressed keys.
  void poll(int milliseconds);
  // Returns whether the user has quit or interrupted the screen, or the terminal is gone.
  [[nodiscard]] bool finished() const;

  // Returns the grouping of rows that the user has selected.
  [[nodiscard]] occupancy::By wanted_by() const { return screen_.wanted_by(); }

 private:
  LlcOnScreen(std::vector<occupancy::By> possible, double delay_s);
  void draw();

  screen::Terminal terminal_;
  screen::LlcScreen screen_;
  bool changed_ = true, ended_ = false;
  std::optional<uint64_t> updated_ns_;
};

}  // namespace hm::cli
