package httpapi

import (
	"encoding/json"
	"mime"
	"strings"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/queue"
)

// Limits of what a server says of a refusal.
const (
	mostOfReason = 16 << 10 // bytes that are read
	mostOfSaid   = 200      // characters that are shown
)

// saidIn finds the server's own words in the body of a refusal: a member of JSON, or the first line of plain text. A
// page has none. What holds the token is not repeated.
func saidIn(contentType string, body []byte, token string) string {
	media, _, _ := mime.ParseMediaType(contentType)
	text := strings.TrimSpace(string(body))
	var object map[string]json.RawMessage
	switch isObject := json.Unmarshal(body, &object) == nil; {
	case media == "text/html":
		return ""
	case isObject:
		text = saidAs(object)
	case media != "text/plain" || strings.IndexAny(text, "<{[") == 0:
		return ""
	default:
		text, _, _ = strings.Cut(text, "\n")
	}
	shown, _ := queue.VisibleLine(text)
	if queue.Blank(shown) || widen.HoldsToken(text, token) || widen.HoldsToken(shown, token) {
		return ""
	}
	return queue.Shorten(shown, mostOfSaid, "…")
}

// saidAs is the first member that says something: a text, or an object with a message.
func saidAs(object map[string]json.RawMessage) string {
	for _, name := range []string{"detail", "message", "error"} {
		var text string
		if json.Unmarshal(object[name], &text) != nil {
			var inner struct {
				Message string `json:"message"`
			}
			if json.Unmarshal(object[name], &inner) != nil {
				continue
			}
			text = inner.Message
		}
		if !queue.Blank(text) {
			return text
		}
	}
	return ""
}
