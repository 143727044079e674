// SPDX-License-Identifier: MIT
// The engine's own memory. Freestanding.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace hm::soft::direct {

// PROT_*
inline constexpr int kInaccessible = 0, kReadable = 1, kWritable = 2, kExecutable = 4;
inline constexpr int kReadWrite = 3, kReadExecute = 5, kReadWriteExecute = 7;

// Maps zeroed pages, anywhere or at `address` if nothing else is there. Returns null if the system refuses.
void* map_pages(uint64_t bytes, int protection);
void* map_pages_at(uint64_t address, uint64_t bytes, int protection);

// Maps the first bytes of a file, shared or private. Returns null if the system refuses.
enum class Sharing : int64_t { kShared = 1, kPrivate = 2 };  // MAP_*
void* map_file(int fd, uint64_t bytes, int protection, Sharing sharing);

// Maps bytes of a file from `offset` on, shared, at `address`. Returns null if something else is mapped
// there.
void* map_file_at(uint64_t address, int fd, uint64_t offset, uint64_t bytes);

// Makes inaccessible pages readable and writable. Returns false if the system refuses.
bool make_accessible(void* pages, uint64_t bytes);

void unmap_pages(void* pages, uint64_t bytes);

// Returns true if the address lies in memory that the engine has mapped.
bool is_own_mapping(uint64_t address);

// Returns the overlap of [start, end) with the first part of the engine's memory, its image included, that
// overlaps it; an empty part at `end` if none does.
struct OwnPart {
  uint64_t start, end;
};
OwnPart first_own_part(uint64_t start, uint64_t end);

// Sets whether a child that the process forks inherits the engine and all memory that it has mapped.
void let_children_inherit(bool inherit);

// Returns zeroed objects that are never freed; null if the system refuses.
void* take_bytes(size_t bytes);

template <typename T>
T* take(size_t count = 1) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
  return static_cast<T*>(take_bytes(count * sizeof(T)));
}

// A growable array with elements that never move.
template <typename T, uint32_t kChunk = 4096, uint32_t kChunks = 8192>
class StableArray {
 public:
  // Adds an element. Returns its index, or kFull.
  static constexpr uint32_t kFull = ~uint32_t{0};
  uint32_t add(const T& value) {
    if (!has_place()) return kFull;
    (*this)[size_] = value;
    return size_++;
  }
  // Adds `count` contiguous elements, at most kChunk: zeroed, or as clear() has left them. Returns null if
  // there is no room.
  T* add_together(uint32_t count) {
    uint32_t used = size_ % kChunk;
    if (used + count > kChunk) size_ += kChunk - used;
    if (!has_place()) return nullptr;
    T* first = &(*this)[size_];
    size_ += count;
    return first;
  }
  T& operator[](uint32_t index) const { return chunks_[index / kChunk][index % kChunk]; }
  [[nodiscard]] uint32_t size() const { return size_; }
  // Returns true if at least a quarter of the chunks is unused. Memory for them may still be lacking.
  [[nodiscard]] bool has_room() const { return size_ / kChunk < kChunks - kChunks / 4; }
  // Removes all elements, but keeps their memory for new ones.
  void clear() { size_ = 0; }

 private:
  bool has_place() {
    uint32_t chunk = size_ / kChunk;
    return chunk < kChunks && (chunks_ != nullptr || (chunks_ = take_chunks()) != nullptr) &&
           (chunks_[chunk] != nullptr || (chunks_[chunk] = take<T>(kChunk)) != nullptr);
  }

  static T** take_chunks() { return static_cast<T**>(take_bytes(kChunks * sizeof(void*))); }

  T** chunks_ = nullptr;
  uint32_t size_ = 0;
};

}  // namespace hm::soft::direct
