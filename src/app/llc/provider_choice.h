// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "pmu/rdt/provider.h"

namespace hm::llc {

// kModelled: programs run under the software PMU; no other process can be measured.
// kXen: only the domains of Xen.
enum class SourceChoice : uint8_t { kAuto, kResctrl, kPqos, kModelled, kXen };

struct ProviderOptions {
  SourceChoice source = SourceChoice::kAuto;
  bool by_cpu = false;       // rows are CPUs, which libpqos also supports
  std::string resctrl_root;  // mount point of resctrl; empty: the usual one
};

// Opens the first usable provider for a real cache. The error gives the reason for each provider and an
// alternative.
[[nodiscard]] Result<std::unique_ptr<rdt::Provider>> open_provider(const ProviderOptions& options);

}  // namespace hm::llc
