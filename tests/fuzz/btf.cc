// SPDX-License-Identifier: MIT
// The input is a kernel's description of its types.
#include "base/btf.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  std::optional<Btf> btf = Btf::parse(fuzz::input(data, size));
  if (!btf) return 0;
  for (const char* structure : {"task", "task_struct", "s", ""}) {
    for (const char* member : {"pid", "b", "a", ""}) (void)btf->offset_of(structure, member);
    (void)btf->size_of(structure);
  }
  return 0;
}
