// SPDX-License-Identifier: MIT
#include "profile/sample_writer.h"

#include <algorithm>
#include <cstring>

#include "record/extension.h"

namespace hm::profile {
namespace {

// The highest addresses of a call chain are not addresses: they say what the next ones are
// (perf_event_open(2)).
bool is_context(uint64_t ip) { return ip >= static_cast<uint64_t>(PERF_CONTEXT_MAX); }

}  // namespace

void SampleWriter::reserve(std::span<const TimedRecord> records) {
  Samples& samples = profile_.samples;
  auto count = static_cast<size_t>(std::ranges::count_if(
      records, [](const TimedRecord& timed) { return timed.record.type == PERF_RECORD_SAMPLE; }));
  for (auto* column : {&samples.event, &samples.thread, &samples.location}) column->reserve(count);
  for (auto* column : {&samples.chain, &samples.branch}) column->reserve(count);
  samples.ip.reserve(count);
}

SampleWriter::Space SampleWriter::space_of(uint16_t misc) {
  switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
    case PERF_RECORD_MISC_KERNEL:
      return Space::kKernel;
    case PERF_RECORD_MISC_USER:
      return Space::kUser;
    default:
      return Space::kElsewhere;  // a hypervisor's or a guest's
  }
}

uint32_t SampleWriter::locate(Space space, uint32_t pid, uint64_t address) {
  const Mapping* mapping = nullptr;
  if (space == Space::kUser) mapping = processes_.find_user(pid, address);
  if (space == Space::kKernel) mapping = processes_.find_kernel(address);
  if (mapping == nullptr) return places_.location(0, address);
  return places_.location(mapping->dso, mapping->offset + (address - mapping->start));
}

uint32_t SampleWriter::locate_anywhere(uint32_t pid, uint64_t address) {
  bool user = processes_.find_user(pid, address) != nullptr;
  return locate(user ? Space::kUser : Space::kKernel, pid, address);
}

void SampleWriter::add(uint32_t event, uint16_t misc, const record::Sample& sample) {
  Samples& samples = profile_.samples;
  Space space = space_of(misc);
  add_columns(event, sample);  // first: a column's next row is the number of samples so far
  add_chain(space, sample);
  add_branches(sample);
  samples.location.push_back(locate(space, sample.pid, sample.ip));
  samples.thread.push_back(processes_.thread(sample.pid, sample.tid));
  samples.ip.push_back(sample.ip);
  samples.event.push_back(event);
}

// A caller's entry is the address that it returns to, which may belong to the next line or function already:
// the place of the call is the byte before.
void SampleWriter::add_chain(Space space, const record::Sample& sample) {
  std::vector<uint32_t>& locations = profile_.samples.chain_locations;
  Slice slice{static_cast<uint32_t>(locations.size()), 0};
  bool interrupted = true;  // the innermost entry of each mode is where it stands, not where it returns to
  for (uint64_t ip : sample.callchain) {
    if (is_context(ip)) {
      space = ip == static_cast<uint64_t>(PERF_CONTEXT_KERNEL) ? Space::kKernel
              : ip == static_cast<uint64_t>(PERF_CONTEXT_USER) ? Space::kUser
                                                               : Space::kElsewhere;
      interrupted = true;
      continue;
    }
    if (locations.size() == UINT32_MAX) break;
    locations.push_back(locate(space, sample.pid, interrupted || ip == 0 ? ip : ip - 1));
    interrupted = false;
  }
  slice.count = static_cast<uint32_t>(locations.size()) - slice.offset;
  profile_.samples.chain.push_back(slice);
}

void SampleWriter::add_branches(const record::Sample& sample) {
  std::vector<Branch>& branches = profile_.samples.branches;
  Slice slice{static_cast<uint32_t>(branches.size()), 0};
  for (size_t i = 0; i < sample.branches.size() && branches.size() < UINT32_MAX; ++i) {
    record::BranchEntry entry = sample.branches[i];
    branches.push_back(
        {locate_anywhere(sample.pid, entry.from), locate_anywhere(sample.pid, entry.to), entry});
  }
  slice.count = static_cast<uint32_t>(branches.size()) - slice.offset;
  profile_.samples.branch.push_back(slice);
}

void SampleWriter::add_columns(uint32_t event, const record::Sample& sample) {
  Samples& samples = profile_.samples;
  size_t row = samples.size();
  const perf_event_attr& attr = profile_.events[event].attr;
  auto set = [&](uint64_t field, Column& column, uint64_t value) {
    if (sample.has(field)) column.set(row, value);
  };
  set(PERF_SAMPLE_TIME, samples.time_ns, sample.time_ns);
  set(PERF_SAMPLE_CPU, samples.cpu, sample.cpu);
  set(PERF_SAMPLE_ADDR, samples.address, sample.addr);
  set(PERF_SAMPLE_PHYS_ADDR, samples.physical_address, sample.phys_addr);
  set(PERF_SAMPLE_DATA_SRC, samples.data_source, sample.data_source);
  set(PERF_SAMPLE_WEIGHT_TYPE, samples.latency_cycles, sample.latency_cycles());
  set(PERF_SAMPLE_PERIOD, samples.period, sample.period);
  // A fixed period is not written with each sample.
  if (!sample.has(PERF_SAMPLE_PERIOD) && attr.freq == 0 && attr.sample_period > 0) {
    samples.period.set(row, attr.sample_period);
  }
  if (sample.has(PERF_SAMPLE_RAW)) add_extension(sample.raw);
}

void SampleWriter::add_extension(Bytes raw) {
  record::SampleExtension extension;
  if (raw.size() < sizeof extension) return;
  std::memcpy(&extension, raw.data(), sizeof extension);
  if (extension.magic != record::kExtensionMagic) return;
  Samples& samples = profile_.samples;
  size_t row = samples.size();
  samples.virtual_cycles.set(row, extension.virtual_cycles);
  if (extension.access_kind != record::AccessKind::kNone) {
    samples.access_kind.set(row, static_cast<uint64_t>(extension.access_kind));
    samples.access_bytes.set(row, extension.access_bytes);
  }
  if (extension.miss_class != 0) samples.miss_class.set(row, extension.miss_class);
}

}  // namespace hm::profile
