# SPDX-License-Identifier: MIT
# Sets `mirror` to the address of Debian's packages: HM_DEBIAN_MIRROR, or else the first one in this system's
# configuration of apt; empty if there is none.
mirror=${HM_DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null | grep -v security | head -n 1)}
