#!/usr/bin/env bash
# A private external PostgreSQL for tests and benchmarks, from the system's postgresql package.
#   scripts/postgres-external.sh start [--fast] [--dir DIR]   prints one line, DATABASE_URL=postgres://...
#   scripts/postgres-external.sh stop [--dir DIR]
# --fast trades durability for speed. DIR (default .cache/postgres-external) records what runs; the data is in a temporary folder,
# since the server's user may not be able to enter the checkout.
set -Eeuo pipefail

usage() {
  sed -n '2,6s/^# //p' "$0" >&2
  exit 2
}
say() { echo "postgres-external: $*" >&2; }

command=${1:-}
shift || usage
fast=no
dir="$(cd "$(dirname "$0")/.." && pwd)/.cache/postgres-external"
while (($#)); do
  case $1 in
    --fast) fast=yes ;;
    --dir) dir=${2:?--dir needs a folder}; shift ;;
    --dir=*) dir=${1#--dir=} ;;
    *) usage ;;
  esac
  shift
done

find_bin() {
  local candidate
  for candidate in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -Vr); do
    [[ -x $candidate/initdb ]] && echo "$candidate" && return
  done
  command -v initdb >/dev/null && dirname "$(command -v initdb)"
}

install_postgresql() {
  [[ $EUID -eq 0 ]] || { say 'initdb was not found: install the postgresql package'; exit 1; }
  say 'installing postgresql'
  {
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql
  } </dev/null >&2
}

source "$(dirname "${BASH_SOURCE[0]}")/postgres-server.sh"
find_server_user

is_running() { as_server_user "$bin/pg_ctl" status -D "$1/data" >/dev/null 2>&1; }

start() {
  bin=$(find_bin) || { install_postgresql; bin=$(find_bin); }
  # Installing the package may have created the postgres user.
  find_server_user
  mkdir -p "$dir"
  if [[ -f $dir/work && -f $dir/url ]] && is_running "$(<"$dir/work")"; then
    say 'already running'
    echo "DATABASE_URL=$(<"$dir/url")"
    return
  fi

  local work password port
  work=$(make_server_folder les-postgres "$fast")
  password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
  (umask 077 && printf '%s' "$password" >"$work/password")
  [[ $EUID -eq 0 ]] && chown -R "$server_user" "$work"
  printf '%s' "$work" >"$dir/work"

  local initdb=("$bin/initdb" -D "$work/data" -U les "--pwfile=$work/password" --auth=scram-sha-256
    --encoding=UTF8 --locale=C.UTF-8 --data-checksums)
  [[ $fast == yes ]] && initdb+=(--no-sync)
  as_server_user "${initdb[@]}" >&2

  local settings="-c listen_addresses=127.0.0.1 -c max_connections=200 -c timezone=UTC -k '$work'"
  [[ $fast == yes ]] && settings+=' -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_parallel_workers_per_gather=0'
  port=$(start_server "$bin" "$work/data" "$work/log" "$settings")

  PGPASSWORD=$password "$bin/psql" -X -q -h 127.0.0.1 -p "$port" -U les -d postgres -c 'create database les' >&2
  (umask 077 && printf '%s' "postgres://les:$password@127.0.0.1:$port/les" >"$dir/url")
  say "$("$bin/postgres" --version) runs in $work"
  echo "DATABASE_URL=$(<"$dir/url")"
}

stop() {
  [[ -f $dir/work ]] || { say 'not running'; return; }
  local work
  work=$(<"$dir/work")
  if bin=$(find_bin) && is_running "$work"; then as_server_user "$bin/pg_ctl" stop -m fast -w -D "$work/data" >&2; fi
  # Only a folder made by start.
  case $work in */les-postgres-??????) rm -rf -- "$work" ;; esac
  rm -f "$dir/work" "$dir/url"
  say 'stopped'
}

case $command in
  start) start ;;
  stop) stop ;;
  *) usage ;;
esac
