#!/usr/bin/env bash
# Runs once, when Patroni has made the cluster: $1 is the address of its superuser. Backstock's own user owns its database and may
# do nothing else.
set -euo pipefail

psql --set=ON_ERROR_STOP=1 --set=password="$BACKSTOCK_PASSWORD" --dbname="$1" <<'SQL'
create role backstock login password :'password';
create database backstock owner backstock;
SQL
