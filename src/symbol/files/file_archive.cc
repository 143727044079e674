// SPDX-License-Identifier: MIT
#include "symbol/files/file_archive.h"

#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "base/write_all.h"

namespace hm::symbol {
namespace {

constexpr uint64_t kArchiveMagic = 0x3145'4c49'464d'48;  // "HMFILE1" and 0 in file order
constexpr size_t kMaxNameBytes = 4096;
constexpr uint64_t kMaxContentBytes = uint64_t{1} << 30;
// A frame that expands to more than this number of times its size is rejected as an attack.
constexpr uint64_t kMaxExpansionOfFile = 4096;
constexpr int kArchiveLevel = 9;

bool is_plausible(uint64_t bytes, uint64_t frame_bytes) {
  return bytes <= kMaxContentBytes && bytes / kMaxExpansionOfFile <= frame_bytes;
}

}  // namespace

std::shared_ptr<const FileArchive> FileArchive::read(Bytes block) {
  auto archive = std::make_shared<FileArchive>();
  archive->block_.assign(block.begin(), block.end());
  ByteReader in(archive->block_);
  if (in.u64() != kArchiveMagic) return archive;
  while (in.ok() && in.remaining() > 0) {
    auto kind = static_cast<ArchivedKind>(in.u32());
    size_t path_bytes = in.u32(), id_bytes = in.u32();
    uint64_t bytes = in.u64(), frame_bytes = in.u64();
    if (!in.ok() || path_bytes > kMaxNameBytes || id_bytes > kMaxNameBytes) break;
    Bytes path = in.take(path_bytes), id = in.take(id_bytes), frame = in.take(frame_bytes);
    if (!in.ok()) break;
    auto text = [](Bytes name) {
      return std::string(reinterpret_cast<const char*>(name.data()), name.size());
    };
    if (is_plausible(bytes, frame_bytes))
      archive->files_.try_emplace({kind, text(path), text(id)}, File{bytes, frame});
  }
  return archive;
}

const FileArchive::File* FileArchive::find(const Key& key) const {
  auto found = files_.find(key);
  return found == files_.end() ? nullptr : &found->second;
}

std::optional<std::vector<std::byte>> FileArchive::contents(const File& file) {
  std::vector<std::byte> bytes(file.bytes);
  size_t got = ZSTD_decompress(bytes.data(), bytes.size(), file.frame.data(), file.frame.size());
  if (ZSTD_isError(got) != 0 || got != bytes.size()) return std::nullopt;
  return bytes;
}

UniqueFd FileArchive::open(ArchivedKind kind, const std::string& path, const std::string& build_id) const {
  const File* file = find({kind, path, build_id});
  std::optional<std::vector<std::byte>> bytes = file == nullptr ? std::nullopt : contents(*file);
  if (!bytes) return {};
  UniqueFd fd(::memfd_create("hardmeter-archive", MFD_CLOEXEC));
  return fd.valid() && write_all(fd.get(), *bytes) ? std::move(fd) : UniqueFd();
}

std::optional<std::string> FileArchive::source(const std::string& path) const {
  const File* file = find({ArchivedKind::kSource, path, ""});
  std::optional<std::vector<std::byte>> bytes = file == nullptr ? std::nullopt : contents(*file);
  if (!bytes) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

size_t FileArchive::count_readable() const {
  size_t readable = 0;
  for (const auto& [key, file] : files_) readable += contents(file).has_value() ? 1 : 0;
  return readable;
}

FileArchiveWriter::FileArchiveWriter() { out_.u64(kArchiveMagic); }

Status FileArchiveWriter::add(ArchivedKind kind, const std::string& path, const std::string& build_id,
                              Bytes contents) {
  std::vector<std::byte> frame(ZSTD_compressBound(contents.size()));
  size_t bytes = ZSTD_compress(frame.data(), frame.size(), contents.data(), contents.size(), kArchiveLevel);
  if (ZSTD_isError(bytes) != 0)
    return make_error(ErrorCode::kIo, "cannot compress '{}': {}", path, ZSTD_getErrorName(bytes));
  out_.u32(static_cast<uint32_t>(kind));
  out_.u32(static_cast<uint32_t>(path.size()));
  out_.u32(static_cast<uint32_t>(build_id.size()));
  out_.u64(contents.size());
  out_.u64(bytes);
  out_.text(path);
  out_.text(build_id);
  out_.append(Bytes(frame).first(bytes));
  return {};
}

}  // namespace hm::symbol
