// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "symbol/files/debug_files.h"
#include "symbol/resolver.h"

namespace hm::symbol {

// An object backed by a file, the vDSO, or the symbol table of the kernel or a just-in-time compiler. A mutex
// serializes all lookups.
class FileObject final : public Object {
 public:
  // `debug_files` and `sources`, which maps the paths of source files, must outlive this object.
  FileObject(const RecordedObject& recorded, DebugFiles& debug_files, const SourceFiles& sources);
  ~FileObject() override;

  void visit_files(const std::function<void(const VisitedFile&)>& visit) const override;
  [[nodiscard]] std::optional<Error> problem() const override;
  [[nodiscard]] std::optional<int64_t> modified_s() const override;
  [[nodiscard]] std::optional<uint64_t> address_of(uint64_t offset) const override;
  [[nodiscard]] Function function_at(uint64_t offset) const override;
  [[nodiscard]] std::vector<Frame> frames_at(uint64_t offset) const override;
  [[nodiscard]] SourceLine line_at(uint64_t address) const override;
  [[nodiscard]] std::string unit_file(uint64_t function_address) const override;
  [[nodiscard]] std::string instance_name(uint64_t function_address) const override;
  void visit_functions(const std::function<void(const std::string&)>& visit) const override;
  [[nodiscard]] std::string symbol_at(uint64_t address) const override;
  [[nodiscard]] std::optional<uint64_t> load_bias(uint64_t start, uint64_t file_offset,
                                                  bool executable) const override;
  [[nodiscard]] bool loads(uint64_t address) const override;
  [[nodiscard]] std::optional<uint64_t> offset_of(uint64_t address) const override;
  [[nodiscard]] CodeLoads code_loads() const override;
  [[nodiscard]] Result<Bytes> code(uint64_t address, uint64_t size) const override;
  [[nodiscard]] CodeKind code_kind(uint64_t address) const override;
  [[nodiscard]] Predecessors predecessors_at(uint64_t address) const override;
  [[nodiscard]] const FrameRule* frame_rule(uint64_t address) const override;
  [[nodiscard]] std::optional<DataObject> data_at(uint64_t address) const override;
  [[nodiscard]] std::optional<VariableType> variable_type(uint64_t address) const override;
  [[nodiscard]] std::optional<TypeField> variable_field(uint64_t address, int64_t offset) const override;
  [[nodiscard]] std::optional<DescribedField> accessed_field(uint64_t address, bool on_stack) const override;
  [[nodiscard]] std::optional<DescribedField> frame_field(uint64_t address,
                                                          int64_t above_stack_pointer) const override;

 private:
  class Parts;

  // Calls `use` with exclusive access to the parts.
  template <typename F>
  auto with_parts(F&& use) const {
    MutexLock lock(mutex_);
    return use(*parts_);
  }

  const SourceFiles& sources_;
  mutable Mutex mutex_;
  std::unique_ptr<Parts> parts_ HM_POINTEE_GUARDED_BY(mutex_);
};

}  // namespace hm::symbol
