package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// attemptWithin limits the time of one attempt at a call.
const attemptWithin = 10 * time.Second

// call describes one call to the server.
type call struct {
	method, url string
	body        any   // nil: the call has no body
	most        int64 // limits the bytes of the answer
	careful     bool  // the call is tried again only if the server certainly did not accept it
	told        bool  // the status 409 is a success: the server knows already how the decision ended
	probe       bool  // every answer is a success and is not read
}

// do makes a call and returns the server's answer, and the token that must not be shown or kept if the answer repeats
// it. Its errors are *widen.Failure, or ctx's.
func (b *Backend) do(ctx context.Context, c call) (raw []byte, token string, err error) {
	if token, err = widen.ReadToken(b.token); err != nil {
		return nil, "", err
	}
	var body []byte
	if c.body != nil {
		if body, err = json.Marshal(c.body); err != nil {
			return nil, "", fmt.Errorf("failed to write a call: %w", err)
		}
	}
	err = widen.Retry(ctx, b.pause, c.careful, func() (err error) {
		raw, err = b.attempt(ctx, c, token, body)
		return err
	}, b.failure)
	return raw, token, err
}

// attempt makes a call once.
func (b *Backend) attempt(ctx context.Context, c call, token string, body []byte) (raw []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, attemptWithin)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, c.method, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("failed to make a call: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "choicetui")
	if c.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := b.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("failed to call: %w", err)
	}
	defer answer.Body.Close()
	if c.probe {
		return nil, nil
	}
	if answer.StatusCode/100 != 2 && !(c.told && answer.StatusCode == http.StatusConflict) {
		body, _ := io.ReadAll(io.LimitReader(answer.Body, mostOfReason)) // the part that could be read is enough
		return nil, &widen.Refusal{Status: answer.StatusCode,
			After: widen.RetryAfter(answer.Header.Get("Retry-After"), time.Now()),
			Said:  saidIn(answer.Header.Get("Content-Type"), body, token)}
	}
	if raw, err = io.ReadAll(http.MaxBytesReader(nil, answer.Body, c.most)); err != nil {
		return nil, fmt.Errorf("failed to read the answer: %w", err)
	}
	return raw, nil
}

// failure returns a failure with a sentence about the error of a call.
func (b *Backend) failure(err error) error {
	var refusal *widen.Refusal
	if !errors.As(err, &refusal) {
		return &widen.Failure{Words: widen.Unanswered(b.who, err, b.garbled("").Error())}
	}
	fault, remedy := b.statusWords(refusal)
	f := &widen.Failure{Words: strings.TrimSpace(fault + " " + remedy), After: refusal.After,
		Refused: refusal.ForGood()}
	if f.Said = refusal.Said; f.Said == "" {
		return f
	}
	if remedy != "" {
		f.Said = fullStop(f.Said) + " " + remedy
	}
	f.Words = fullStop(b.who + " says: " + f.Said)
	return f
}

// statusWords returns a sentence about a failed status, and what the person can do about it.
func (b *Backend) statusWords(r *widen.Refusal) (fault, remedy string) {
	switch {
	case r.Status == http.StatusNotFound:
		return b.who + " does not know this mission or decision.", "Check widen.base_url and widen.paths."
	case r.Status >= 300 && r.Status < 400:
		return b.who + " redirects the request to another address. Put that one into widen.base_url.", ""
	}
	return widen.StatusWords(b.who, b.token, r)
}

// fullStop adds a full stop to a sentence that has no punctuation at its end.
func fullStop(words string) string {
	if strings.HasSuffix(words, "…") || strings.HasSuffix(words, ".") || strings.HasSuffix(words, "!") {
		return words
	}
	return words + "."
}

// garbled returns the failure for an answer that cannot be read. part is the part that is missing or has the wrong
// form; it may be empty.
func (b *Backend) garbled(part string) error {
	if part != "" {
		part = " (" + say.OneLine(part) + ")"
	}
	return &widen.Failure{Words: b.who + " gave an answer that cannot be read" + part + ". " +
		"Check that widen.base_url leads to your team's server."}
}

// Limits of a server's own words about a refusal.
const (
	mostOfReason = 16 << 10 // bytes that are read
	mostOfSaid   = 200      // characters that are shown
)

// saidIn returns the server's own words in the body of a refusal: a member of a JSON object, or the first line of plain
// text. It returns none for an HTML page, and for words that contain the token.
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

// withoutToken returns an object unchanged, or without the members that repeat the token.
func withoutToken(raw []byte, token string) []byte {
	var members map[string]any
	if json.Unmarshal(raw, &members) != nil {
		return raw // the caller reports that it cannot be read, and quotes nothing of it
	}
	all := len(members)
	maps.DeleteFunc(members, func(name string, value any) bool {
		text := fmt.Sprint(name, " ", value)
		return widen.WithoutToken(text, token) != text
	})
	if clean, err := json.Marshal(members); err == nil && len(members) < all {
		return clean
	}
	return raw
}

// saidAs returns the server's words in a JSON object: the first of the members detail, message and error that is a
// text, or an object with a message.
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
