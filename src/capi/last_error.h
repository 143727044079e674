// SPDX-License-Identifier: MIT
// Error handling of the C API.
#pragma once

#include <pthread.h>

#include <cerrno>
#include <exception>
#include <new>
#include <string>

#include "base/result.h"

namespace hm::capi {

// Stores the sentence for the calling thread, sets errno, and returns -1.
int failure(int error_number, std::string_view sentence) noexcept;
[[nodiscard]] const char* last_error() noexcept;

[[nodiscard]] int errno_of(ErrorCode code);

// Returns 0, or -1 after storing the error.
inline int status_of(const Status& status) {
  return status ? 0 : failure(errno_of(status.error().code), status.error().message);
}

// Disables cancellation of the thread (pthread_cancel(3)) during its lifetime, because cancellation would
// unwind a partial operation.
class NotCancelled {
 public:
  NotCancelled() { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NotCancelled() { ::pthread_setcancelstate(before_, nullptr); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

// Runs `call` and converts exceptions to errors, because none may leave the library.
template <typename Call>
int guarded(Call&& call) noexcept {
  NotCancelled until_done;
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return failure(ENOMEM, "out of memory");
  } catch (const std::exception& error) {
    return failure(EIO, error.what());
  }
}

}  // namespace hm::capi
