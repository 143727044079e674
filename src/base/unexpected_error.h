// SPDX-License-Identifier: MIT
// What becomes of an exception that no caller expects: an Error, whose sentence the user can report.
#pragma once

#include <exception>

#include "base/result.h"

namespace hm {

// Returns kIo. Its message says that memory ran out (std::bad_alloc), or that the error is internal and what
// to attach to a report of it.
[[nodiscard]] Error unexpected_error(const std::exception& exception);

// Returns what `work` returns, a Result or Status, or unexpected_error() if it throws. For the outermost
// function of a thread or a forked process, which nothing may leave by an exception.
template <typename Work>
[[nodiscard]] auto without_exceptions(Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& exception) {
    return unexpected_error(exception);
  }
}

}  // namespace hm
