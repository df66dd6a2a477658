package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// JoinAnswerWithin limits the age of an uncollected answer that the same ask of the same agent may take.
const JoinAnswerWithin = 10 * time.Minute

// Key is equal for the same ask of the same client in the same directory (rule 6): dialect, client, host,
// directory and content. It is empty, which never joins, for a dialect whose questions belong to their call.
func Key(o Origin, a Ask) string {
	if o.Dialect == DialectBound {
		return ""
	}
	a.Web = false // where it opens makes it no other question
	raw, err := json.Marshal([]any{o.Dialect, o.Client, o.Host, o.Cwd, a})
	if err != nil {
		return "" // cannot happen: plain data; an empty key never joins
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// Joins reports whether an ask with this key and origin may take over s instead of becoming a new session: a
// pending session that nobody alive claims, or an answer that nobody collected, for ten minutes, from the same
// agent. Never a timeout, a cancel, a confirmation, an approval or a hand-off. Call it on s.At(now).
func (s Session) Joins(key string, o Origin, alive func(instance string) bool, now time.Time) bool {
	if key == "" || s.Key != key || s.Final || s.Ask.HandOff || s.Ask.Kind != KindChoice {
		return false
	}
	if s.Claim != nil && alive(s.Claim.Instance) {
		return false
	}
	if s.Outcome == nil {
		return true
	}
	return s.Outcome.Answered() && !s.Ask.Confirm && o.Agent != "" && s.Origin.Agent == o.Agent &&
		now.Sub(s.Outcome.At) <= JoinAnswerWithin
}
