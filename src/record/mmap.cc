// SPDX-License-Identifier: MIT
#include "record/mmap.h"

#include <linux/perf_event.h>
#include <sys/mman.h>

#include <algorithm>

#include "record/build_id.h"

namespace hm::record {
namespace {

constexpr size_t kBuildIdReservedBytes = 3;  // between the build ID's size and its bytes

void read_build_id(ByteReader& in, Mmap& mmap) {
  uint8_t size = in.u8();
  in.skip(kBuildIdReservedBytes);
  Bytes bytes = in.take(kMaxBuildIdBytes);
  mmap.build_id = bytes.first(std::min<size_t>(size, bytes.size()));
}

void write_build_id(Bytes build_id, ByteWriter& out) {
  Bytes kept = build_id.first(std::min(build_id.size(), kMaxBuildIdBytes));
  out.u8(static_cast<uint8_t>(kept.size()));
  for (size_t i = 0; i < kBuildIdReservedBytes; ++i) out.u8(0);
  out.append(kept);
  for (size_t i = kept.size(); i < kMaxBuildIdBytes; ++i) out.u8(0);
}

void read_file(ByteReader& in, bool has_build_id, Mmap& mmap) {
  if (has_build_id) {
    read_build_id(in, mmap);
  } else {
    FileIdentity identity{.major = in.u32(), .minor = in.u32()};
    identity.inode = in.u64();
    identity.inode_generation = in.u64();
    mmap.identity = identity;
  }
  mmap.protection = in.u32();
  mmap.flags = in.u32();
  mmap.executable = (*mmap.protection & PROT_EXEC) != 0;
}

void write_file(const Mmap& mmap, ByteWriter& out) {
  if (!mmap.build_id.empty()) {
    write_build_id(mmap.build_id, out);
  } else {
    FileIdentity identity = mmap.identity.value_or(FileIdentity{});
    out.u32(identity.major);
    out.u32(identity.minor);
    out.u64(identity.inode);
    out.u64(identity.inode_generation);
  }
  out.u32(*mmap.protection);
  out.u32(mmap.flags);
}

}  // namespace

uint32_t protection_of(std::string_view permissions) {
  uint32_t protection = 0;
  if (permissions.find('r') != std::string_view::npos) protection |= PROT_READ;
  if (permissions.find('w') != std::string_view::npos) protection |= PROT_WRITE;
  if (permissions.find('x') != std::string_view::npos) protection |= PROT_EXEC;
  return protection;
}

Result<Mmap> decode_mmap(const Record& record) {
  ByteReader in = record.reader();
  Mmap mmap{.pid = in.u32(), .tid = in.u32()};
  mmap.address = in.u64();
  mmap.length = in.u64();
  mmap.file_offset = in.u64();
  if (record.type == PERF_RECORD_MMAP2) {
    read_file(in, (record.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0, mmap);
  } else {
    mmap.executable = (record.misc & PERF_RECORD_MISC_MMAP_DATA) == 0;
  }
  mmap.path = in.text(in.remaining());
  if (!in.ok()) return short_record(record);
  return mmap;
}

void encode_mmap(const Mmap& mmap, ByteWriter& payload) {
  payload.u32(mmap.pid);
  payload.u32(mmap.tid);
  payload.u64(mmap.address);
  payload.u64(mmap.length);
  payload.u64(mmap.file_offset);
  if (mmap.protection.has_value()) write_file(mmap, payload);
  append_name(payload, mmap.path);
}

uint32_t record_type_of(const Mmap& mmap) {
  return mmap.protection.has_value() ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP;
}

uint16_t misc_bits_of(const Mmap& mmap) {
  bool has_build_id = mmap.protection.has_value() && !mmap.build_id.empty();
  return static_cast<uint16_t>((mmap.executable ? 0 : PERF_RECORD_MISC_MMAP_DATA) |
                               (has_build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0));
}

}  // namespace hm::record
