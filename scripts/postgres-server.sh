# Shared by the scripts that start a private PostgreSQL: whose user runs it, where its data lies, and on which port. To be sourced.

# PostgreSQL refuses to run as root. Sets `server_user`.
find_server_user() {
  if [[ $EUID -ne 0 ]]; then server_user=$(id -un)
  elif id postgres >/dev/null 2>&1; then server_user=postgres
  else server_user=nobody
  fi
}

# Runs a command as the server's user. The folder "/" can be entered by everyone, unlike perhaps the current one.
as_server_user() {
  if [[ $EUID -eq 0 ]]; then
    (cd / && runuser -u "$server_user" -- "$@")
  else
    (cd / && "$@")
  fi
}

# Makes a temporary folder whose name begins so, and prints it; with `yes` in memory where there is plenty: a database is hundreds of files,
# which a disk makes and removes ten times slower. Root's TMPDIR may be closed to the server's user.
make_server_folder() {
  local temporary=${TMPDIR:-/tmp} room
  [[ $EUID -eq 0 ]] && temporary=/tmp
  room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -1)
  [[ ${2:-} == yes && ${room:-0} -gt $((4 * 1024 * 1024)) ]] && temporary=/dev/shm
  mktemp -d "$temporary/$1-XXXXXX"
}

# Starts the cluster in DATA with the programs in BIN, logging to LOG, with SETTINGS; prints its port.
start_server() {
  local bin=$1 data=$2 log=$3 settings=$4 port tries
  for tries in {1..20}; do
    # Below the range the system hands out by itself; a taken port only costs another try.
    port=$((15000 + RANDOM % 15000))
    as_server_user "$bin/pg_ctl" start -w -t 60 -D "$data" -l "$log" -o "$settings -p $port" >&2 && break
    if [[ $tries -eq 20 ]] || ! grep -q 'could not bind' "$log"; then
      cat "$log" >&2
      exit 1
    fi
  done
  echo "$port"
}
