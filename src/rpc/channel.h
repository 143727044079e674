// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::rpc {

// Standard input and output, which from now on only the protocol uses: for all else, standard output is
// standard error, and standard input is empty.
class Channel {
 public:
  // Fails with kIo if the descriptors cannot be replaced.
  [[nodiscard]] static Result<Channel> take();

  // Returns false if the client no longer reads.
  [[nodiscard]] bool write(std::string_view bytes) const;

  // Calls `receive` with bytes of the client, and `look` between them at least ten times a second, until the
  // input ends or `look` returns false.
  void serve(const std::function<void(std::string_view bytes)>& receive,
             const std::function<bool()>& look) const;

 private:
  UniqueFd in_, out_;
};

}  // namespace hm::rpc
