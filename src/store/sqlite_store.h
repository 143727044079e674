// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace hm::store {

// A file hardmeter.sqlite in the folder, which is made where it is not there. Several processes may use it.
[[nodiscard]] Result<std::unique_ptr<Store>> open_sqlite(const std::string& folder);

}  // namespace hm::store
