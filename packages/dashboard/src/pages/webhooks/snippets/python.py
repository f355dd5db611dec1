import base64, hashlib, hmac, time

# body: the raw bytes of the request, before any JSON parser has seen them
def is_genuine(headers, body, secret, now=None):
    timestamp = headers.get("X-Service-Timestamp", "")
    if not timestamp.isdigit() or abs((now or time.time()) - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1=" + hmac.new(key, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    given = headers.get("X-Service-Signature", "").split(",")
    return any(hmac.compare_digest(part.strip().encode(), expected.encode()) for part in given)
