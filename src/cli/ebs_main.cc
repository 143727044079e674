// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "cli/ebs.h"
#include "cli/output.h"

namespace hm::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

// Like `fail`, with this program's name.
int give_up(std::string_view message, int status) {
  while (message.ends_with('\n')) message.remove_suffix(1);
  write_message(fmt::format("ebs: {}\n", message));
  return status;
}

int answer(const std::string& text) {
  Status written = write_output(text);
  return written ? 0 : give_up(written.error().message, kFailure);
}

}  // namespace

int ebs_main(const std::vector<std::string>& words) {
  if (words.empty()) {
    write_message(ebs_usage() + '\n' + ebs_events());
    return kUsage;
  }
  Result<EbsOptions> options = parse_ebs(words);
  if (!options) return give_up(options.error().message, kUsage);
  if (options->help) return answer(ebs_usage() + '\n' + ebs_events());
  if (options->version) return answer("ebs (hardmeter " HM_VERSION ")\n");
  Result<int> status = run_ebs(*options);
  if (status) return *status;
  return give_up(status.error().message,
                 status.error().code == ErrorCode::kInvalidArgument ? kUsage : kFailure);
}

}  // namespace hm::cli
