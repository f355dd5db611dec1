#!/usr/bin/env bash
# Makes the secrets of deploy/compose.yaml in a folder, each once: what is there stays.
set -euo pipefail
folder=${1:?name a folder}
umask 077
mkdir -p "$folder"
make() { [ -s "$folder/$1" ] || printf '%s' "$2" > "$folder/$1"; }
password=$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')
make postgres-password "$password"
make database-url "postgres://les:$(cat "$folder/postgres-password")@postgres/les"
make master-key "$(head -c 32 /dev/urandom | base64)"
make operator-token "$(head -c 32 /dev/urandom | base64)"
# Inside the containers another user reads them.
chmod 0444 "$folder"/*
chmod 0711 "$folder"
echo "The secrets are in $folder. Keep a copy of master-key in another place: without it a backup opens nothing."
