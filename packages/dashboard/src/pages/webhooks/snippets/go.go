package webhook

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
