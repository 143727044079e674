// SPDX-License-Identifier: MIT
#include "pmu/rdt/pqos_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "base/loaded_library.h"

namespace hm::rdt {
namespace {

// Returns the shared object name. It contains the major version, which determines the structure layout.
std::string pqos_library_name() { return fmt::format("libpqos.so.{}", PQOS_VERSION / 10000); }

}  // namespace

Result<PqosLibrary> load_pqos_library() {
  std::string name = pqos_library_name();
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return make_error(
        ErrorCode::kUnsupported,
        "the cache of logical CPUs is monitored through {}, which cannot be loaded ({}): install Debian's package intel-cmt-cat",
        name, ::dlerror());
  }
  PqosLibrary functions{};
  bool complete = find_function(library, "pqos_init", functions.init) &&
                  find_function(library, "pqos_fini", functions.fini) &&
                  find_function(library, "pqos_cap_get", functions.cap_get) &&
                  find_function(library, "pqos_mon_assoc_get", functions.mon_assoc_get) &&
                  find_function(library, "pqos_mon_start", functions.mon_start) &&
                  find_function(library, "pqos_mon_stop", functions.mon_stop) &&
                  find_function(library, "pqos_mon_poll", functions.mon_poll);
  if (!complete) {
    return make_error(ErrorCode::kUnsupported,
                      "{} lacks a function that is needed ({}): install Debian's package intel-cmt-cat", name,
                      ::dlerror());
  }
  return functions;
}

}  // namespace hm::rdt
