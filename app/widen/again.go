package widen

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	// Tries is the number of attempts at a call, the first one included.
	Tries = 4
	// FirstWait is the wait before the second try. It doubles.
	FirstWait = 300 * time.Millisecond
	// mostWait limits the wait: a backend that wants to be left alone for longer is not called again.
	mostWait = 30 * time.Second
)

// Refusal is the error of a call that was answered with a status that is no success.
type Refusal struct {
	Status int
	After  time.Duration // the time for which the server asks to be left alone; 0: it named none
	Said   string        // the server's own words, clean and short; empty: it gave none that can be shown
}

// ForGood reports whether the server certainly did nothing: the request was not allowed or not understood. A conflict
// and a time limit say nothing about an earlier call or about what is still under way.
func (r *Refusal) ForGood() bool {
	switch r.Status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return r.Status >= 400 && r.Status < 500
}

func (r *Refusal) Error() string { return "the server answered " + strconv.Itoa(r.Status) }

// Retry makes a call until it succeeds, fails for good, or no time is left. A careful call is made again only if the
// server certainly did not carry it out. wait is the least time before the second try. If ctx was cancelled, Retry
// returns ctx's error. Otherwise it returns the last error of call, as failure puts it into words.
func Retry(ctx context.Context, wait time.Duration, careful bool, call func() error, failure func(error) error) error {
	for try := 1; ; try++ {
		err := call()
		switch {
		case err == nil:
			return nil
		case errors.Is(ctx.Err(), context.Canceled):
			return ctx.Err()
		}
		after, may := mayRetry(err, careful)
		if next := max(wait, after); !may || try == Tries || next > mostWait || !sleep(ctx, next) {
			return failure(err)
		}
		wait *= 2
	}
}

// mayRetry reports whether a call that failed may be made again, and after which time.
func mayRetry(err error, careful bool) (after time.Duration, may bool) {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal.After, refusal.Status == http.StatusTooManyRequests || !careful && refusal.Status >= 500
	}
	var network *net.OpError
	dialled := !errors.As(err, &network) || network.Op != "dial"
	return 0, !isTooLong(err) && !(careful && dialled)
}

// isTooLong reports whether an error means that an answer is longer than its http.MaxBytesReader allows.
func isTooLong(err error) bool {
	var long *http.MaxBytesError
	return errors.As(err, &long)
}

// mostAfter is the longest time that a server can ask to be left alone for.
const mostAfter = 24 * time.Hour

// RetryAfter reads the header Retry-After, which holds seconds or a time. It returns at most a day; 0: the header names
// no time.
func RetryAfter(header string, now time.Time) time.Duration {
	seconds, err := strconv.ParseUint(header, 10, 32)
	if err == nil || errors.Is(err, strconv.ErrRange) { // of a longer number, seconds is the most that fits
		return min(time.Duration(seconds)*time.Second, mostAfter)
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(at.Sub(now), 0), mostAfter)
	}
	return 0
}

// sleep waits, and reports whether the wait is over. It returns false at once if ctx will end before that, or when ctx
// ends.
func sleep(ctx context.Context, wait time.Duration) bool {
	if end, limited := ctx.Deadline(); limited && time.Until(end) < wait {
		return false
	}
	queue.Sleep(ctx, wait)
	return ctx.Err() == nil
}
