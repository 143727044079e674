// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "rdt/filesystem/groups.h"

namespace hm::resctrl_filesystem {

// Of the domains that are online. "L3:0=ffff;1=00ff\n"; and so many bytes as these ways hold.
[[nodiscard]] std::string schemata_text(const Group& group, const std::vector<uint32_t>& domains,
                                        const Processor& processor);
[[nodiscard]] std::string size_text(const Group& group, const std::vector<uint32_t>& domains,
                                    const Processor& processor);

// Lines such as "L3:0=ff;1=ff", of all domains or of some; all of them, or nothing of them, become the
// group's. 0, or -EINVAL with the reason in `status`.
int set_schemata(Group& group, const std::string& text, const std::vector<uint32_t>& domains,
                 const Processor& processor, std::string& status);

}  // namespace hm::resctrl_filesystem
