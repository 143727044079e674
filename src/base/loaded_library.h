// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

namespace hm {

// Finds a function of a library that dlopen(3) has loaded. False where it has none of that name; dlerror(3)
// says why.
template <typename Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace hm
