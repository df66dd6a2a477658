package httpapi

import (
	"bytes"
	"encoding/json"
	"mime"
	"regexp"
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

// escaped finds characters of a token as JSON need not write them.
var escaped = regexp.MustCompile(`\\u00[2-7]|\\/`)

// withoutToken returns an answer as it came, or leaves out the texts that repeat the token.
func withoutToken(raw []byte, token string) []byte {
	if widen.WithoutToken(string(raw), token) == string(raw) && !escaped.Match(raw) {
		return raw
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var answer any
	if d.Decode(&answer) != nil {
		return raw // whoever reads it says so, and quotes nothing of it
	}
	found := false
	answer = eachText(answer, func(text string) string {
		clean := widen.WithoutToken(text, token)
		found = found || clean != text
		return clean
	})
	if clean, err := json.Marshal(answer); found && err == nil {
		return clean
	}
	return raw
}

// eachText puts another text in the place of each one in a value of JSON, names of members included.
func eachText(value any, other func(string) string) any {
	switch v := value.(type) {
	case string:
		return other(v)
	case []any:
		for i := range v {
			v[i] = eachText(v[i], other)
		}
	case map[string]any:
		made := make(map[string]any, len(v))
		for name, one := range v {
			made[other(name)] = eachText(one, other)
		}
		return made
	}
	return value
}

// saidAs returns the first member that says something: a text, or an object with a message.
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
