// Package widen has the rules by which a question goes to teammates and comes back as a candidate answer: who is asked,
// what of their discussion is read, what a model made of it, how far the person moved from that, and what it means as
// an answer. It knows no clock, no network and no files.
//
//	audience ── Trim ──▶ members       answer of a model ── SummaryReader ──▶ Candidate ─┐
//	thread ── NewDiscussion ──▶ Discussion ────────────────────────────────────────────▶ CandidateReview
//	what the person saved ── Source ──▶ where it comes from, FinalAnswer ──▶ queue.Answer
//
// Consult puts these together: it is one person's way with one question, from whom to ask to the answer.
package widen

import (
	"crypto/rand"
	"strings"
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

// hint begins a line in which an agent says that a question is one for the team. The blank belongs to it.
const hint = "[WIDEN-HINT] "

// CutHint removes the mark from a hint; ok is false if the line is no hint.
func CutHint(line string) (words string, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	if strings.ContainsAny(line, "\r\n") {
		return "", false
	}
	return strings.CutPrefix(line, hint)
}

// TakeHints takes the hints out of a text of many lines, as a prompt is.
func TakeHints(text string) (rest string, hints []string) {
	if !strings.Contains(text, hint) { // as good as always, and asked at every key
		return text, nil
	}
	var kept []string
	for line := range strings.Lines(text) {
		if words, ok := CutHint(line); ok {
			hints = append(hints, words)
		} else {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, ""), hints
}
