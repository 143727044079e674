// SPDX-License-Identifier: MIT
#include "record/file_header.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string_view>

namespace hm::record {
namespace {

constexpr uint64_t magic_of(const char (&text)[9]) {
  uint64_t magic = 0;
  for (int i = 7; i >= 0; --i) magic = magic << 8 | static_cast<unsigned char>(text[i]);
  return magic;
}

constexpr uint64_t kMagic = magic_of("PERFILE2");
constexpr uint64_t kMagicBefore2010 = magic_of("PERFFILE");

FileSection read_section(ByteReader& in) { return {.offset = in.u64(), .bytes = in.u64()}; }

void write_section(const FileSection& section, ByteWriter& out) {
  out.u64(section.offset);
  out.u64(section.bytes);
}

// The magic of PERFILE2 is a number in the recorder's byte order. PERFFILE is text and the same in both byte
// orders, so the header size after it decides.
std::optional<bool> is_swapped(Bytes file) {
  ByteReader in(file);
  uint64_t magic = in.u64();
  uint64_t size = in.u64();
  if (magic == kMagic || byte_swap(magic) == kMagic) return magic != kMagic;
  if (magic == kMagicBefore2010) return byte_swap(size) < size;
  return std::nullopt;
}

// Packings that this program does not unpack (unpack/unpack.h), by their first bytes.
struct OtherPacking {
  std::string_view magic, command;
};
constexpr std::array<OtherPacking, 3> kOtherPackings{
    {{"BZh", "bunzip2"}, {"\x04\x22\x4d\x18", "unlz4"}, {"PK\x03\x04", "unzip"}}};

std::string why_not(Bytes file) {
  if (file.empty()) return "it is empty";
  std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  for (const OtherPacking& each : kOtherPackings) {
    if (text.starts_with(each.magic))
      return fmt::format("it is packed; unpack it first, with {}", each.command);
  }
  return "it does not begin with PERFILE2";
}

}  // namespace

std::optional<Bytes> slice(Bytes file, const FileSection& section) {
  if (section.offset > file.size() || section.bytes > file.size() - section.offset) return std::nullopt;
  return file.subspan(section.offset, section.bytes);
}

Result<FileHeader> decode_file_header(Bytes file) {
  std::optional<bool> swapped = is_swapped(file);
  if (!swapped) return make_error(ErrorCode::kDamaged, "not a recording: {}", why_not(file));
  FileHeader header{.swap = *swapped};
  ByteReader in(file, header.swap);
  in.skip(sizeof kMagic);
  uint64_t size = in.u64();
  header.is_pipe = in.ok() && size == kPipeHeaderBytes;
  if (header.is_pipe) return header;
  header.attr_bytes = in.u64();
  header.attrs = read_section(in);
  header.data = read_section(in);
  header.event_types = read_section(in);
  for (uint64_t& word : header.features) word = in.u64();
  if (!in.ok() || size < kFileHeaderBytes) {
    return make_error(ErrorCode::kDamaged, "the recording's header is cut off: {} bytes of {}", file.size(),
                      kFileHeaderBytes);
  }
  return header;
}

std::optional<FileHeader> decode_early_features(Bytes file, const FileHeader& header) {
  uint64_t offset = header.attrs.offset + header.attrs.bytes;  // read_file_attrs has checked this range
  ByteReader in(file.subspan(offset), header.swap);
  if (in.u64() != kEarlyFeaturesMagic) return std::nullopt;
  FileHeader early = header;
  for (uint64_t& word : early.features) word = in.u64();
  early.data = {.offset = offset + kEarlyFeaturesBytes, .bytes = 0};
  return in.ok() ? std::optional(early) : std::nullopt;
}

void encode_file_header(const FileHeader& header, ByteWriter& out) {
  out.u64(kMagic);
  out.u64(header.is_pipe ? kPipeHeaderBytes : kFileHeaderBytes);
  if (header.is_pipe) return;
  out.u64(header.attr_bytes);
  write_section(header.attrs, out);
  write_section(header.data, out);
  write_section({}, out);
  for (uint64_t word : header.features) out.u64(word);
}

}  // namespace hm::record
