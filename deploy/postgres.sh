#!/usr/bin/env bash
# Starts PostgreSQL in its container. On an empty volume, with REPLICA_OF set, it first copies that server and then follows
# it; what the volume holds already is left as it is, so a promoted replica stays what it has become.
set -euo pipefail

if [ -n "${REPLICA_OF:-}" ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  install --directory --owner=postgres --group=postgres --mode=0700 "$PGDATA"
  until gosu postgres pg_basebackup --pgdata="$PGDATA" --write-recovery-conf --wal-method=stream --checkpoint=fast \
    --dbname="host=$REPLICA_OF user=replicator password=$REPLICATION_PASSWORD"; do
    echo "No copy of $REPLICA_OF yet: trying again"
    find "$PGDATA" -mindepth 1 -delete
    sleep 2
  done
fi

exec docker-entrypoint.sh "$@"
