// SPDX-License-Identifier: MIT
// How a call of the C API fails.
#pragma once

#include <pthread.h>

#include <cerrno>
#include <exception>
#include <new>
#include <string>

#include "base/result.h"

namespace hm::capi {

// Keeps the sentence for the calling thread and sets errno; gives -1.
int failure(int error_number, std::string_view sentence) noexcept;
[[nodiscard]] const char* last_error() noexcept;

[[nodiscard]] int errno_of(ErrorCode code);

// 0, or the failure.
inline int status_of(const Status& status) {
  return status ? 0 : failure(errno_of(status.error().code), status.error().message);
}

// A thread is not cancelled (pthread_cancel(3)) as long as this lives: that would unwind what must not be
// left halfway.
class NotCancelled {
 public:
  NotCancelled() { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NotCancelled() { ::pthread_setcancelstate(before_, nullptr); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

// Nothing is thrown out of the library.
template <typename Call>
int guarded(Call&& call) noexcept {
  NotCancelled until_done;
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return failure(ENOMEM, "there is no memory");
  } catch (const std::exception& error) {
    return failure(EIO, error.what());
  }
}

}  // namespace hm::capi
