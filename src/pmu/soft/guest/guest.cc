// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/guest.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

#include "pmu/soft/guest/kernel_code.h"
#include "pmu/soft/guest/model_memory.h"
#include "pmu/soft/ring/system_call.h"
#include "pmu/soft/sampling/thread_slots.h"

namespace hm::soft::guest {

bool Guest::open() {
  const char* folder = std::getenv(kSessionVariable);
  if (folder == nullptr) return false;
  folder_ = folder;
  return link_.open_session(folder);
}

bool Guest::read_memory(uint64_t address, void* to, uint32_t bytes) {
  GByteArray* read = g_byte_array_new();
  bool is_mapped = qemu_plugin_read_memory_vaddr(address, read, bytes) && read->length == bytes;
  if (is_mapped) std::memcpy(to, read->data, bytes);
  g_byte_array_free(read, 1);
  return is_mapped;
}

void Guest::take_table(KernelTable table, uint64_t address, uint64_t bytes) {
  constexpr uint64_t kPiece = uint64_t{1} << 20;
  if (table >= kKernelTables || bytes > kMaxTableBytes) return;
  std::string text(bytes, '\0');
  for (uint64_t at = 0; at < bytes; at += kPiece) {
    auto piece = static_cast<uint32_t>(std::min(kPiece, bytes - at));
    if (!read_memory(address + at, text.data() + at, piece)) return;
  }
  write_file(kTableNames[table], text);
}

void Guest::write_file(const char* name, const std::string& text) const {
  std::ofstream file(folder_ + "/" + name, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::string Guest::read_file(const char* name) const {
  std::ifstream file(folder_ + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool Guest::takes_samples() {
  const Session& session = *link_.session();
  return std::ranges::any_of(session.events, [](const EventConfig& each) { return each.sampled != 0; });
}

std::string Guest::begin_records() {
  std::string symbols = read_file(kTableNames[kSymbols]), btf = read_file(kTableNames[kTypes]);
  std::optional<Btf> types = Btf::parse(std::as_bytes(std::span(btf)));
  if (!types)
    return "the guest's kernel does not describe its structures (CONFIG_DEBUG_INFO_BTF), so samples are not possible";
  std::string missing;
  std::optional<KernelLayout> layout = find_layout(symbols, *types, missing);
  if (!layout) return "the guest's kernel has no " + missing + ", so samples are not possible";
  records_ = std::make_unique<GuestRecords>(*link_.session(), *link_.ring(), registers_, *layout,
                                            KernelMemory(read_memory),
                                            KernelObjects(symbols, *types, KernelMemory(read_memory)));
  std::string modules = read_file(kTableNames[kModules]);
  write_file(kCodeName, kernel_code(KernelMemory(read_memory), code_ranges(symbols, modules)));
  return {};
}

unsigned Guest::line_shift() { return model::log2_of(link_.session()->geometry.line_bytes); }

std::string Guest::begin(unsigned cores) {
  constexpr char kNoMemory[] = "no memory for the models of the guest";
  if (!cores_.empty()) return "a program of the guest asks to begin again";
  Session& session = *link_.session();
  ModelPlan plan = model_plan(session, cores, model_memory);
  void* levels = model_memory(shared_bytes(plan));
  if (!memory_.find() || levels == nullptr || !link_.open_ring()) return kNoMemory;
  if (takes_samples()) {
    if (std::string problem = begin_records(); !problem.empty()) return problem;
  }
  Sampling sampling;
  if (records_ != nullptr)
    sampling = {[this](const DueSample& due) { records_->sample(due); },
                [this](unsigned cpu) { return registers_.instruction_pointer(cpu); }};
  shared_ = build_shared(plan, levels);
  RingStatus& status = link_.ring()->status();
  for (unsigned i = 0; i < cores; ++i) {
    std::array<ThreadTotals*, kModes> totals{};
    for (unsigned mode = 0; mode < kModes; ++mode) {
      bool is_wanted = (session.guest_modes >> mode & 1) != 0;
      if (!is_wanted) continue;
      totals[mode] = take_slot(status, i * kModes + mode + 1);
      if (totals[mode] == nullptr) return kNoMemory;
    }
    cores_.push_back(std::make_unique<GuestCore>(i, session, plan, shared_, totals, sampling, &page_sizes_));
  }
  link_.ring()->open(static_cast<uint32_t>(::getpid()));
  if (records_ != nullptr) records_->begin();
  measures_ = true;
  return {};
}

void Guest::report(unsigned cpu, KernelReport what) {
  constexpr unsigned kRsi = 6, kRdi = 7;  // the first arguments of functions
  records_->report(cpu, what, registers_.general(cpu, kRdi), registers_.general(cpu, kRsi));
  for (const auto& core : cores_) core->change_mappings();
  page_sizes_.forget();
}

void Guest::finish() {
  for (const auto& core : cores_) core->settle();
  if (link_.ring() != nullptr) link_.ring()->close();
}

void Guest::end(int exit_status) {
  measures_ = false;
  exit_status_ = exit_status;
  link_.session()->guest_ended = 1;
}

Block* Guest::block_of(Block&& block) {
  BlockKey key = block.lines;
  for (const Site& each : block.sites) key.push_back(each.ip);
  std::unique_ptr<Block>& known = blocks_[key];
  if (known == nullptr) {
    block.resize(cores_.size());
    known = std::make_unique<Block>(std::move(block));
  }
  return known.get();
}

}  // namespace hm::soft::guest
