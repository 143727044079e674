// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "store/store.h"

namespace hm::store {

// A file hardmeter.sqlite in the folder; init() makes both. Several processes may use it.
[[nodiscard]] std::unique_ptr<Store> open_sqlite(const std::string& folder);

}  // namespace hm::store
