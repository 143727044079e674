#!/bin/bash
# SPDX-License-Identifier: MIT
# Kinds of containers: an overlay file system, a folder of its own as /tmp has for systemd's PrivateTmp, another root
# folder among the processes of this namespace, a container in a container, one of podman, and one of LXC:
# containers_kinds.sh HARDMETER
tests=$(cd "$(dirname "$0")" && pwd)
. "$tests/common.sh"
. "$tests/containers_common.sh"

# named KIND PROCESS: the process has names in top, and in recordings while it lives and after its end.
named() {
  "$hardmeter" record -q --pmu=soft -e l1_cache_miss -p "$2" -o "$1.data" --duration 1s 2>said
  status=$?
  expect "record, $1: $(cat said)" 0 $status
  "$hardmeter" record -q --pmu=linux -e clock -c 1ms -p "$2" -o "$1.linux.data" --duration 1s 2>said || skipped "the kernel's PMU: $(tail -1 said)"
  "$hardmeter" top -n 5 -p "$2" >top.txt 2>&1
  expect_match "top, $1" 'walk_of_FIRST' "$(cat top.txt)"
  expect_match "$1, while the process lives" 'walk_of_FIRST .*service' "$(first_row -i "$1.data")"
  stop "$2"
  expect_match "$1, after the process has ended" 'walk_of_FIRST .*service' "$(first_row -i "$1.data")"
  [ ! -s "$1.linux.data" ] || expect_match "$1, by the kernel's PMU, after the process has ended" 'walk_of_FIRST .*service' "$(first_row -i "$1.linux.data")"
}

# started COMMAND...: starts a command that becomes the service; sets $service.
started() {
  "$@" >/dev/null 2>container.txt &
  service=$!
  disown
  containers+=("$service")
}
is_service() { [ "$(cat "/proc/$1/comm")" = service ]; }

# An overlay: the program is in its lower folder, which another file hides outside.
make_root lower service
mkdir -p layers/upper layers/work merged
cat >overlay.sh <<'END'
mount -t tmpfs none layers && mkdir layers/upper layers/work &&
  mount -t overlay -o lowerdir=lower,upperdir=layers/upper,workdir=layers/work none merged && exec sh enter.sh merged /app/service
END
if unshare -m sh -c 'mount -t tmpfs none layers && mkdir layers/upper layers/work && mount -t overlay -o lowerdir=lower,upperdir=layers/upper,workdir=layers/work none merged' 2>/dev/null; then
  unshare -mpf --kill-child sh overlay.sh >/dev/null 2>container.txt &
  outer=$!
  disown
  containers+=("$outer")
  wait_until runs_in "$outer" service && named overlay "$(pgrep -P "$outer")"
else
  skipped "this user cannot mount an overlay"
fi

# A folder of its own: the path holds another program outside.
mkdir private && cp other private/service
started unshare -m sh -c "mount -t tmpfs none private && cp service private/service && exec $work/private/service"
wait_until is_service "$service" && named private "$service"

# Another root folder, with the process numbers of this namespace.
make_root shared service
started unshare -m sh enter.sh "$work/shared" /app/service
wait_until is_service "$service" && named shared "$service"

# A container in a container: its process number differs in three namespaces.
make_root nested service
unshare -mpf --kill-child sh -c 'unshare -mpf --kill-child sh enter.sh nested /app/service & wait' >/dev/null 2>container.txt &
outer=$!
disown
containers+=("$outer")
# grandchild PROCESS: the descendant that is the service
grandchild() {
  local each
  for each in $(pgrep -P "$1"); do
    if is_service "$each"; then echo "$each"; else grandchild "$each"; fi
  done
}
has_grandchild() { [ -n "$(grandchild "$outer")" ]; }
wait_until has_grandchild && named nested "$(grandchild "$outer")"
# A container of podman, with the filter of system calls and the limits that it sets.
make_root engine service
in_podman() {
  timeout 60 podman --runtime "$1" --cgroup-manager=cgroupfs --root "$work/podman" --runroot "$work/podman-run" run -d --name hardmeter-test-$$ \
    --network=none --ulimit nofile=1024:1024 --ulimit nproc=1000:1000 --pidfile "$work/engine.pid" --rootfs "$work/engine" /app/service
}
end_podman() {
  timeout 60 podman --runtime "$runtime" --cgroup-manager=cgroupfs --root "$work/podman" --runroot "$work/podman-run" rm -f hardmeter-test-$$ >/dev/null 2>&1
}
if [ "$(id -u)" = 0 ] && command -v podman >/dev/null; then
  for runtime in crun runc; do
    command -v $runtime >/dev/null && in_podman $runtime >container.txt 2>&1 && break
    end_podman
  done
  if [ -s engine.pid ]; then
    wait_until is_service "$(cat engine.pid)" && named podman "$(cat engine.pid)"
    end_podman
  else
    skipped "podman does not start containers here: $(tail -1 container.txt)"
  fi
else
  skipped "a container of podman: it is not installed, or this user is not root"
fi

# A container of LXC, with its common filter of system calls.
make_root linux_containers service
mkdir -p linux_containers/sys state
chmod 755 . state
cat >lxc.conf <<END
lxc.rootfs.path = dir:$work/linux_containers
lxc.net.0.type = empty
lxc.mount.auto = proc:mixed
lxc.seccomp.profile = /usr/share/lxc/config/common.seccomp
END
if [ "$(id -u)" = 0 ] && command -v lxc-execute >/dev/null; then
  started lxc-execute -n hardmeter-test-$$ -f lxc.conf -P "$work/state" -- /app/service
  outer=$service
  wait_until eval 'has_grandchild || test ! -e /proc/$outer'
  if has_grandchild; then named lxc "$(grandchild "$outer")"; else skipped "LXC does not start containers here: $(tail -1 container.txt)"; fi
else
  skipped "a container of LXC: it is not installed, or this user is not root"
fi
finish
