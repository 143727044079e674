// SPDX-License-Identifier: MIT
// Names what the kernel has at an address of its own: the slab cache of an object, a variable, a kind of
// page.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/btf.h"
#include "pmu/soft/guest/kernel_memory.h"

namespace hm::soft::guest {

class KernelObjects {
 public:
  // What this kernel lacks is not named.
  KernelObjects(std::string_view kallsyms, const Btf& types, KernelMemory memory);

  // `physical`: the physical address of the byte at `address`. Returns an empty string if nothing is known.
  [[nodiscard]] std::string name_of(uint64_t address, uint64_t physical) const;

 private:
  void read_symbols(std::string_view kallsyms);
  void read_caches(uint64_t list, const Btf& types);
  [[nodiscard]] std::string name_of_page(uint64_t physical) const;
  [[nodiscard]] std::string variable_at(const std::map<uint64_t, std::string>& variables,
                                        uint64_t address) const;

  KernelMemory memory_;
  std::map<uint64_t, std::string> variables_;      // by address
  std::map<uint64_t, std::string> cpu_variables_;  // by offset in the memory of each CPU
  std::map<uint64_t, std::string> caches_;         // names of slab caches, by the address of their structure
  uint64_t cpu_offsets_ = 0, cpu_bytes_ = 0, pages_ = 0, slab_caches_ = 0;
  uint32_t page_bytes_ = 0, head_of_page_ = 0, mapping_of_page_ = 0;
  std::optional<uint32_t> cache_of_slab_;
};

}  // namespace hm::soft::guest
