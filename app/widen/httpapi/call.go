package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"regexp"
	"strconv"
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
	body        any  // nil: the call has no body
	most        int  // limits the bytes of the answer
	once        bool // the call is never tried again
	careful     bool // the call is tried again only if the server certainly did not accept it
	told        bool // the status 409 is a success: the server knows already how the decision ended
	any         bool // every answer is a success, whatever its status, and the answer is not read
}

// errStatus reports an answer whose status is no success. said has the server's own words about it.
type errStatus struct {
	code int
	said string
}

func (e errStatus) Error() string { return "the server answered " + strconv.Itoa(e.code) }

var errTooLong = errors.New("the answer is too long")

// do makes a call and returns the server's answer. Its errors are *widen.Failure, or ctx's.
func (b *Backend) do(ctx context.Context, c call) ([]byte, error) {
	token, err := widen.ReadToken(b.token)
	if err != nil {
		return nil, err
	}
	var body []byte
	if c.body != nil {
		if body, err = json.Marshal(c.body); err != nil {
			return nil, fmt.Errorf("failed to write a call: %w", err)
		}
	}
	var raw []byte
	err = widen.Retry(ctx, b.pause, func() (after time.Duration, may bool, err error) {
		raw, after, err = b.attempt(ctx, c, token, body)
		return after, c.mayRetry(err), err
	}, b.failure)
	return raw, err
}

// attempt makes a call once. after is the time for which the server asks to be left alone.
func (b *Backend) attempt(ctx context.Context, c call, token string, body []byte) (raw []byte, after time.Duration,
	err error) {
	ctx, cancel := context.WithTimeout(ctx, attemptWithin)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, c.method, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, 0, fmt.Errorf("failed to make a call: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "choicetui")
	if c.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := b.client.Do(request)
	if err != nil {
		return nil, 0, fmt.Errorf("failed to call: %w", err)
	}
	defer answer.Body.Close()
	if c.any {
		return nil, 0, nil
	}
	if answer.StatusCode/100 != 2 && !(c.told && answer.StatusCode == http.StatusConflict) {
		body, _ := io.ReadAll(io.LimitReader(answer.Body, mostOfReason)) // the part that could be read is enough
		return nil, widen.RetryAfter(answer.Header.Get("Retry-After"), time.Now()),
			errStatus{answer.StatusCode, saidIn(answer.Header.Get("Content-Type"), body, token)}
	}
	raw, err = io.ReadAll(io.LimitReader(answer.Body, int64(c.most)+1))
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("failed to read the answer: %w", err)
	case len(raw) > c.most:
		return nil, 0, errTooLong
	}
	return withoutToken(raw, token), 0, nil
}

// mayRetry reports whether a call that failed with err may be tried again.
func (c call) mayRetry(err error) bool {
	var status errStatus
	var network *net.OpError
	switch {
	case c.once:
		return false
	case errors.As(err, &status):
		return status.code == http.StatusTooManyRequests || !c.careful && status.code >= 500
	case errors.Is(err, errTooLong):
		return false
	case errors.As(err, &network) && network.Op == "dial":
		return true
	}
	return !c.careful
}

// failure returns a failure with a sentence about the error of a call.
func (b *Backend) failure(err error, after time.Duration) error {
	words := widen.Unreachable(b.who)
	var status errStatus
	var network net.Error
	switch {
	case errors.As(err, &status):
		words = b.statusWords(status.code, after)
		if status.said != "" {
			said := withHint(status.said, b.statusHint(status.code, after))
			return &widen.Failure{Words: fullStop(b.who + " says: " + said), Said: said, After: after}
		}
	case errors.Is(err, errTooLong):
		words = widen.AnswerTooLong(b.who)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		words = widen.TooSlow(b.who)
	case errors.Is(err, io.ErrUnexpectedEOF):
		words = unreadable(b.who, "")
	}
	return &widen.Failure{Words: words, After: after}
}

// withHint returns the server's words about a refusal, followed by a hint what to do. Without a hint it returns the
// words unchanged.
func withHint(said, hint string) string {
	if hint == "" {
		return said
	}
	return fullStop(said) + " " + hint
}

// fullStop adds a full stop to a sentence that has no punctuation at its end.
func fullStop(words string) string {
	if strings.HasSuffix(words, "…") || strings.HasSuffix(words, ".") || strings.HasSuffix(words, "!") {
		return words
	}
	return words + "."
}

// unreadable says that the server's answer cannot be read. what is the part that is wrong; it may be empty.
func unreadable(who, what string) string {
	if what != "" {
		what = " (" + say.OneLine(what) + ")"
	}
	return who + " gave an answer that cannot be read" + what + ". " +
		"Check that widen.base_url leads to your team's server."
}

// checkPaths names the settings to check if the server does not know the requested path.
const checkPaths = "Check widen.base_url and widen.paths."

// statusWords returns a sentence about a failed status.
func (b *Backend) statusWords(status int, after time.Duration) string {
	switch {
	case status == http.StatusUnauthorized:
		return widen.TokenRefused(b.who, b.token)
	case status == http.StatusForbidden:
		return widen.NotAllowed(b.who)
	case status == http.StatusNotFound:
		return b.who + " does not know this mission or decision. " + checkPaths
	case status == http.StatusRequestTimeout:
		return widen.TooSlow(b.who)
	case status == http.StatusTooManyRequests:
		return widen.TooManyCalls(b.who, after)
	case status >= 500:
		return widen.ServerFault(b.who, status)
	case status >= 300 && status < 400:
		return b.who + " sends the call to another address. Put that one into widen.base_url."
	}
	return notTaken(b.who, status)
}

// notTaken says that the server did not take a call.
func notTaken(who string, status int) string {
	return fmt.Sprintf("%s did not take the call (%d). ", who, status) +
		"Check that choicetui and the server fit each other."
}

// statusHint returns the person's next step after a failed status; "" if the server's own words suffice.
func (b *Backend) statusHint(status int, after time.Duration) string {
	switch {
	case status == http.StatusUnauthorized:
		return widen.PutToken(b.token)
	case status == http.StatusNotFound:
		return checkPaths
	case status == http.StatusTooManyRequests:
		return widen.TryIn(after)
	case status >= 500:
		return widen.TryLater
	}
	return ""
}

// garbled returns the failure for an answer with a part that is missing or has the wrong form.
func (b *Backend) garbled(part string) error { return &widen.Failure{Words: unreadable(b.who, part)} }

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

// escaped matches escape sequences for characters that a token may have: JSON may write them so, but need not.
var escaped = regexp.MustCompile(`\\u00[2-7]|\\/`)

// withoutToken returns an answer unchanged, or without the texts in it that contain the token.
func withoutToken(raw []byte, token string) []byte {
	if widen.WithoutToken(string(raw), token) == string(raw) && !escaped.Match(raw) {
		return raw
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var answer any
	if d.Decode(&answer) != nil {
		return raw // the caller reports that it cannot be read, and quotes nothing of it
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

// eachText replaces each text in a JSON value, including the names of members, by the result of other.
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
