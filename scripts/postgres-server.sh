# To be sourced by scripts that start a private PostgreSQL: its user, data folder and port.

# Sets `server_user`, since PostgreSQL refuses to run as root.
find_server_user() {
  if [[ $EUID -ne 0 ]]; then server_user=$(id -un)
  elif id postgres >/dev/null 2>&1; then server_user=postgres
  else server_user=nobody
  fi
}

# Runs a command as the server's user, in "/", since that user may not be able to enter the current folder.
as_server_user() {
  if [[ $EUID -eq 0 ]]; then
    (cd / && runuser -u "$server_user" -- "$@")
  else
    (cd / && "$@")
  fi
}

# Makes a temporary folder with a name prefix and prints it; with `yes` in memory if there is plenty, which creates and removes a
# database's hundreds of files ten times faster than a disk. Root's TMPDIR may be closed to the server's user.
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
    # Below the range of ephemeral ports; a port in use only costs another try.
    port=$((15000 + RANDOM % 15000))
    as_server_user "$bin/pg_ctl" start -w -t 60 -D "$data" -l "$log" -o "$settings -p $port" >&2 && break
    if [[ $tries -eq 20 ]] || ! grep -q 'could not bind' "$log"; then
      cat "$log" >&2
      exit 1
    fi
  done
  echo "$port"
}
