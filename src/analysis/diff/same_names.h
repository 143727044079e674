// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analysis/diff/diff_recording.h"

namespace hm::diff {

// A recording with samples in two functions of one name has their files in the names, "walk (one.c)". Another
// recording may have samples in only one of them, and no file in its name. This function makes such names
// equal: it adds the file if the other recording's function has a known one. Otherwise it removes the files
// from all recordings, so that the functions of the name are summed up.
void make_names_equal(std::vector<Recording>& before, std::vector<Recording>& after);

}  // namespace hm::diff
