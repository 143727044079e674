// SPDX-License-Identifier: MIT
#include "symbol/build_names.h"

#include "symbol/file_object.h"

namespace hm::symbol {

std::optional<std::vector<BuildNames::Name>> BuildNames::names_of(const std::string& build_id,
                                                                  const std::vector<uint64_t>& addresses) {
  std::string path = debug_files_.file_of_build(build_id);
  if (path.empty()) return std::nullopt;
  FileObject file({path, build_id}, debug_files_, source_files_);
  if (std::optional<Error> problem = file.problem()) {
    unreadable_.push_back(problem->message);
    return std::nullopt;
  }
  std::vector<Name> names;
  names.reserve(addresses.size());
  for (uint64_t address : addresses) names.push_back({file.symbol_at(address), file.line_at(address)});
  return names;
}

std::vector<std::string> BuildNames::problems() const {
  std::vector<std::string> all = debug_files_.problems();
  all.insert(all.end(), unreadable_.begin(), unreadable_.end());
  return all;
}

}  // namespace hm::symbol
