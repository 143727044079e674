// SPDX-License-Identifier: MIT
#include "profile/sample_writer.h"

#include <cstring>

#include "profile/computed_addresses.h"
#include "profile/missing_branches.h"
#include "record/extension.h"
#include "record/extension_pieces.h"

namespace hm::profile {

using record::take_piece;

void SampleWriter::reserve(size_t samples) {
  expected_samples_ = samples;
  Samples& columns = segment_.samples;
  for (auto* column : {&columns.event, &columns.thread, &columns.location}) column->reserve(samples);
  if (recording_.needs.chains) columns.chain.reserve(samples);
  if (recording_.needs.branches != Branches::kNone) columns.branch.reserve(samples);
  if (recording_.needs.branches == Branches::kFunctions) columns.new_branches.reserve(samples);
}

Mode SampleWriter::mode_of(uint16_t misc) {
  switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
    case PERF_RECORD_MISC_KERNEL:
      return Mode::kKernel;
    case PERF_RECORD_MISC_USER:
      return Mode::kUser;
    default:
      return Mode::kElsewhere;
  }
}

const SampleWriter::Task& SampleWriter::task_of(const record::Sample& sample) {
  if (!last_ || last_->pid != sample.pid || last_->tid != sample.tid)
    last_ = {sample.pid, sample.tid, thread(sample.pid, sample.tid), &processes_.user(sample.pid)};
  return *last_;
}

uint32_t SampleWriter::thread(uint32_t pid, uint32_t tid) {
  if (std::optional<uint32_t> named = processes_.thread(pid, tid)) return *named;
  std::optional<uint32_t> leader = processes_.thread(pid, pid);
  return static_cast<uint32_t>(recording_.named_threads) + segment_.unnamed.number({pid, tid, leader});
}

std::optional<uint32_t> SampleWriter::locate_replaced(const Task& task, uint64_t address) {
  if (recording_.jit_code.empty()) return std::nullopt;
  const Mapping* mapping = task.user->mappings.find(address);
  const ReplacedCode* code = mapping == nullptr ? nullptr : recording_.jit_code.of(mapping->dso);
  if (code == nullptr) return std::nullopt;
  return segment_.places.number({mapping->dso, code->address_at(address, time_ns_)});
}

uint32_t SampleWriter::locate(Mode mode, const Task& task, uint64_t address) {
  static const NumberedSpace kNothing;
  if (mode == Mode::kUser) {
    if (std::optional<uint32_t> replaced = locate_replaced(task, address)) return *replaced;
  }
  const NumberedSpace& space = mode == Mode::kUser     ? *task.user
                               : mode == Mode::kKernel ? processes_.kernel()
                                                       : kNothing;
  return numbers_.find(space.version, address, [&] {
    const Mapping* mapping = space.mappings.find(address);
    if (mapping == nullptr) return segment_.places.number({0, address});
    return segment_.places.number({mapping->dso, mapping->offset + (address - mapping->start)});
  });
}

uint32_t SampleWriter::locate_anywhere(const Task& task, uint64_t address) {
  if (std::optional<uint32_t> replaced = locate_replaced(task, address)) return *replaced;
  if (processes_.kernel().version != kernel_version_) {
    kernel_version_ = processes_.kernel().version;
    numbers_anywhere_ = {};
  }
  return numbers_anywhere_.find(task.user->version, address, [&] {
    bool is_user = task.user->mappings.find(address) != nullptr;
    return locate(is_user ? Mode::kUser : Mode::kKernel, task, address);
  });
}

