// SPDX-License-Identifier: MIT
#include "measuring.h"

#include <fcntl.h>
#include <gelf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "base/json.h"
#include "base/unique_fd.h"
#include "record/comm.h"
#include "record/mmap.h"
#include "record/read.h"
#include "record/reader.h"
#include "record/sample.h"
#include "record/task.h"

namespace hm::soft_pmu_test {
namespace {

// The pieces of a sample's data have sizes that are multiples of four.
bool has_piece(Bytes raw, uint32_t magic) {
  for (size_t at = 0; at + sizeof(magic) <= raw.size(); at += sizeof(magic)) {
    if (std::memcmp(raw.data() + at, &magic, sizeof(magic)) == 0) return true;
  }
  return false;
}

Sample plain(const record::Sample& from, const std::string& event) {
  Sample sample;
  sample.event = event;
  sample.pid = from.pid;
  sample.tid = from.tid;
  sample.ip = from.ip;
  sample.addr = from.addr;
  sample.phys_addr = from.phys_addr;
  sample.period = from.period;
  sample.weight = from.weight;
  sample.source.val = from.data_source;
  size_t next = 0;
  for (int number = 0; number < 64; ++number) {
    if ((from.intr_regs.mask >> number & 1) != 0) sample.registers[number] = from.intr_regs.values[next++];
  }
  for (size_t i = 0; i < from.branches.size(); ++i) {
    sample.branches.push_back({from.branches[i].from, from.branches[i].to});
  }
  for (uint64_t address : from.callchain) {
    if (address < PERF_CONTEXT_MAX) sample.call_chain.push_back(address);
  }
  record::SampleExtension extension{};
  EXPECT_GE(from.raw.size(), sizeof(extension));
  if (from.raw.size() >= sizeof(extension)) std::memcpy(&extension, from.raw.data(), sizeof(extension));
  EXPECT_EQ(extension.magic, record::kExtensionMagic);
  sample.run_cycles = extension.cycles;
  sample.access_kind = extension.access_kind;
  sample.access_bytes = extension.access_bytes;
  sample.l1_class = extension.l1_class;
  sample.l2_class = extension.l2_class;
  sample.l3_class = extension.l3_class;
  sample.by_kernel = has_piece(from.raw, record::kSystemCallMagic);
  return sample;
}

void take(const record::Record& record, record::Reader& reader, Recording& recording) {
  const auto event_of = [&] { return reader.events()[reader.event_of(record).value_or(0)]; };
  if (record.type == PERF_RECORD_SAMPLE) {
    auto sample = record::decode_sample(event_of().attr, record.payload, record.swap);
    ASSERT_TRUE(sample.ok()) << sample.error().message;
    if (event_of().name == record::kHeapSiteEvent) return void(++recording.heap_sites);
    recording.samples.push_back(plain(*sample, event_of().name));
  } else if (record.type == PERF_RECORD_READ) {
    auto read = record::decode_read(record, event_of().attr.read_format);
    ASSERT_TRUE(read.ok()) << read.error().message;
    recording.totals.push_back({event_of().name, read->pid, read->tid, read->values[0].value});
  } else if (record.type == PERF_RECORD_FORK || record.type == PERF_RECORD_EXIT) {
    auto task = record::decode_task(record);
    ASSERT_TRUE(task.ok()) << task.error().message;
    recording.tasks.push_back({record.type, task->pid, task->tid, task->parent_pid, ""});
  } else if (record.type == PERF_RECORD_MMAP2) {
    auto mmap = record::decode_mmap(record);
    ASSERT_TRUE(mmap.ok()) << mmap.error().message;
    record::FileIdentity file = mmap->identity.value_or(record::FileIdentity{});
    recording.mappings.push_back({mmap->pid, mmap->address, mmap->length, mmap->file_offset, file.inode,
                                  file.major, file.minor, mmap->executable, std::string(mmap->path)});
  } else if (record.type == PERF_RECORD_COMM) {
    auto comm = record::decode_comm(record);
    ASSERT_TRUE(comm.ok()) << comm.error().message;
    recording.tasks.push_back({record.type, comm->pid, comm->tid, 0, std::string(comm->name)});
  }
}

}  // namespace

void PrintTo(const Branch& branch, std::ostream* out) {
  *out << std::hex << branch.from << "->" << branch.to << std::dec;
}

Counts count(const Words& options, const Words& command) {
  TemporaryFolder folder;
  std::string path = folder.file("counts.json");
  Outcome outcome =
      hardmeter(Words{"stat", "--json", "-o", path} + soft_pmu() + options + Words{"--"} + command);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  auto json = nlohmann::json::parse(std::ifstream(path), nullptr, false);
  if (!json.is_object()) {
    ADD_FAILURE() << "stat wrote no JSON: " << outcome.err;
    return {};
  }
  Counts counts;
  for (const auto& [event, value] : json["totals"].items()) {
    if (!value.is_null()) counts[event] = value.get<uint64_t>();  // null: no burst counted it
  }
  if (json["cycles"].is_number()) counts["cycles"] = json["cycles"].get<uint64_t>();
  return counts;
}

std::vector<Sample> Recording::of(const std::string& event) const {
  std::vector<Sample> found;
  for (const Sample& sample : samples) {
    if (sample.event == event) found.push_back(sample);
  }
  return found;
}

Recording decode(const std::string& path) {
  Recording recording;
  auto reader = record::Reader::open(path);
  EXPECT_TRUE(reader.ok()) << (reader.ok() ? "" : reader.error().message);
  if (!reader.ok()) return recording;
  while (auto record = reader->next()) take(*record, *reader, recording);
  for (const std::string& problem : reader->problems()) ADD_FAILURE() << problem;
  return recording;
}

Recording record(const Words& options, const Words& command, int status) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome outcome =
      hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + options + Words{"--"} + command);
  EXPECT_EQ(outcome.status, status) << outcome.err;
  return decode(path);
}

std::map<std::string, uint64_t> labels(const std::string& path) {
  std::map<std::string, uint64_t> found;
  ::elf_version(EV_CURRENT);
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  Elf* elf = ::elf_begin(fd.get(), ELF_C_READ_MMAP, nullptr);
  for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (::gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* data = ::elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; ::gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const char* name = ::elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr && *name != '\0') found[name] = symbol.st_value;
    }
  }
  ::elf_end(elf);
  return found;
}

}  // namespace hm::soft_pmu_test
