#!/usr/bin/env bash
# Makes a backup each night at BACKUP_HOUR (UTC) and keeps it for 30 days. If a backup fails, it says so and tries again
# an hour later. Until a backup succeeds, the file NO_BACKUP exists, which the health check in compose.yaml looks for.
set -uo pipefail

readonly FOLDER=${BACKUP_FOLDER:-/backups} NO_BACKUP=${NO_BACKUP:-/tmp/no-backup} HOUR=${BACKUP_HOUR:-2}

# Bash handles a signal while it waits, but not while it runs a program in the foreground. It must handle SIGTERM
# itself, because the first process of a container ignores it by default.
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 0' TERM INT
run() {
  "$@" &
  wait "$!"
}

# Says this once and then waits. If the script exited, the container would restart and say it again and again.
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