void SampleWriter::add(uint32_t event, uint16_t misc, const record::Sample& sample) {
  Samples& samples = segment_.samples;
  Mode mode = mode_of(misc);
  const Task& task = task_of(sample);
  time_ns_ = sample.time_ns;
  if (is_attributable_clock(recording_.reader.events()[event].attr)) {
    segment_.interrupts.push_back({samples.size(), sample.ip, sample.intr_regs});
  }
  if (recording_.needs.details && mode == Mode::kUser &&
      has_precise_registers(recording_.reader.events()[event].attr)) {
    segment_.unaddressed.push_back({samples.size(), sample.ip, sample.intr_regs});
  }
  // Set the columns first: their next row is the number of samples so far.
  add_weight(event, sample);
  if (recording_.needs.cpus && sample.has(PERF_SAMPLE_CPU)) samples.cpu.set(samples.size(), sample.cpu);
  if (recording_.needs.details) add_details(event, sample);
  if (sample.has(PERF_SAMPLE_RAW)) add_extension(sample.raw);
  if (recording_.needs.chains) add_chain(event, mode, task, sample);
  if (recording_.needs.branches == Branches::kWhole) add_branches(task, sample);
  if (recording_.needs.branches == Branches::kFunctions) add_left_places(event, task, sample);
  samples.location.push_back(locate(mode, task, sample.ip));
  samples.thread.push_back(task.thread);
  samples.event.push_back(event);
}

void SampleWriter::add_chain(uint32_t event, Mode mode, const Task& task, const record::Sample& sample) {
  std::vector<uint32_t>& locations = segment_.samples.chain_locations;
  Slice slice{static_cast<uint32_t>(locations.size()), 0};
  const perf_event_attr& attr = recording_.reader.events()[event].attr;
  for (const CodeAddress& place : call_chain_.of(attr, mode, *task.user, sample)) {
    if (locations.size() == UINT32_MAX) break;
    locations.push_back(locate(place.mode, task, place.address));
  }
  slice.count = static_cast<uint32_t>(locations.size()) - slice.offset;
  segment_.samples.chain.push_back(slice);
}

void SampleWriter::add_branches(const Task& task, const record::Sample& sample) {
  std::vector<Branch>& branches = segment_.samples.branches;
  Slice slice{static_cast<uint32_t>(branches.size()), 0};
  for (size_t i = 0; i < sample.branches.size() && branches.size() < UINT32_MAX; ++i) {
    record::BranchEntry entry = sample.branches[i];
    branches.push_back({locate_anywhere(task, entry.from), locate_anywhere(task, entry.to), entry});
  }
  slice.count = static_cast<uint32_t>(branches.size()) - slice.offset;
  segment_.samples.branch.push_back(slice);
  if (sample.branches.hardware_index != record::kNoHardwareIndex)
    segment_.samples.branch_index.set(segment_.samples.size(), sample.branches.hardware_index);
}

void SampleWriter::add_left_places(uint32_t event, const Task& task, const record::Sample& sample) {
  Samples& samples = segment_.samples;
  std::vector<uint32_t>& left = segment_.left_places;
  uint64_t type = recording_.reader.events()[event].attr.branch_sample_type;
  // Skips call stacks: the times of calls that have not returned are unknown.
  stack_.entries.resize(record::is_call_stack(type) ? 0 : std::min(sample.branches.size(), kMaxBranches));
  for (size_t i = 0; i < stack_.entries.size(); ++i) stack_.entries[i] = sample.branches.raw(i);
  stack_.entries.resize(without_empty(stack_.entries).size());
  if (2 * stack_.entries.size() > UINT32_MAX - left.size()) stack_.entries.clear();
  stack_.hardware_index = sample.branches.hardware_index;
  bool is_half = recorded_half(type) != RecordedHalf::kBoth;
  auto offset = static_cast<uint32_t>(left.size());
  reserve_left_places();
  for (size_t i = stack_.entries.size(); i-- > 0;) {
    const record::RawBranch& entry = stack_.entries[i];
    add_cycles(sample.branches.cycles_of(entry));
    left.push_back(locate_anywhere(task, entry.from));
    if (!is_half) continue;
    add_cycles(0);
    left.push_back(locate_anywhere(task, entry.to));
  }
  samples.branch.push_back({offset, static_cast<uint32_t>(left.size()) - offset});
  samples.new_branches.push_back(segment_.last_stacks.add(samples.size(), task.thread, event, stack_));
}

