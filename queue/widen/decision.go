package widen

import (
	"crypto/rand"
	"time"

	"github.com/oklog/ulid/v2"
)

// NewDecision returns the id of a new decision: a ULID of that time, which nobody can guess.
func NewDecision(at time.Time) string {
	return ulid.MustNew(ulid.Timestamp(at), rand.Reader).String() // neither fails before the year 10889
}

// IsDecision reports whether a text is a ULID as NewDecision makes them: it may become part of a path or a file's name.
func IsDecision(s string) bool {
	id, err := ulid.ParseStrict(s)
	return err == nil && id.String() == s
}
