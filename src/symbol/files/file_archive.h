// SPDX-License-Identifier: MIT
// Files that a recording needs, in one block of bytes: programs, debug files, symbol maps, source texts.
// `hardmeter archive` stores the block in the recording (kFeatureFiles in record/extension.h). Names in it
// are compared with those of the recording, and never become paths of this machine.
//
// The block is a magic number of 8 bytes and then, for each file: kind and bytes of its path and of its build
// ID (u32 each), bytes of its contents and of their zstd frame (u64 each), the path, the build ID, the frame.
// All numbers are little-endian.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::symbol {

enum class ArchivedKind : uint32_t {
  kObject = 1,  // what `path` names: an ELF file, a jitdump file, or the text of a symbol map
  kDebug = 2,   // separate debug file; its path is empty, as that of a common file
  kSource = 3,  // source text; its build ID is empty
  kShared = 4,  // common file of debug information (dwz(1)) of the debug file with this build ID
  kUnit = 5,    // one unit of split debug information (split_units.h); its build ID is that of the program
};

// A file that was read for an object.
struct VisitedFile {
  ArchivedKind kind;
  std::string path;  // of a unit: its number; empty for the object itself and its debug files
  Bytes contents;
};

// Thread-safe after read().
class FileArchive {
 public:
  // Copies the block. A truncated block has the files before its end; files with impossible sizes are left
  // out.
  [[nodiscard]] static std::shared_ptr<const FileArchive> read(Bytes block);

  // Returns the contents as a file in memory; not valid if there is no such file, or if its frame is damaged.
  [[nodiscard]] UniqueFd open(ArchivedKind kind, const std::string& path, const std::string& build_id) const;
  [[nodiscard]] std::optional<std::string> source(const std::string& path) const;
  [[nodiscard]] size_t size() const { return files_.size(); }
  // Decompresses every file, and returns the number of undamaged ones.
  [[nodiscard]] size_t count_readable() const;

 private:
  using Key = std::tuple<ArchivedKind, std::string, std::string>;
  struct File {
    uint64_t bytes = 0;
    Bytes frame;
  };

  [[nodiscard]] const File* find(const Key& key) const;
  [[nodiscard]] static std::optional<std::vector<std::byte>> contents(const File& file);

  std::vector<std::byte> block_;
  std::map<Key, File> files_;
};

class FileArchiveWriter {
 public:
  FileArchiveWriter();
  // Fails with kIo if zstd fails.
  Status add(ArchivedKind kind, const std::string& path, const std::string& build_id, Bytes contents);
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(out_).take(); }

 private:
  ByteWriter out_;
};

}  // namespace hm::symbol
