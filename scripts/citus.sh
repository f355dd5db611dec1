#!/usr/bin/env bash
# A private Citus for tests and benchmarks: a local coordinator and its workers, from an installed PostgreSQL with Citus.
#   scripts/citus.sh start [--dir DIR] [--workers N] [--durable]   prints one line, LES_TEST_CITUS_URL=postgres://...
#   scripts/citus.sh stop [--dir DIR]
# PG_CONFIG is that PostgreSQL's pg_config (default: the one in the path). Every user of this machine is trusted: no real data.
# DIR (default .cache/citus) records what runs; the data is in a temporary folder, without durability unless --durable.
set -Eeuo pipefail

usage() {
  sed -n '2,6s/^# //p' "$0" >&2
  exit 2
}
say() { echo "citus: $*" >&2; }

command=${1:-}
shift || usage
workers=2
safety='-c fsync=off -c synchronous_commit=off -c full_page_writes=off'
dir="$(cd "$(dirname "$0")/.." && pwd)/.cache/citus"
while (($#)); do
  case $1 in
    --durable) safety='' ;;
    --dir) dir=${2:?--dir needs a folder}; shift ;;
    --workers) workers=${2:?--workers needs a number}; shift ;;
    *) usage ;;
  esac
  shift
done

pg_config=${PG_CONFIG:-pg_config}
bin=$("$pg_config" --bindir) || { say 'no pg_config: set PG_CONFIG'; exit 1; }
if [[ ! -f "$("$pg_config" --sharedir)/extension/citus.control" ]]; then
  say "the PostgreSQL of $pg_config has no Citus (docs/scaling.md)"
  exit 1
fi

source "$(dirname "${BASH_SOURCE[0]}")/postgres-server.sh"
find_server_user

ask() { "$bin/psql" -X -q -h 127.0.0.1 -p "$1" -U les -d "$2" -v ON_ERROR_STOP=1 -c "$3" >&2; }

# Starts one server; prints its port.
start_node() {
  local node=$1 port
  as_server_user "$bin/initdb" -D "$node" -U les --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync >&2
  local settings="-c shared_preload_libraries=citus -c wal_level=logical -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
  # Every database of a run needs a Citus process, and two-phase commits on every worker.
  settings+=" -c max_connections=400 -c max_prepared_transactions=400 -c max_worker_processes=128 -c timezone=UTC"
  settings+=" -c max_wal_senders=20 -c max_replication_slots=20 -c max_parallel_workers_per_gather=0"
  port=$(start_server "$bin" "$node" "$node/log" "$settings $safety")
  ask "$port" postgres 'create database les'
  ask "$port" les 'create extension citus'
  echo "$port"
}

start() {
  mkdir -p "$dir"
  if [[ -f $dir/url ]]; then
    say 'already running'
    echo "LES_TEST_CITUS_URL=$(<"$dir/url")"
    return
  fi
  local work coordinator port number
  work=$(make_server_folder les-citus)
  [[ $EUID -eq 0 ]] && chown "$server_user" "$work"
  printf '%s' "$work" >"$dir/work"
  coordinator=$(start_node "$work/coordinator")
  ask "$coordinator" les "select citus_set_coordinator_host('127.0.0.1', $coordinator)"
  for ((number = 1; number <= workers; number++)); do
    port=$(start_node "$work/worker-$number")
    ask "$coordinator" les "select citus_add_node('127.0.0.1', $port)"
  done
  printf '%s' "postgres://les@127.0.0.1:$coordinator/les" >"$dir/url"
  say "$("$bin/postgres" --version) with $workers workers runs in $work"
  echo "LES_TEST_CITUS_URL=$(<"$dir/url")"
}

stop() {
  [[ -f $dir/work ]] || { say 'not running'; return; }
  local work node
  work=$(<"$dir/work")
  # Only a folder made by start.
  case $work in */les-citus-??????) ;; *) say "not a folder of ours: $work"; exit 1 ;; esac
  for node in "$work"/*/; do
    as_server_user "$bin/pg_ctl" stop -m fast -w -D "$node" >&2 || true
  done
  rm -rf -- "$work"
  rm -f "$dir/work" "$dir/url"
  say 'stopped'
}

case $command in
  start) start ;;
  stop) stop ;;
  *) usage ;;
esac
