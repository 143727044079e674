// SPDX-License-Identifier: MIT
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "view/exports/pieces.h"

namespace hm::exports {

// Compresses its input to gzip (RFC 1952) and passes the result on. The header has no time stamp, so equal
// input gives equal output.
class GzipStream {
 public:
  explicit GzipStream(Write write);
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() { deflateEnd(&stream_); }

  [[nodiscard]] Status take(std::string_view bytes) { return compress(bytes, Z_NO_FLUSH); }
  [[nodiscard]] Status finish() { return compress({}, Z_FINISH); }

 private:
  [[nodiscard]] Status compress(std::string_view bytes, int flush);

  Write write_;
  z_stream stream_{};
  bool is_ready_ = false;
  std::string compressed_;
};

}  // namespace hm::exports
