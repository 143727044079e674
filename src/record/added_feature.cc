// SPDX-License-Identifier: MIT
// The features are a table with an offset and a size for each bit that is set, in the order of the bits, and
// then the sections: tools/perf/Documentation/perf.data-file-format.txt in the Linux source.
#include "record/added_feature.h"

#include <map>

#include "record/file_header.h"
#include "record/output.h"

namespace hm::record {
namespace {

Result<std::map<unsigned, Bytes>> sections_of(Bytes recording, const FileHeader& header) {
  std::map<unsigned, Bytes> sections;
  ByteReader table(recording.subspan(header.data.offset + header.data.bytes));
  for (unsigned bit = 0; bit < kFeatureBits; ++bit) {
    if (!header.has_feature(bit)) continue;
    FileSection section{.offset = table.u64(), .bytes = table.u64()};
    bool is_inside = table.ok() && section.offset <= recording.size() &&
                     section.bytes <= recording.size() - section.offset;
    if (!is_inside) return make_error(ErrorCode::kDamaged, "the recording's features are cut off");
    sections[bit] = recording.subspan(section.offset, section.bytes);
  }
  return sections;
}

std::vector<std::byte> table_of(const std::map<unsigned, Bytes>& sections, uint64_t begin) {
  ByteWriter table;
  uint64_t offset = begin + sections.size() * sizeof(FileSection);
  for (const auto& [bit, section] : sections) {
    table.u64(offset);
    table.u64(section.size());
    offset += section.size();
  }
  return std::move(table).take();
}

Status check_form(Bytes recording, const FileHeader& header) {
  if (header.is_pipe) {
    return make_error(ErrorCode::kUnsupported,
                      "a recording in the format of pipes has no room for files; record to a file");
  }
  if (header.swap) return make_error(ErrorCode::kUnsupported, "the recording is in the other byte order");
  uint64_t size = recording.size();
  bool is_finished = header.data.bytes != 0 && header.data.offset <= size &&
                     header.data.bytes <= size - header.data.offset && header.data.offset >= kFileHeaderBytes;
  if (!is_finished)
    return make_error(ErrorCode::kUnsupported, "the recording is not finished, or it is cut off");
  return {};
}

}  // namespace

Status write_with_feature(Bytes recording, unsigned bit, Bytes section, const std::string& path) {
  Result<FileHeader> header = decode_file_header(recording);
  if (!header) return header.error();
  if (Status good = check_form(recording, *header); !good) return good;
  Result<std::map<unsigned, Bytes>> sections = sections_of(recording, *header);
  if (!sections) return sections.error();
  (*sections)[bit] = section;
  header->set_feature(bit);
  Result<Output> output = Output::create(path);
  if (!output) return output.error();
  ByteWriter begin;
  encode_file_header(*header, begin);
  uint64_t end_of_data = header->data.offset + header->data.bytes;
  Status written = output->write(begin.bytes());
  if (written) written = output->write(recording.subspan(kFileHeaderBytes, end_of_data - kFileHeaderBytes));
  if (written) written = output->write(table_of(*sections, end_of_data));
  for (auto each = sections->begin(); written && each != sections->end(); ++each)
    written = output->write(each->second);
  return written ? output->close() : written;
}

}  // namespace hm::record
