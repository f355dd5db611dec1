/**
 * How a receiver checks a delivery, in six languages: the bytes `{timestamp}.{body}`, HMAC-SHA256, hex; any of the
 * signatures listed may match.
 */

type Snippet = { readonly id: string; readonly name: string; readonly code: string }

const node = `import { createHmac, timingSafeEqual } from 'node:crypto'

// body: the raw bytes (a Buffer or a string), before any JSON parser has seen them
export function isGenuine(headers, body, secret, now = Date.now()) {
  const timestamp = headers['x-service-timestamp'] ?? ''
  if (!/^\\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(timestamp + '.').update(body).digest()
  return (headers['x-service-signature'] ?? '').split(',').some((part) => {
    const given = Buffer.from(part.trim().replace(/^v1=/, ''), 'hex')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`

const python = `import base64, hashlib, hmac, time

# body: the raw bytes of the request, before any JSON parser has seen them
def is_genuine(headers, body, secret, now=None):
    timestamp = headers.get("X-Service-Timestamp", "")
    if not timestamp.isdigit() or abs((now or time.time()) - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1=" + hmac.new(key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    given = headers.get("X-Service-Signature", "").split(",")
    return any(hmac.compare_digest(part.strip().encode(), expected.encode()) for part in given)
`

const php = `<?php
// $body: file_get_contents('php://input'), before json_decode
function is_genuine(array $headers, string $body, string $secret): bool {
    $headers = array_change_key_case($headers, CASE_LOWER);
    $timestamp = $headers['x-service-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) return false;
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1=' . hash_hmac('sha256', $timestamp . '.' . $body, $key);
    foreach (explode(',', $headers['x-service-signature'] ?? '') as $part) {
        if (hash_equals($expected, trim($part))) return true;
    }
    return false;
}
`

const ruby = `require 'base64'
require 'openssl'

# body: request.body.read, before any JSON parser has seen it
def genuine?(headers, body, secret)
  timestamp = headers['X-Service-Timestamp'].to_s
  return false unless timestamp.match?(/\\A\\d+\\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  key = Base64.decode64(secret.delete_prefix('whsec_'))
  expected = 'v1=' + OpenSSL::HMAC.hexdigest('SHA256', key, timestamp + '.' + body)
  headers['X-Service-Signature'].to_s.split(',').any? do |part|
    given = part.strip
    given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
  end
end
`

const go = `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsGenuine takes the raw bytes of the body, read before they are decoded.
func IsGenuine(header http.Header, body []byte, secret string) bool {
	timestamp := header.Get("X-Service-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - seconds; err != nil || age > 300 || age < -300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := "v1=" + hex.EncodeToString(mac.Sum(nil))
	for _, part := range strings.Split(header.Get("X-Service-Signature"), ",") {
		if hmac.Equal([]byte(strings.TrimSpace(part)), []byte(expected)) {
			return true
		}
	}
	return false
}
`

const shell = `# secret, timestamp and signature as received; body.json holds the exact bytes of the body
key=$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -tx1 -v | tr -d ' \\n')
expected=$({ printf '%s.' "$timestamp"; cat body.json; } | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" | sed 's/^.* //')
age=$(( $(date +%s) - timestamp ))
if [ "\${age#-}" -le 300 ] && printf %s ",$signature," | grep -q ",v1=$expected,"; then echo genuine; else echo 'not genuine'; fi

# and what your receiver says of such a request
curl -i -X POST "$receiver" -H 'Content-Type: application/json' \\
  -H "X-Service-Timestamp: $timestamp" -H "X-Service-Signature: v1=$expected" --data-binary @body.json
`

export const snippets: readonly Snippet[] = [
  { id: 'node', name: 'Node', code: node },
  { id: 'python', name: 'Python', code: python },
  { id: 'php', name: 'PHP', code: php },
  { id: 'ruby', name: 'Ruby', code: ruby },
  { id: 'go', name: 'Go', code: go },
  { id: 'shell', name: 'curl and openssl', code: shell },
]
