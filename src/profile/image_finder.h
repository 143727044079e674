// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "profile/process_table.h"
#include "symbol/resolver.h"

namespace hm::profile {

class Profile;

// An address in a loaded ELF object.
struct ImagePlace {
  uint32_t dso = 0;
  uint64_t address = 0;  // address in the object (symbol/files/dso.h)
};

// Finds the object with a loaded image that covers a data address. Uses the object's program headers, so the
// recording need not contain all its mappings: the executable mapping is enough. Also covers memory after the
// file's mappings (.bss, which has no file).
class ImageFinder {
 public:
  ImageFinder(const Profile& profile, const symbol::Resolver& resolver)
      : profile_(profile), resolver_(resolver) {}

  [[nodiscard]] std::optional<ImagePlace> find(const NumberedSpace& space, uint64_t address);

 private:
  // The object with the mappings next below an address.
  struct Image {
    uint32_t dso = 0;  // 0: none
    uint64_t bias = 0;
    const symbol::Object* object = nullptr;
  };
  [[nodiscard]] Image look_below(const AddressSpace& space, const Mapping& from) const;
  [[nodiscard]] bool is_file(const Mapping& mapping) const;

  const Profile& profile_;
  const symbol::Resolver& resolver_;
  std::map<std::pair<uint32_t, uint64_t>, Image> images_;  // by space version and start
};

}  // namespace hm::profile
