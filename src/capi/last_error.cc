// SPDX-License-Identifier: MIT
#include "capi/last_error.h"

#include <algorithm>
#include <cstring>

namespace hm::capi {
namespace {

// Fixed size, so that reporting an out-of-memory error needs no memory.
constexpr size_t kSentenceBytes = 1024;
thread_local char g_sentence[kSentenceBytes];

}  // namespace

int failure(int error_number, std::string_view sentence) noexcept {
  size_t bytes = std::min(sentence.size(), kSentenceBytes - 1);
  std::memcpy(g_sentence, sentence.data(), bytes);
  g_sentence[bytes] = '\0';
  errno = error_number;
  return -1;
}

const char* last_error() noexcept { return g_sentence; }

int errno_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kDamaged:
      return EINVAL;
    case ErrorCode::kNotFound:
      return ENOENT;
    case ErrorCode::kPermission:
      return EACCES;
    case ErrorCode::kUnsupported:
      return ENOTSUP;
    case ErrorCode::kIo:
      return EIO;
  }
  return EIO;
}

}  // namespace hm::capi
