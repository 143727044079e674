#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs what the named parts need, on Debian 12 and later:
#   setup.sh product|packages|release|distributions|fleet|unit_tests|tests|papers ...
# Quick and silent where all is there; as root, or through sudo.
set -eu

product=(g++ gcc cmake ninja-build make pkg-config git libfmt-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libdw-dev libelf-dev
  libzydis-dev libcapstone-dev liblzma-dev libzstd-dev libpfm4-dev intel-cmt-cat libncurses-dev prometheus-cpp-dev libmicrohttpd-dev
  libcurl4-openssl-dev libsqlite3-dev zlib1g-dev binutils valgrind ccache)
# "a|b" is one package whose name differs between releases.
packages=(dpkg-dev)
release=(patchelf zstd xz-utils rpm)
distributions=(debootstrap musl-tools busybox-static)
unit_tests=(libgtest-dev libgmock-dev libfuse3-dev 'libdebuginfod1t64|libdebuginfod1' mold python3 perl procps)
fleet=(clickhouse-server python3 binutils)
tests=(patchelf zstd rpm rpmlint skopeo umoci musl-tools busybox-static libgtest-dev libgmock-dev 'libdebuginfod1t64|libdebuginfod1' debuginfod mold lld dwz linux-perf clang libclang-rt-dev clang-format clang-tidy python3 perl bzip2 procps
  bsdutils debootstrap groff-base zsh fish sqlite3 'postgresql-15|postgresql' 'postgresql-client-15|postgresql-client' tmux util-linux libfuse3-dev prometheus
  clickhouse-server openssl faketime qemu-system-x86 chromium golang-go python3-jsonschema python3-yaml libbenchmark-dev catch2 python3-pytest-benchmark
  protobuf-compiler python3-protobuf)
# The programs of bench/programs/papers.py.
papers=(gzip bzip2 gcc perl gap-core gap-character-tables link-grammar link-grammar-dictionaries-en povray glpk-utils nextpnr-ice40
  sqlite3 stockfish python3 xz-utils gawk gnuplot-nox)

installed() { dpkg-query --show --showformat='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed$'; }

# Succeeds if the package is installed, under one of its names.
has_one_of() {
  local name
  for name in ${1//|/ }; do
    if installed "$name"; then return 0; fi
  done
  return 1
}

# Prints the first name that the release has a package for.
name_in_release() {
  local name
  for name in ${1//|/ }; do
    if apt-cache show --no-all-versions "$name" >/dev/null 2>&1; then
      echo "$name"
      return
    fi
  done
  echo "setup: this release has no package ${1//|/ or }" >&2
}

missing=()
for part in "$@"; do
  declare -n list=$part
  for package in "${list[@]}"; do
    has_one_of "$package" || missing+=("$package")
  done
done
# Node.js may be somebody else's package, which has npm in it.
if [[ " $* " == *" tests "* ]]; then
  command -v node >/dev/null || missing+=(nodejs)
  command -v npm >/dev/null || missing+=(npm)
fi
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: missing ${missing[*]}; run this as root, or install sudo" >&2; exit 1; }
  as_root=(sudo)
fi

# The PostgreSQL packages would make a cluster and start a server; the example makes its own.
if [[ " ${missing[*]} " == *" postgresql"* && ! -e /etc/postgresql-common/createcluster.conf ]]; then
  "${as_root[@]}" mkdir -p /etc/postgresql-common
  echo 'create_main_cluster = false' | "${as_root[@]}" tee /etc/postgresql-common/createcluster.conf >/dev/null
fi

# These packages would start servers, now and at each start of the machine; the tests start their own. What is not systemd
# asks policy-rc.d before it starts what is being installed: 101 is no.
for server in prometheus clickhouse-server; do
  [[ " ${missing[*]} " == *" $server "* ]] || continue
  "${as_root[@]}" mkdir -p /etc/systemd/system
  [ -e "/etc/systemd/system/$server.service" ] ||
    "${as_root[@]}" ln -s /dev/null "/etc/systemd/system/$server.service"
  if [ ! -e /usr/sbin/policy-rc.d ]; then
    trap '"${as_root[@]}" rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee /usr/sbin/policy-rc.d >/dev/null
    "${as_root[@]}" chmod +x /usr/sbin/policy-rc.d
  fi
done

"${as_root[@]}" apt-get update -qq
names=()
for package in "${missing[@]}"; do names+=($(name_in_release "$package")); done
[ ${#names[@]} -gt 0 ] || exit 0
echo "setup: installing ${names[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${names[@]}" >/dev/null
