// SPDX-License-Identifier: MIT
#include "symbol/files/kept_kernel_code.h"

#include <utility>

#include "symbol/files/kept_files.h"
#include "symbol/files/kernel_modules.h"

namespace hm::symbol {

std::optional<KeptKernelCode> KeptKernelCode::open(const std::string& build_id, std::string_view module,
                                                   DebugFiles& debug_files) {
  std::string path = kept_file(build_id, kKeptCode);
  if (path.empty()) return std::nullopt;
  Result<ElfModule> image = ElfModule::open(path, debug_files);
  std::vector<ElfModule::Code> segments = image ? image->code_segments() : std::vector<ElfModule::Code>();
  if (segments.empty()) return std::nullopt;
  std::optional<uint64_t> start =
      module.empty() ? segments.front().address : kept_module_address(module, build_id);
  if (!start) return std::nullopt;
  return KeptKernelCode(*std::move(image), *start);
}

}  // namespace hm::symbol
