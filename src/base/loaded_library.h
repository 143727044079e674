// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

namespace hm {

// Finds a function of a library that dlopen(3) has loaded. Returns false if the library has no function of
// that name; dlerror(3) then returns the reason.
template <typename Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace hm
