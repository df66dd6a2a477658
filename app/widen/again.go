package widen

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"
)

const (
	// Tries is the number of attempts at a call, the first one included.
	Tries = 4
	// FirstWait is the wait before the second try. It doubles.
	FirstWait = 300 * time.Millisecond
	// mostWait limits the wait: a backend that wants to be left alone for longer is not called again.
	mostWait = 30 * time.Second
)

// Again makes a call until it succeeds, fails for good, or no time is left. call returns with its error the time after
// which it may be made again, if it may; wait is the least time before the second try. The error is ctx's if somebody
// gave up, and otherwise what failure makes of the last one.
func Again(ctx context.Context, wait time.Duration, call func() (after time.Duration, may bool, err error),
	failure func(err error, after time.Duration) error) error {
	for try := 1; ; try++ {
		after, may, err := call()
		switch {
		case err == nil:
			return nil
		case errors.Is(ctx.Err(), context.Canceled):
			return ctx.Err()
		}
		if next := max(wait, after); !may || try == Tries || next > mostWait || !sleep(ctx, next) {
			return failure(err, after)
		}
		wait *= 2
	}
}

// mostAfter is the longest time that a server can ask to be left alone for.
const mostAfter = 24 * time.Hour

// RetryAfter reads the header of that name: seconds, or a time. 0: it says nothing; it is never more than a day.
func RetryAfter(header string, now time.Time) time.Duration {
	if header != "" && strings.Trim(header, "0123456789") == "" {
		seconds, err := time.ParseDuration(header + "s")
		if err != nil { // it is too long for a duration
			return mostAfter
		}
		return min(seconds, mostAfter)
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(at.Sub(now), 0), mostAfter)
	}
	return 0
}

// sleep waits. It returns false if ctx ends before the wait is over.
func sleep(ctx context.Context, wait time.Duration) bool {
	if end, limited := ctx.Deadline(); limited && time.Until(end) < wait {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(wait):
		return true
	}
}
