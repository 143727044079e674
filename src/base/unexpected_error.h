// SPDX-License-Identifier: MIT
// Converts an exception that no caller expects into an Error with a message that the user can report.
#pragma once

#include <exception>

#include "base/result.h"

namespace hm {

// Returns an Error with kIo. Its message reports that memory ran out (std::bad_alloc), or that the error is
// internal and what to attach to a bug report.
[[nodiscard]] Error unexpected_error(const std::exception& exception);

// Returns the Result or Status that `work` returns, or unexpected_error() if `work` throws. For the outermost
// function of a thread or a forked process, which no exception may leave.
template <typename Work>
[[nodiscard]] auto without_exceptions(Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& exception) {
    return unexpected_error(exception);
  }
}

}  // namespace hm
