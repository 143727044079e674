// SPDX-License-Identifier: MIT
#include "base/unexpected_error.h"

#include <cxxabi.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <typeinfo>

namespace hm {
namespace {

std::string type_of(const std::exception& exception) {
  const char* mangled = typeid(exception).name();
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                   std::free);
  return status == 0 && name ? name.get() : mangled;
}

}  // namespace

Error unexpected_error(const std::exception& exception) {
  if (dynamic_cast<const std::bad_alloc*>(&exception) != nullptr)
    return make_error(ErrorCode::kIo, "not enough memory");
  return make_error(
      ErrorCode::kIo,
      "internal error in process {}: unexpected exception {} ({}). Please report it with the command line and the output of hardmeter --version and hardmeter doctor",
      ::getpid(), type_of(exception), exception.what());
}

}  // namespace hm
