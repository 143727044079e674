// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "store/store.h"

namespace hm::store {

// Uses the file hardmeter.sqlite in the folder; init() creates both. Several processes may use it at a time.
[[nodiscard]] std::unique_ptr<Store> open_sqlite(const std::string& folder);

}  // namespace hm::store
