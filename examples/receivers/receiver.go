// Receives deliveries of the Lead Engagement Service. Go 1.19 or newer, no packages.
//
//	LES_SIGNING_SECRET=whsec_… PORT=4400 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

var key []byte

// In a real receiver this is a table with a unique id: the same event may come again, also after a restart.
var seen sync.Map

func isOurs(header http.Header, body []byte) bool {
	timestamp := header.Get("X-Service-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 300*time.Second {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	wanted := mac.Sum(nil)
	// Two signatures for a day after the secret was changed: one of them must fit.
	for _, part := range strings.Split(header.Get("X-Service-Signature"), ",") {
		given, err := hex.DecodeString(strings.TrimPrefix(strings.TrimSpace(part), "v1="))
		if err == nil && hmac.Equal(given, wanted) {
			return true
		}
	}
	return false
}

func receive(w http.ResponseWriter, r *http.Request) {
	// The bytes as they came: parsed and written again they would have another signature.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil || !isOurs(r.Header, body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(body, &event) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if _, known := seen.LoadOrStore(event.ID, true); !known {
		fmt.Println(r.Header.Get("X-Service-Event"), event.ID)
	}
	// At once; what takes longer than 15 seconds counts as failed and comes again.
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	// The key is the bytes that the base64 after whsec_ stands for, not the text.
	var err error
	key, err = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("LES_SIGNING_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		panic("set LES_SIGNING_SECRET to the whsec_… of your team")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "4400"
	}
	panic(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(receive)))
}
