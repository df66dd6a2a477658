package slack

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/choicetui/choicetui/app/widen"
)

// errTooLong is an answer, or a list in pages, that is longer than anything Slack sends.
var errTooLong = errors.New("the answer is too long")

// bounded keeps answers within their limits, before Slack's library sees them.
type bounded struct{ http.RoundTripper }

// RoundTrip makes one call.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode == http.StatusTooManyRequests { // the library takes any number, and nothing else
		after := widen.RetryAfter(answer.Header.Get("Retry-After"), time.Now())
		if after <= 0 {
			after = busyFor
		}
		answer.Header.Set("Retry-After", strconv.Itoa(int(after/time.Second)))
	}
	answer.Body = &limited{answer.Body, mostOfAnswer}
	return answer, nil
}

// limited fails with errTooLong where there is more to read than it has left.
type limited struct {
	io.ReadCloser
	left int
}

// Read reads as long as there is something left.
func (l *limited) Read(into []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLong
	}
	n, err := l.ReadCloser.Read(into[:min(len(into), l.left)])
	l.left -= n
	return n, err
}

// mostLists limits the pages of a list that are read: enough for a thread of a hundred thousand messages.
const mostLists = 100

// pages counts the pages of a list, whose end Slack says.
type pages struct {
	read   int
	cursor string
}

// turn goes to the page behind a cursor. It fails with *widen.Failure where the list goes round or never ends.
func (p *pages) turn(l link, cursor string) error {
	if p.read++; p.read >= mostLists || cursor == p.cursor {
		return l.failure(errTooLong)
	}
	p.cursor = cursor
	return nil
}
