// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "cli/top_measurement.h"
#include "symbol/resolver.h"
#include "view/screen/terminal.h"

namespace hm::cli {

// Shows the hottest functions and lines of running processes on a full screen until the user quits or the
// processes have ended. Returns the sentences that are printed at the end.
[[nodiscard]] Result<std::string> top_on_screen(screen::Terminal& terminal, const TopOptions& options,
                                                const symbol::Resolver& resolver);

}  // namespace hm::cli
