// SPDX-License-Identifier: MIT
#include "pmu/rdt/xen_provider.h"

#include <algorithm>
#include <set>
#include <string>

#include "pmu/rdt/xl_command.h"

namespace hm::rdt {
namespace {

Error not_understood(const char* command) {
  return make_error(
      ErrorCode::kDamaged,
      "cannot read the output of `{}`: the formats of Xen 4.5 to 4.17 are supported; run the command to compare",
      command);
}

Result<XlOccupancy> show_xen_occupancy() {
  Result<std::string> text = run_xl({"psr-cmt-show", "cache-occupancy"});
  if (!text) return text.error();
  std::optional<XlOccupancy> found = parse_xl_occupancy(*text);
  if (!found) return not_understood("xl psr-cmt-show cache-occupancy");
  return *std::move(found);
}

// State shared by a provider and its groups.
struct XenState {
  Capabilities capabilities;
  std::optional<XlOccupancy> round;  // last output of xl; nullopt: xl failed
  std::set<uint32_t> own;            // domains in groups of this process

  void look() {
    Result<XlOccupancy> shown = show_xen_occupancy();
    round.reset();
    if (shown) round = *std::move(shown);
  }
};

// A measured domain. The destructor detaches it if begin() attached it.
class XenAttachment {
 public:
  XenAttachment(std::shared_ptr<XenState> state, uint32_t domain)
      : state_(std::move(state)), domain_(domain) {
    state_->own.insert(domain_);
  }
  XenAttachment(const XenAttachment&) = delete;
  XenAttachment& operator=(const XenAttachment&) = delete;
  ~XenAttachment() {
    state_->own.erase(domain_);
    if (attached_) (void)run_xl({"psr-cmt-detach", std::to_string(domain_)});
  }

  Status begin() {
    Result<XlOccupancy> before = show_xen_occupancy();
    if (!before) return before.error();
    if (before->held_bytes.contains(domain_)) return {};
    Result<std::string> attached = run_xl({"psr-cmt-attach", std::to_string(domain_)});
    attached_ = attached.ok();
    if (attached_) return {};
    Result<XlOccupancy> after = show_xen_occupancy();  // another program may just have attached it
    if (after && after->held_bytes.contains(domain_)) return {};
    bool are_ids_used = after && after->held_bytes.size() >= after->ids;
    return make_error(are_ids_used ? ErrorCode::kUnsupported : attached.error().code, "{}",
                      attached.error().message);
  }

  [[nodiscard]] uint32_t domain() const { return domain_; }

 private:
  std::shared_ptr<XenState> state_;
  uint32_t domain_;
  bool attached_ = false;
};

class XenGroup final : public Group {
 public:
  explicit XenGroup(std::shared_ptr<XenState> state) : state_(std::move(state)) {}

  Status attach(uint32_t domain) {
    return attachments_.emplace_back(std::make_unique<XenAttachment>(state_, domain))->begin();
  }

  [[nodiscard]] Status add(pid_t) override {
    return make_error(ErrorCode::kUnsupported, "xl measures Xen domains, not threads");
  }

  [[nodiscard]] std::vector<Reading> read() override {
    std::vector<Reading> readings;
    if (!state_->round) {
      for (const Domain& socket : state_->capabilities.domains) readings.push_back(not_measured(socket.id));
      return readings;
    }
    for (const Domain& socket : state_->round->sockets)
      readings.push_back({socket.id, 0, std::nullopt, std::nullopt});
    for (const auto& each : attachments_) {
      auto held = state_->round->held_bytes.find(each->domain());
      if (held == state_->round->held_bytes.end()) return {};  // the domain has ended or was detached
      for (size_t i = 0; i < readings.size(); ++i) add_to(readings[i].occupancy_bytes, held->second[i]);
    }
    return readings;
  }

 private:
  static Reading not_measured(uint32_t socket) { return {socket, std::nullopt, std::nullopt, std::nullopt}; }
  static void add_to(std::optional<uint64_t>& sum, std::optional<uint64_t> part) {
    sum = sum && part ? std::optional(*sum + *part) : std::nullopt;
  }

  std::shared_ptr<XenState> state_;
  std::vector<std::unique_ptr<XenAttachment>> attachments_;
};

class XenProvider final : public Provider {
 public:
  explicit XenProvider(std::shared_ptr<XenState> state) : state_(std::move(state)) {}

  [[nodiscard]] const Capabilities& capabilities() const override { return state_->capabilities; }
  void begin_round() override { state_->look(); }
  [[nodiscard]] Result<std::unique_ptr<Group>> watch(const Members& members) override;

 private:
  std::shared_ptr<XenState> state_;
};

Result<std::unique_ptr<Group>> XenProvider::watch(const Members& members) {
  if (members.xen_domains.empty() || !members.threads.empty() || !members.cpus.empty())
    return make_error(ErrorCode::kInvalidArgument, "xl measures only groups of Xen domains");
  auto group = std::make_unique<XenGroup>(state_);
  for (uint32_t domain : members.xen_domains) {
    if (state_->own.contains(domain))
      return make_error(ErrorCode::kUnsupported, "Xen domain {} is already measured by another group",
                        domain);
    if (Status status = group->attach(domain); !status.ok()) return status.error();
  }
  return std::unique_ptr<Group>(std::move(group));
}

}  // namespace

Result<std::unique_ptr<Provider>> open_xen() {
  Result<XlOccupancy> shown = show_xen_occupancy();
  if (!shown) return shown.error();
  auto state = std::make_shared<XenState>();
  state->capabilities.name = "Xen's xl";
  state->capabilities.occupancy = true;
  state->capabilities.groups = shown->ids;
  state->capabilities.domains = shown->sockets;
  return std::unique_ptr<Provider>(std::make_unique<XenProvider>(std::move(state)));
}

Result<std::vector<XenDomain>> xen_domains() {
  Result<std::string> text = run_xl({"list"});
  if (!text) return text.error();
  std::optional<std::vector<XenDomain>> found = parse_xl_list(*text);
  if (!found) return not_understood("xl list");
  return *std::move(found);
}

}  // namespace hm::rdt
