#!/usr/bin/env bash
# Sets etcd's passwords: `root` is for people; `patroni` is for the database nodes, and may only touch their own keys.
# Does nothing if they are set already. No password is part of a command line, where other users could read it.
set -euo pipefail

export ETCDCTL_API=3 ETCDCTL_ENDPOINTS

# Wait until a majority of etcd's nodes answers. The answer says whether passwords are set already.
for try in $(seq 60); do
  status=$(ETCDCTL_USER="root:$ETCD_ROOT_PASSWORD" etcdctl auth status 2>&1) && break
  grep -q 'not enabled' <<<"$status" && break
  if [ "$try" = 60 ] || grep -q 'authentication failed' <<<"$status"; then
    echo "Nothing can be asked of etcd: ${status##*$'\n'}" >&2
    exit 1
  fi
  sleep 1
done
if grep -q 'Status: true' <<<"$status"; then
  echo 'etcd has its passwords.'
  exit 0
fi

# If an earlier run was interrupted, this one keeps what it has made.
have() { etcdctl "$1" list | grep -qx "$2"; }
add_user() { have user "$1" || etcdctl user add "$1" --interactive=false <<<"$2"; }
have role root || etcdctl role add root
have role patroni || etcdctl role add patroni
etcdctl role grant-permission patroni --prefix=true readwrite /service/backstock/
add_user root "$ETCD_ROOT_PASSWORD"
add_user patroni "$ETCD_PATRONI_PASSWORD"
etcdctl user grant-role root root
etcdctl user grant-role patroni patroni
etcdctl auth enable
