# secret, timestamp and signature as received; body.json holds the exact bytes of the body
key=$(printf %s "${secret#whsec_}" | openssl base64 -d -A | od -An -tx1 -v | tr -d ' \n')
expected=$({ printf '%s.' "$timestamp"; cat body.json; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" | sed 's/^.* //')
age=$(( $(date +%s) - timestamp ))
if [ "${age#-}" -le 300 ] && printf %s ",$signature," | grep -q ",v1=$expected,"; then echo genuine; else echo 'not genuine'; fi

# and what your receiver says of such a request
curl -i -X POST "$receiver" -H 'Content-Type: application/json' \
  -H "X-Service-Timestamp: $timestamp" -H "X-Service-Signature: v1=$expected" --data-binary @body.json