// Extrapolates from the samples so far, because a growing vector would be copied repeatedly.
void SampleWriter::reserve_left_places() {
  std::vector<uint32_t>& left = segment_.left_places;
  size_t rows = segment_.samples.branch.size() + 1;
  if (left.size() + stack_.entries.size() <= left.capacity()) return;
  size_t expected = (left.size() + stack_.entries.size()) / rows * (expected_samples_ + rows);
  left.reserve(std::max(expected, 2 * left.capacity()));
}

void SampleWriter::add_cycles(uint16_t cycles) {
  std::vector<uint16_t>& column = segment_.branch_cycles;
  if (cycles == 0 && column.empty()) return;
  column.resize(segment_.left_places.size());
  column.push_back(cycles);
}

void SampleWriter::add_weight(uint32_t event, const record::Sample& sample) {
  Samples& samples = segment_.samples;
  size_t row = samples.size();
  const perf_event_attr& attr = recording_.reader.events()[event].attr;
  if (sample.has(PERF_SAMPLE_TIME)) samples.time_ns.set(row, sample.time_ns);
  if (sample.has(PERF_SAMPLE_PERIOD))
    samples.period.set(row, sample.period);
  else if (attr.freq == 0 && attr.sample_period > 0)
    samples.period.set(row, attr.sample_period);  // a fixed period is not recorded in each sample
}

void SampleWriter::add_details(uint32_t event, const record::Sample& sample) {
  Samples& samples = segment_.samples;
  size_t row = samples.size();
  auto set = [&](uint64_t field, Column& column, uint64_t value) {
    if (sample.has(field)) column.set(row, value);
  };
  // The address recorded for the clock event is always 0.
  bool clock = is_attributable_clock(recording_.reader.events()[event].attr);
  if (!clock) set(PERF_SAMPLE_ADDR, samples.address, sample.addr);
  set(PERF_SAMPLE_PHYS_ADDR, samples.physical_address, sample.phys_addr);
  set(PERF_SAMPLE_DATA_SRC, samples.data_source, sample.data_source);
  set(PERF_SAMPLE_WEIGHT_TYPE, samples.latency_cycles, sample.latency_cycles());
}

void SampleWriter::add_extension(Bytes raw) {
  auto access = take_piece<record::SampleExtension>(raw, record::kExtensionMagic);
  if (!access) return;
  Samples& samples = segment_.samples;
  size_t row = samples.size();
  if (access->cycles_of == record::CyclesOf::kRun) samples.run_cycles.set(row, access->cycles);
  if (!recording_.needs.details) return;
  if (access->access_kind != record::AccessKind::kNone) {
    samples.access_kind.set(row, static_cast<uint64_t>(access->access_kind));
    samples.access_bytes.set(row, access->access_bytes);
  }
  const auto set_class = [&](Column& column, record::MissClass of_miss) {
    if (of_miss != record::MissClass::kNone) column.set(row, static_cast<uint64_t>(of_miss));
  };
  set_class(samples.l1_class, access->l1_class);
  set_class(samples.l2_class, access->l2_class);
  set_class(samples.l3_class, access->l3_class);
  if (access->load_replay != record::LoadReplay::kNone)
    samples.load_replay.set(row, static_cast<uint64_t>(access->load_replay));
  (void)take_piece<record::KernelObjectExtension>(raw, record::kKernelObjectMagic);  // data_objects.cc
  if (auto block = take_piece<record::HeapBlockExtension>(raw, record::kHeapBlockMagic))
    add_heap_block(*block);
  if (auto steps = take_piece<record::StepsExtension>(raw, record::kStepsMagic)) add_steps(steps->steps);
  if (auto what_if = take_piece<record::WhatIfExtension>(raw, record::kWhatIfMagic))
    add_what_if(what_if->what_if);
  if (auto depths = take_piece<record::DepthsExtension>(raw, record::kDepthsMagic)) add_depths(*depths);
  if (take_piece<record::SystemCallExtension>(raw, record::kSystemCallMagic)) samples.by_kernel.set(row, 1);
  if (auto tlb = take_piece<record::TlbExtension>(raw, record::kTlbMagic)) add_tlb(*tlb, raw);
}

