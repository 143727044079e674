// SPDX-License-Identifier: MIT
// counted_pointers [OBJECTS=20000]: copies std::shared_ptrs, with counts in blocks of their own, and reads
// the objects. Mended: std::make_shared, which puts the count beside the object, and references to the
// pointers.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace {

constexpr uint32_t kMaxObjects = 20000;
constexpr int kPasses = 20;

struct Object {
  uint64_t value, other[2];
};

using Objects = std::vector<std::shared_ptr<Object>>;

#ifdef MENDED
using Given = const std::shared_ptr<Object>&;

Objects make_all(uint32_t count) {
  Objects objects;
  for (uint32_t i = 0; i < count; ++i) objects.push_back(std::make_shared<Object>(Object{i, {0, 0}}));
  return objects;
}
#else
using Given = std::shared_ptr<Object>;

Objects make_all(uint32_t count) {
  std::vector<Object*> made;
  for (uint32_t i = 0; i < count; ++i) made.push_back(new Object{i, {0, 0}});
  return {made.begin(), made.end()};
}
#endif

Objects make(uint32_t count) {
  Objects objects = make_all(count);
  uint64_t state = 1;
  for (uint32_t i = count - 1; i > 0; --i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    std::swap(objects[i], objects[(state >> 33) % (i + 1)]);
  }
  return objects;
}

[[gnu::noipa]] uint64_t value_of(Given object) { return object->value; }

}  // namespace

int main(int arguments, char** words) {
  uint32_t count = arguments > 1 ? static_cast<uint32_t>(std::atoi(words[1])) : kMaxObjects;
  if (count == 0 || count > kMaxObjects) return 1;
  static const auto& objects = *new Objects(make(count));  // the system frees them
  uint64_t sum = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (const auto& each : objects) sum = sum * 3 + value_of(each);
  }
  std::printf("%lu\n", sum);
}
