#!/usr/bin/env bash
# A backup each night at BACKUP_HOUR (UTC), kept for 30 days. What fails is said, and tried again an hour later; from then until a
# backup is made NO_BACKUP is there, by which the health check of compose.yaml knows.
set -uo pipefail

readonly FOLDER=${BACKUP_FOLDER:-/backups} NO_BACKUP=${NO_BACKUP:-/tmp/no-backup} HOUR=${BACKUP_HOUR:-2}

# Bash hears a signal while it waits, not while it runs a program; as a container's first process it has to be told to end.
child=
trap 'kill $child 2>/dev/null; wait; exit 0' TERM INT
run() {
  "$@" &
  child=$!
  wait "$child"
}

# Said once: who ends is started again, and says it again and again.
if ! [[ $HOUR =~ ^([01]?[0-9]|2[0-3])$ ]]; then
  echo "BACKUP_HOUR is '$HOUR', not an hour from 0 to 23: no backups are made." >&2
  touch "$NO_BACKUP"
  run sleep infinity
  exit 1
fi

until_hour() {
  local now next
  now=$(date +%s)
  next=$(date --date="today $HOUR:00" +%s)
  [ "$next" -gt "$now" ] || next=$((next + 86400))
  echo $((next - now))
}

while run sleep "$(until_hour)"; do
  until run node packages/server/src/commands/backup.ts "$FOLDER"; do
    echo 'The backup failed: trying again in an hour.' >&2
    touch "$NO_BACKUP"
    run sleep 3600
  done
  rm -f "$NO_BACKUP"
  find "$FOLDER" -name '*.bsb' -mtime +30 -delete
done
