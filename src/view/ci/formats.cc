// SPDX-License-Identifier: MIT
#include "view/ci/formats.h"

#include <array>

namespace hm::ci {
namespace {

constexpr std::array kFormats{
    Format{"markdown", markdown}, Format{"github", workflow_commands},
    Format{"junit", junit},       Format{"sarif", sarif},
    Format{"bencher", bencher},   Format{"benchmark-action", benchmark_action},
};

}  // namespace

std::span<const Format> all_formats() { return kFormats; }

}  // namespace hm::ci
