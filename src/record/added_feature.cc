// SPDX-License-Identifier: MIT
#include "record/added_feature.h"

#include "record/feature_sections.h"
#include "record/file_header.h"
#include "record/output.h"

namespace hm::record {
namespace {

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
  FeatureSections found = find_feature_sections(recording, *header);
  if (found.cut_off_at) return make_error(ErrorCode::kDamaged, "the recording's features are cut off");
  found.sections[bit] = section;
  std::vector<std::byte> table = encode_feature_table(found.sections, *header);
  Result<Output> output = Output::create(path);
  if (!output) return output.error();
  ByteWriter begin;
  encode_file_header(*header, begin);
  uint64_t end_of_data = header->data.offset + header->data.bytes;
  Status written = output->write(begin.bytes());
  if (written) written = output->write(recording.subspan(kFileHeaderBytes, end_of_data - kFileHeaderBytes));
  if (written) written = output->write(table);
  for (auto each = found.sections.begin(); written && each != found.sections.end(); ++each)
    written = output->write(each->second);
  return written ? output->close() : written;
}

}  // namespace hm::record
