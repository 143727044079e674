// SPDX-License-Identifier: MIT
// For tests and benches, which may allocate.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/arena.h"

namespace hm::model {

// The memory of objects that are built in an arena.
class Storage {
 public:
  // Returns the result of `make(arena)`, which is called twice, the first time with a measuring arena.
  template <typename Built, typename Make>
  Built build(Make&& make) {
    Arena measure;
    make(measure);
    words_.resize(measure.used_bytes() / 8 + 16);
    void* aligned = words_.data();
    size_t space = words_.size() * 8;
    Arena arena(std::align(64, measure.used_bytes(), aligned, space));
    return make(arena);
  }

 private:
  std::vector<uint64_t> words_;
};

// A T that is built from these arguments and an arena, with its memory.
template <typename T>
struct InStorage {
  template <typename... Arguments>
  explicit InStorage(const Arguments&... arguments)
      : object(storage.build<T>([&](Arena& arena) { return T(arguments..., arena); })) {}

  Storage storage;
  T object;
};

}  // namespace hm::model
