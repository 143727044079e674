// SPDX-License-Identifier: MIT
#include "symbol/file_object.h"

#include <unordered_map>
#include <utility>

#include "base/modified.h"
#include "symbol/code/predecessor_finder.h"
#include "symbol/files/dso.h"
#include "symbol/files/dwarf_frames.h"
#include "symbol/types/data_types.h"
#include "symbol/unwind/frame_rules.h"

namespace hm::symbol {

// Data of an object; each part is created at its first use.
class FileObject::Parts {
 public:
  Parts(const RecordedObject& recorded, DebugFiles& debug_files)
      : dso_(recorded.path, recorded.build_id, debug_files, recorded.process), predecessors_(dso_) {}

  [[nodiscard]] Dso& dso() { return dso_; }
  [[nodiscard]] PredecessorFinder& predecessors() { return predecessors_; }
  // This and the next functions return nullptr if there is no ELF file.
  [[nodiscard]] const ElfModule* elf() { return dso_.elf(); }

  [[nodiscard]] FrameRules* frame_rules() {
    if (frame_rules_ == nullptr && elf() != nullptr) frame_rules_ = std::make_unique<FrameRules>(*elf());
    return frame_rules_.get();
  }
  [[nodiscard]] DataTypes* types() {
    if (types_ == nullptr && elf() != nullptr) types_ = std::make_unique<DataTypes>(*elf(), dso_.symbols());
    return types_.get();
  }

  [[nodiscard]] std::shared_ptr<const TypeLayout> layout_of(const DataType& type) {
    std::shared_ptr<const TypeLayout>& layout = layouts_[type.identity()];
    if (layout == nullptr) layout = std::make_shared<const TypeLayout>(type.layout());
    return layout;
  }
  [[nodiscard]] DescribedField describe(const DataTypes::TypedLocation& place) {
    return {place.type.field_at(place.offset), layout_of(place.type.element()), place.variable};
  }

