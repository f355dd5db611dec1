# Receives deliveries of the Lead Engagement Service. Python 3.8 or newer, no packages.
#   LES_SIGNING_SECRET=whsec_… PORT=4400 python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The key is the bytes that the base64 after whsec_ stands for, not the text.
KEY = base64.b64decode(os.environ["LES_SIGNING_SECRET"].removeprefix("whsec_"))
# In a real receiver this is a table with a unique id: the same event may come again, also after a restart.
SEEN = set()


def is_ours(headers, body):
    timestamp = headers.get("X-Service-Timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    wanted = hmac.new(KEY, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    # Two signatures for a day after the secret was changed: one of them must fit.
    given = [part.strip().removeprefix("v1=") for part in headers.get("X-Service-Signature", "").split(",")]
    return any(hmac.compare_digest(wanted, each) for each in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes as they came: parsed and written again they would have another signature.
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_ours(self.headers, body):
            return self.answer(401)
        event = json.loads(body)
        if event["id"] not in SEEN:
            SEEN.add(event["id"])
            print(self.headers["X-Service-Event"], event["id"], flush=True)
        # At once; what takes longer than 15 seconds counts as failed and comes again.
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4400"))), Receiver).serve_forever()
