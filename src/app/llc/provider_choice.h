// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "pmu/rdt/provider.h"

namespace hm::llc {

// kModelled: programs run under the software PMU; nothing else can be measured.
// kXen: the domains of Xen, and nothing else.
enum class SourceChoice : uint8_t { kAuto, kResctrl, kPqos, kModelled, kXen };

struct ProviderOptions {
  SourceChoice source = SourceChoice::kAuto;
  bool by_cpu = false;       // libpqos can, too
  std::string resctrl_root;  // where it is mounted; empty: where it usually is
};

// What measures a real cache, found by use. An error says of each why it cannot, and what else there is.
[[nodiscard]] Result<std::unique_ptr<rdt::Provider>> open_provider(const ProviderOptions& options);

}  // namespace hm::llc
