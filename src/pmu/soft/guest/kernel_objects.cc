// SPDX-License-Identifier: MIT
// Addresses: Documentation/arch/x86/x86_64/mm.rst in the Linux source, with four levels of page tables.
#include "pmu/soft/guest/kernel_objects.h"

#include <iterator>

#include "base/hex.h"
#include "base/take_until.h"

namespace hm::soft::guest {
namespace {

constexpr uint64_t kDirectMap = 0xffff'8880'0000'0000, kDirectMapEnd = 0xffff'c880'0000'0000;
constexpr uint64_t kVmalloc = 0xffff'c900'0000'0000, kVmallocEnd = 0xffff'e900'0000'0000;
constexpr uint64_t kUsualPages = 0xffff'ea00'0000'0000, kPagesEnd = 0xffff'eb00'0000'0000;
constexpr uint64_t kImage = 0xffff'ffff'8000'0000, kModules = 0xffff'ffff'c000'0000;
constexpr unsigned kFrameShift = 12, kMaxCaches = 4096, kMaxCpus = 64;
constexpr uint32_t kMaxNameBytes = 64;

// Types of symbols of data, as nm(1) prints them, and absolute ones: variables of each CPU.
constexpr std::string_view kDataTypes = "dDbBrRvVA";
// Variables of each CPU have addresses below this one.
constexpr uint64_t kMostOfCpu = uint64_t{1} << 24;

}  // namespace

KernelObjects::KernelObjects(std::string_view kallsyms, const Btf& types, KernelMemory memory)
    : memory_(std::move(memory)) {
  read_symbols(kallsyms);
  page_bytes_ = types.size_of("page").value_or(0);
  head_of_page_ = types.offset_of("page", "compound_head").value_or(0);
  mapping_of_page_ = types.offset_of("page", "mapping").value_or(0);
  cache_of_slab_ = types.offset_of("slab", "slab_cache");
  if (!cache_of_slab_) cache_of_slab_ = types.offset_of("page", "slab_cache");  // before Linux 5.17
  if (slab_caches_ != 0) read_caches(slab_caches_, types);
}

void KernelObjects::read_symbols(std::string_view kallsyms) {
  uint64_t pages = 0;
  while (!kallsyms.empty()) {
    std::string_view line = take_until(kallsyms, '\n');
    uint64_t address = hex_number(take_until(line, ' ')).value_or(0);
    std::string_view type = take_until(line, ' ');
    if (line.find('\t') != std::string_view::npos) break;  // symbols of modules follow
    if (type.size() != 1 || kDataTypes.find(type[0]) == std::string_view::npos) continue;
    if (line == "__per_cpu_offset") cpu_offsets_ = address;
    if (line == "__per_cpu_end") cpu_bytes_ = address;
    if (line == "vmemmap_base") pages = address;
    if (line == "slab_caches") slab_caches_ = address;
    if (line.starts_with("__")) continue;  // marks of sections
    (address < kMostOfCpu ? cpu_variables_ : variables_).emplace(address, line);
  }
  pages_ = pages == 0 ? kUsualPages : memory_.load(pages);
}

// The list of all caches, slab_caches, links the members `list` of their structures.
void KernelObjects::read_caches(uint64_t list, const Btf& types) {
  std::optional<uint32_t> link = types.offset_of("kmem_cache", "list");
  std::optional<uint32_t> name = types.offset_of("kmem_cache", "name");
  if (!link || !name) return;
  uint64_t next = memory_.load(list);
  for (unsigned i = 0; i < kMaxCaches && next != 0 && next != list; ++i) {
    uint64_t cache = next - *link;
    caches_.emplace(cache, memory_.text(memory_.load(cache + *name), kMaxNameBytes));
    next = memory_.load(next);
  }
}

std::string KernelObjects::variable_at(const std::map<uint64_t, std::string>& variables,
                                       uint64_t address) const {
  auto after = variables.upper_bound(address);
  return after == variables.begin() ? std::string() : std::prev(after)->second;
}

// A page's mapping is that of its file; its lowest bit is set if it has none: include/linux/page-flags.h.
std::string KernelObjects::name_of_page(uint64_t physical) const {
  if (page_bytes_ == 0) return "pages";
  uint64_t page = pages_ + (physical >> kFrameShift) * page_bytes_;
  uint64_t head = memory_.load(page + head_of_page_);
  if ((head & 1) != 0) page = head - 1;
  if (cache_of_slab_) {
    auto cache = caches_.find(memory_.load(page + *cache_of_slab_));
    if (cache != caches_.end()) return cache->second + " (slab)";
  }
  uint64_t mapping = memory_.load(page + mapping_of_page_);
  if (mapping < kDirectMap) return "pages";
  return (mapping & 1) != 0 ? "anonymous pages" : "page cache";
}

std::string KernelObjects::name_of(uint64_t address, uint64_t physical) const {
  for (unsigned cpu = 0; cpu < kMaxCpus && cpu_bytes_ != 0; ++cpu) {
    uint64_t base = memory_.load(cpu_offsets_ + cpu * sizeof(uint64_t));
    bool is_cpus = base >= kDirectMap && base < kDirectMapEnd;  // the others do not exist
    if (!is_cpus) break;
    if (address - base < cpu_bytes_) return variable_at(cpu_variables_, address - base) + " (per CPU)";
  }
  if (address >= kDirectMap && address < kDirectMapEnd) return name_of_page(physical);
  if (address >= pages_ && address < kPagesEnd) return "struct page";
  if (address >= kVmalloc && address < kVmallocEnd) return "vmalloc, stacks";
  if (address >= kModules) return "modules";
  if (address >= kImage) return variable_at(variables_, address);
  return {};
}

}  // namespace hm::soft::guest
