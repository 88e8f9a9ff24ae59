#!/usr/bin/env bash
# Finds a container engine with compose and the images that everything is built on, and prints their versions. If that
# is not possible on this machine, exits with 3 and prints the reason.
#
# On Debian, root gets whatever is missing: the packages docker.io and debootstrap, which stay; compose and buildx from
# Debian sid as plugins in /usr/local/lib/docker/cli-plugins, which stay; and a dockerd with its data in
# /var/tmp/backstock-failover (FAILOVER_ROOM). If no registry can be reached, it makes stand-ins of the images from
# Debian's packages. `engine.sh stop` stops that dockerd unless containers run in it, and takes the images' names from
# the stand-ins. Afterwards the folder may be removed.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
room=${FAILOVER_ROOM:-/var/tmp/backstock-failover}
debian=http://deb.debian.org/debian
images=(postgres:18 haproxy:3.2 node:24-slim)

give_up() {
  echo "$*"
  exit 3
}
is_root_on_debian() { [ "$(id --user)" = 0 ] && grep --quiet '^ID=debian' /etc/os-release; }
runs() { docker info >/dev/null 2>&1; }
is_stand_in() { docker image inspect --format '{{.Config.Labels}}' "$1" 2>/dev/null | grep --quiet stand-in; }
# The stand-in's own name, which it keeps beside the name of the image that it replaces.
own_name() { echo "backstock-stand-in:${1%%:*}"; }
# Whether the engine that an earlier call has started still runs.
started_here() { [ -e "$room/dockerd.pid" ] && grep --quiet --no-messages dockerd "/proc/$(cat "$room/dockerd.pid")/cmdline"; }
install() {
  is_root_on_debian || give_up "$1 is missing"
  DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends "$@" >/dev/null 2>&1 ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends "$@" >/dev/null; }
}
# Makes a folder with Debian sid, from which images and compose are made.
tree() {
  [ -e "$room/sid/.whole" ] && return
  command -v debootstrap >/dev/null || install debootstrap
  rm -rf "$room/sid"
  mkdir -p "$room/sid"
  debootstrap --variant=minbase sid "$room/sid" "$debian" >"$room/debootstrap.log"
  # For a test, the packages of a mirror may be old.
  echo 'Acquire::Check-Valid-Until "false";' >"$room/sid/etc/apt/apt.conf.d/99still"
  touch "$room/sid/.whole"
}

if [ "${1:-}" = stop ]; then
  runs || exit 0
  for image in "${images[@]}"; do
    if is_stand_in "$image"; then docker rmi "$image" >/dev/null; fi
  done
  if started_here && [ -z "$(docker ps --quiet)" ]; then
    kill "$(cat "$room/dockerd.pid")"
    for _ in $(seq 60); do
      started_here || break
      sleep 1
    done
    rm -f "$room/dockerd.pid"
  fi
  exit 0
fi

mkdir -p "$room"
if ! runs; then
  command -v dockerd >/dev/null || install docker.io
fi
# With systemd, installing the package has started the engine already.
if ! runs; then
  is_root_on_debian || give_up 'no container engine runs'
  setsid dockerd --data-root "$room/docker" >"$room/dockerd.log" 2>&1 </dev/null &
  echo $! >"$room/dockerd.pid"
  for _ in $(seq 60); do
    if runs; then break; fi
    sleep 1
  done
  runs || give_up "the container engine does not start: $(tail --lines=1 "$room/dockerd.log")"
  # Without systemd nobody shares the processor fairly: all containers together would get as much as a single other
  # process. This gives them more.
  processors=/sys/fs/cgroup/cpu
  if [ -d "$processors" ]; then mkdir -p "$processors/docker" && echo 65536 >"$processors/docker/cpu.shares"; fi
fi
if ! docker compose version >/dev/null 2>&1 || ! docker buildx version >/dev/null 2>&1; then
  is_root_on_debian || give_up 'docker compose or buildx is missing'
  tree
  chroot "$room/sid" sh -c 'cd /var/tmp && apt-get update -qq && apt-get download -qq docker-compose docker-buildx' 2>/dev/null
  mkdir -p /usr/local/lib/docker/cli-plugins "$room/plugins"
  for package in "$room"/sid/var/tmp/*.deb; do dpkg --extract "$package" "$room/plugins"; done
  find "$room/plugins" -type f -name 'docker-*' -perm -u+x -exec cp {} /usr/local/lib/docker/cli-plugins/ \;
fi

# Files that the stand-ins need are in a folder beside the project, which is removed when this script ends in any way.
brought=$(mktemp --directory "$room/brought.XXXXXX")
trap 'rm -rf "$brought"' EXIT
for image in "${images[@]}"; do
  docker image inspect "$image" >/dev/null 2>&1 && continue
  timeout 120 docker pull --quiet "$image" >/dev/null 2>&1 && continue
  is_root_on_debian || give_up "the image $image cannot be had"
  tree
  docker image inspect backstock-stand-in:sid >/dev/null 2>&1 ||
    tar --directory="$room/sid" --one-file-system --create . | docker import - backstock-stand-in:sid >/dev/null
  # If the network replaces certificates by its own, the programs in the containers must trust that one.
  cp /etc/ssl/certs/ca-certificates.crt "$brought"
  if [ "$image" = node:24-slim ]; then
    cp "$(cd "$here/../.." && npx node --print process.execPath 2>/dev/null)" "$brought/node"
    cp --recursive "$(npm root --global)/npm" "$brought"
  fi
  docker build --quiet --tag "$(own_name "$image")" --file "$here/stand-ins/${image%%:*}.Dockerfile" "$brought" >/dev/null
  docker tag "$(own_name "$image")" "$image"
done

stand_ins=
if is_stand_in postgres:18; then stand_ins=', stand-ins of the images'; fi
echo "Docker $(docker version --format '{{.Server.Version}}'), compose $(docker compose version --short)$stand_ins"