void SampleWriter::add_tlb(const record::TlbExtension& tlb, Bytes pages) {
  constexpr unsigned kMaxShift = 40;
  if (tlb.page_log2 > kMaxShift || pages.size() < tlb.count * sizeof(record::TlbPage)) return;
  TlbState state{segment_.samples.size(),
                 uint64_t{1} << tlb.page_log2,
                 (tlb.flags & record::kTlbComplete) != 0,
                 (tlb.flags & record::kTlbFrames) != 0,
                 {}};
  state.pages.reserve(tlb.count);
  for (size_t i = 0; i < tlb.count; ++i) {
    record::TlbPage page;
    std::memcpy(&page, pages.data() + i * sizeof(page), sizeof(page));
    uint64_t number = page.low | uint64_t{page.high} << 32;
    if (number == record::kNoTlbPage) {
      state.complete = false;
    } else {
      state.pages.push_back(number);
    }
  }
  segment_.tlb_states.push_back(std::move(state));
}

void SampleWriter::add_steps(const record::MissSteps& steps) {
  Samples& samples = segment_.samples;
  for (uint32_t i = 0; i < std::min<uint32_t>(steps.count, record::kMissSteps); ++i)
    samples.step_bytes[i].set(samples.size(), static_cast<uint64_t>(steps.bytes[i]));
}

void SampleWriter::add_what_if(const record::WhatIf& what_if) {
  Samples& samples = segment_.samples;
  size_t row = samples.size();
  const auto set = [&](record::WhatIf::Question question, Column& hits) {
    if ((what_if.asked & question) != 0) hits.set(row, (what_if.would_hit & question) != 0 ? 1 : 0);
  };
  set(record::WhatIf::kNextLine, samples.next_line_hits);
  set(record::WhatIf::kHugePages, samples.huge_page_hits);
  if (what_if.reuse_known != 0)
    (what_if.reuse_more != 0 ? samples.reuse_lines_at_least : samples.reuse_lines)
        .set(row, what_if.reuse_lines);
}

void SampleWriter::add_depths(const record::DepthsExtension& depths) {
  Samples& samples = segment_.samples;
  for (unsigned i = 0; i < depths.set_counts && i < record::kMaxSetCounts; ++i)
    samples.depth[i].set(samples.size(), depths.depth[i]);
}

void SampleWriter::add_heap_block(const record::HeapBlockExtension& block) {
  Samples& samples = segment_.samples;
  size_t row = samples.size();
  samples.heap_start.set(row, block.start);
  samples.heap_bytes.set(row, block.bytes);
  if (block.site != 0) samples.heap_site.set(row, block.site);  // number; a row after joining
}

void SampleWriter::add_heap_site(uint32_t event, const record::Sample& sample) {
  Bytes raw = sample.raw;
  auto site = take_piece<record::HeapSiteExtension>(raw, record::kHeapSiteMagic);
  if (!site) return;
  const Task& task = task_of(sample);
  HeapSite found{site->site, site->any_caller != 0, {}};
  const perf_event_attr& attr = recording_.reader.events()[event].attr;
  for (const CodeAddress& place : call_chain_.of(attr, Mode::kUser, *task.user, sample))
    found.chain.push_back(locate(place.mode, task, place.address));
  bool is_walked = found.chain.size() > 1;
  if (!is_walked)
    found.chain = {locate(Mode::kUser, task, sample.ip), locate(Mode::kUser, task, sample.addr - 1)};
  segment_.heap_sites.push_back(std::move(found));
}

}  // namespace hm::profile
