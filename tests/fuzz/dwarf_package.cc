// SPDX-License-Identifier: MIT
// Reads any bytes as a package of split debug information (.dwp), and takes the unit with the id in the first
// eight bytes from it. The unit is empty or an ELF file, and not much larger than the package.
#include "symbol/files/dwarf_package.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  ByteReader in(fuzz::input(data, size));
  uint64_t id = in.u64();
  if (!in.ok()) return 0;
  Bytes file = in.rest();
  UniqueFd fd(::memfd_create("package", MFD_CLOEXEC));
  fuzz::require(::write(fd.get(), file.data(), file.size()) == static_cast<ssize_t>(file.size()));
  std::optional<symbol::DwarfPackage> package =
      symbol::DwarfPackage::open(fmt::format("/proc/self/fd/{}", fd.get()));
  if (!package) return 0;
  std::string unit = package->unit(id, {file, file});
  fuzz::require(unit.empty() || unit.starts_with("\x7f"
                                                 "ELF"));
  // Its sections, strings, addresses and ranges are copies of parts of the file.
  constexpr size_t kMaxHeaders = 4096;
  fuzz::require(unit.size() <= 12 * file.size() + kMaxHeaders);
  return 0;
}
