// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "app/live/live_recording.h"
#include "base/result.h"
#include "symbol/resolver.h"
#include "view/screen/terminal.h"

namespace hm::cli {

struct TopOptions {
  live::LiveOptions live;
  std::string title;
  double delay_s = 2;
  uint64_t most_views = 0;  // 0: until the processes or the user end it
};

// Shows the hottest functions and lines of running processes on a full screen until the user quits or the
// processes have ended. Returns the sentences that are printed at the end.
[[nodiscard]] Result<std::string> top_on_screen(screen::Terminal& terminal, const TopOptions& options,
                                                const symbol::Resolver& resolver);

// Prints one view after the other.
[[nodiscard]] Result<std::string> top_as_text(const TopOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::cli
