// SPDX-License-Identifier: MIT
#include "cli/recording_header.h"

#include "cli/output.h"
#include "view/text/recording_text.h"

namespace hm::cli {

std::string recording_header(const profile::Profile& profile, const totals::Totals& totals) {
  return text::recording_header(profile, totals, output_style().width);
}

}  // namespace hm::cli