 private:
  Dso dso_;
  PredecessorFinder predecessors_;
  std::unique_ptr<FrameRules> frame_rules_;
  std::unique_ptr<DataTypes> types_;
  std::unordered_map<const void*, std::shared_ptr<const TypeLayout>> layouts_;  // by type identity
};

FileObject::FileObject(const RecordedObject& recorded, DebugFiles& debug_files, const SourceFiles& sources)
    : sources_(sources), parts_(std::make_unique<Parts>(recorded, debug_files)) {}
FileObject::~FileObject() = default;

void FileObject::visit_files(const std::function<void(const VisitedFile&)>& visit) const {
  with_parts([&](Parts& parts) { parts.dso().visit_files(visit); });
}

std::optional<Error> FileObject::problem() const {
  return with_parts([](Parts& parts) {
    (void)parts.dso().symbols();  // a lookup sets problem()
    return parts.dso().problem();
  });
}

std::optional<int64_t> FileObject::modified_s() const {
  return with_parts([](Parts& parts) {
    bool is_here = parts.dso().is_in_own_root() && parts.elf() != nullptr;
    return is_here ? hm::modified_s(parts.dso().path()) : std::nullopt;
  });
}

std::optional<uint64_t> FileObject::address_of(uint64_t offset) const {
  return with_parts([&](Parts& parts) { return parts.dso().address_of(offset); });
}

Function FileObject::function_at(uint64_t offset) const {
  return with_parts([&](Parts& parts) { return parts.dso().function_at(offset); });
}

std::vector<Frame> FileObject::frames_at(uint64_t offset) const {
  std::vector<Frame> frames = with_parts([&](Parts& parts) { return parts.dso().frames_at(offset); });
  for (Frame& frame : frames) frame.file = sources_.mapped(std::move(frame.file));
  return frames;
}

SourceLine FileObject::line_at(uint64_t address) const {
  SourceLine line = with_parts([&](Parts& parts) { return parts.dso().line_of_address(address); });
  line.file = sources_.mapped(std::move(line.file));
  return line;
}

std::string FileObject::unit_file(uint64_t function_address) const {
  return sources_.mapped(with_parts([&](Parts& parts) { return parts.dso().unit_file(function_address); }));
}

std::string FileObject::instance_name(uint64_t function_address) const {
  return with_parts([&](Parts& parts) { return parts.dso().instance_name(function_address); });
}

void FileObject::visit_functions(const std::function<void(const std::string&)>& visit) const {
  with_parts([&](Parts& parts) {
    const SymbolTable& symbols = parts.dso().symbols();
    for (size_t i = 0; i < symbols.size(); ++i) {
      std::string instance = parts.dso().instance_name(symbols.at(i).start);
      visit(instance.empty() ? parts.dso().display_name(symbols.at(i)) : instance);
    }
    if (parts.elf() != nullptr) visit_inlined_functions(*parts.elf(), visit);
  });
}

std::string FileObject::symbol_at(uint64_t address) const {
  return with_parts([&](Parts& parts) {
    std::optional<Symbol> symbol = parts.dso().symbols().find(address);
    return symbol ? parts.dso().display_name(*symbol) : std::string();
  });
}

std::optional<uint64_t> FileObject::load_bias(uint64_t start, uint64_t file_offset, bool executable) const {
  return with_parts([&](Parts& parts) {
    return parts.elf() == nullptr ? std::nullopt : parts.elf()->load_bias(start, file_offset, executable);
  });
}

bool FileObject::loads(uint64_t address) const {
  return with_parts([&](Parts& parts) { return parts.elf() != nullptr && parts.elf()->loads(address); });
}

std::optional<uint64_t> FileObject::offset_of(uint64_t address) const {
  return with_parts([&](Parts& parts) {
    return parts.elf() == nullptr ? std::nullopt : parts.elf()->offset_of_address(address);
  });
}

CodeLoads FileObject::code_loads() const {
  return with_parts([](Parts& parts) { return parts.dso().code_loads(); });
}

Result<Bytes> FileObject::code(uint64_t address, uint64_t size) const {
  return with_parts([&](Parts& parts) { return parts.dso().code(address, size); });
}

CodeKind FileObject::code_kind(uint64_t address) const {
  return with_parts([&](Parts& parts) { return parts.dso().code_kind(address); });
}

Predecessors FileObject::predecessors_at(uint64_t address) const {
  return with_parts([&](Parts& parts) { return parts.predecessors().at(address); });
}

const FrameRule* FileObject::frame_rule(uint64_t address) const {
  return with_parts([&](Parts& parts) {
    return parts.frame_rules() == nullptr ? nullptr : parts.frame_rules()->at(address);
  });
}

std::optional<DataObject> FileObject::data_at(uint64_t address) const {
  return with_parts([&](Parts& parts) { return parts.dso().data_at(address); });
}

std::optional<VariableType> FileObject::variable_type(uint64_t address) const {
  return with_parts([&](Parts& parts) -> std::optional<VariableType> {
    auto place = parts.types() == nullptr ? std::nullopt : parts.types()->of_variable(address);
    if (!place) return std::nullopt;
    DataType element = place->type.element();
    return VariableType{.start = address - static_cast<uint64_t>(place->offset),
                        .element_bytes = element.size(),
                        .is_raw = place->type.is_raw_memory(),
                        .element = parts.layout_of(element)};
  });
}

std::optional<TypeField> FileObject::variable_field(uint64_t address, int64_t offset) const {
  return with_parts([&](Parts& parts) -> std::optional<TypeField> {
    auto place = parts.types() == nullptr ? std::nullopt : parts.types()->of_variable(address);
    return place ? std::optional(place->type.field_at(offset)) : std::nullopt;
  });
}

std::optional<DescribedField> FileObject::accessed_field(uint64_t address, bool on_stack) const {
  return with_parts([&](Parts& parts) -> std::optional<DescribedField> {
    auto access = parts.types() == nullptr ? std::nullopt : parts.types()->of_access(address);
    if (!access) return std::nullopt;
    bool is_local = !access->variable.empty();
    if (!is_local || on_stack) return parts.describe(*access);
    // The register holds the variable's address on only one path, but the type is the same on all paths.
    std::optional<DataType> alike = access->type.type_at(access->offset);
    if (!alike) return std::nullopt;
    return parts.describe({*alike, 0, {}});
  });
}

std::optional<DescribedField> FileObject::frame_field(uint64_t address, int64_t above_stack_pointer) const {
  return with_parts([&](Parts& parts) -> std::optional<DescribedField> {
    auto place =
        parts.types() == nullptr ? std::nullopt : parts.types()->in_frame(address, above_stack_pointer);
    return place ? std::optional(parts.describe(*place)) : std::nullopt;
  });
}

}  // namespace hm::symbol
