// SPDX-License-Identifier: MIT
#include "view/text/function_names.h"

#include "symbol/display_name.h"
#include "view/text/format.h"

namespace hm::text {

FunctionNames::FunctionNames(const std::vector<std::string>& functions, const Style& style) {
  std::vector<std::string> shown = style.full_names ? functions : symbol::display_names(functions);
  for (size_t i = 0; i < functions.size(); ++i) shown_.try_emplace(functions[i], printable(shown[i]));
}

}  // namespace hm::text
