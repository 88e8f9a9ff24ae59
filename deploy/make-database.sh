#!/usr/bin/env bash
# Patroni runs this once, when it has made the cluster. $1 is the superuser's address. Makes Backstock's own user, who
# owns the shop's database and has no other rights.
set -euo pipefail

psql --set=ON_ERROR_STOP=1 --set=password="$BACKSTOCK_PASSWORD" --dbname="$1" <<'SQL'
create role backstock login password :'password';
create database backstock owner backstock;
SQL
