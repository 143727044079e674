// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"

namespace hm::symbol {

// Returns the vDSO image that the kernel mapped into this process (vdso(7)); empty if there is none.
[[nodiscard]] Bytes vdso_image();

}  // namespace hm::symbol
