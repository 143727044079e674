// SPDX-License-Identifier: MIT
// `hardmeter llc` on a full screen, for a loop that calls it regularly.
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

// Takes the terminal, and gives it back when it goes. Interrupts must be counted (cli/interrupts.h). While it
// lives, nobody else may write there: what is measured least of all.
class LlcOnScreen {
 public:
  // So often the loop calls poll(), for keys to be obeyed at once.
  static constexpr uint64_t kPollNs = 50'000'000;

  // What rows may stand for; the first is what they stand for at the beginning. kUnsupported where the
  // terminal cannot show a full screen.
  [[nodiscard]] static Result<std::unique_ptr<LlcOnScreen>> open(std::vector<occupancy::By> possible,
                                                                 double delay_s);

  // Whether the next snapshot is wanted now, by the delay that the user has chosen.
  [[nodiscard]] bool is_due() const;
  void update(occupancy::Snapshot snapshot);
  // Nothing more is to come; what was last stays on the screen.
  void end(std::string why);

  // Draws what has changed, waits so long for a key, and obeys those that are pressed.
  void poll(int milliseconds);
  // The user has had enough, or has interrupted it, or the terminal is gone.
  [[nodiscard]] bool finished() const;

  // What the user wants rows to stand for.
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
