package widen

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// MaxSummaryBytes limits the length of a model's answer, including the text before it.
const MaxSummaryBytes = 64 << 10

// ErrNoSummary means that a model's answer contains no valid candidate.
var ErrNoSummary = errors.New("no candidate in the answer")

// SummaryReader finds the candidate in a model's answer, line by line. It ignores the text before the first brace and
// after the braces balance, such as the end of a fence. The zero value is ready.
type SummaryReader struct {
	object  []byte // from the first brace on
	read    int    // bytes read so far
	depth   int    // braces that are open
	quoted  bool   // inside a string
	escaped bool   // behind a backslash
	done    bool   // the first brace was closed
	over    bool   // the answer is longer than MaxSummaryBytes
}

// Add reads one line of the answer, with or without its line end. done is true if no further line is needed.
func (r *SummaryReader) Add(line string) (done bool) {
	return r.readText([]byte(strings.TrimRight(line, "\r\n") + "\n"))
}

// Begun reports whether the first brace was read.
func (r *SummaryReader) Begun() bool { return len(r.object) > 0 }

// readText reads part of the answer, byte by byte.
func (r *SummaryReader) readText(text []byte) (done bool) {
	for _, c := range text {
		if r.done || r.over {
			break
		}
		if r.read++; r.read > MaxSummaryBytes {
			r.over = true
			break
		}
		if len(r.object) == 0 && c != '{' {
			continue
		}
		r.object = append(r.object, c)
		r.countBrace(c)
	}
	return r.done || r.over
}

// countBrace counts a brace that opens or closes, unless it is inside a JSON string.
func (r *SummaryReader) countBrace(c byte) {
	switch {
	case r.escaped:
		r.escaped = false
	case r.quoted && c == '\\':
		r.escaped = true
	case c == '"':
		r.quoted = !r.quoted
	case r.quoted:
	case c == '{':
		r.depth++
	case c == '}':
		r.depth--
		r.done = r.depth == 0
	}
}

// Summary returns the candidate in the lines that were added. It fails with ErrNoSummary.
func (r *SummaryReader) Summary() (k queue.Candidate, err error) {
	switch {
	case r.over:
		return k, fmt.Errorf("%w: it is longer than %d bytes", ErrNoSummary, MaxSummaryBytes)
	case len(r.object) == 0:
		return k, fmt.Errorf("%w: no brace in it", ErrNoSummary)
	case !r.done:
		return k, fmt.Errorf("%w: it breaks off", ErrNoSummary)
	}
	return readSummary(r.object)
}

// readSummary reads a candidate. All three members must be given; any other member that the model added is ignored.
func readSummary(object []byte) (k queue.Candidate, err error) {
	var given struct {
		Summary    *string `json:"candidate_summary"`
		Answer     *string `json:"candidate_answer"`
		SourceHint *string `json:"source_hint"`
	}
	if err := json.Unmarshal(object, &given); err != nil {
		return k, fmt.Errorf("%w: %w", ErrNoSummary, err)
	}
	if given.Summary == nil || given.Answer == nil || given.SourceHint == nil {
		return k, fmt.Errorf("%w: not all three members are there", ErrNoSummary)
	}
	k = queue.Candidate{Summary: *given.Summary, Answer: *given.Answer, SourceHint: *given.SourceHint}
	return k, checkCandidate(k)
}

// checkCandidate fails with ErrNoSummary if a candidate has an unknown source or is too long.
func checkCandidate(k queue.Candidate) error {
	switch {
	case k.SourceHint != queue.SourceTeam && k.SourceHint != queue.SourceManual:
		return fmt.Errorf("%w: source_hint is neither %s nor %s", ErrNoSummary, queue.SourceTeam, queue.SourceManual)
	case len(k.Summary) > queue.MaxCandidate || len(k.Answer) > queue.MaxCandidate:
		return fmt.Errorf("%w: it is longer than %d bytes", ErrNoSummary, queue.MaxCandidate)
	}
	return nil
}
