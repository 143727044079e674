// SPDX-License-Identifier: MIT
// The input is the page's request for a recording. An accepted request is a command line: its options are
// options, of one argument each, and it has a target.
#include "input.h"
#include "web/page_recorder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  Result<web::RecordWish> wish = web::parse_record_wish(std::string(fuzz::text(data, size)));
  if (!wish) return 0;
  bool has_process = false;
  for (const std::string& option : wish->options) {
    fuzz::require(option.size() > 1 && option[0] == '-' && option != "--");
    fuzz::require(option.find('\0') == std::string::npos);
    has_process = has_process || option.starts_with("--pid=");
  }
  for (const std::string& word : wish->command) fuzz::require(word.find('\0') == std::string::npos);
  fuzz::require(has_process || !wish->command.empty());
  return 0;
}
