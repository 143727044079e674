// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "rdt/filesystem/groups.h"

namespace hm::resctrl_filesystem {

// Returns the ways in the online domains, "L3:0=ffff;1=00ff
// ", and the bytes of these ways.
[[nodiscard]] std::string schemata_text(const Group& group, const std::vector<uint32_t>& domains,
                                        const Processor& processor);
[[nodiscard]] std::string size_text(const Group& group, const std::vector<uint32_t>& domains,
                                    const Processor& processor);

// Parses lines such as "L3:0=ff;1=ff", for all or some domains, and applies all of them or none to the group.
// Returns 0, or -EINVAL with the reason in `status`.
int set_schemata(Group& group, const std::string& text, const std::vector<uint32_t>& domains,
                 const Processor& processor, std::string& status);

}  // namespace hm::resctrl_filesystem
