package widen

import (
	"encoding/json"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// MaxSummaryBytes limits the length of a model's answer, including the text before it.
const MaxSummaryBytes = 64 << 10

// SummaryReader finds the candidate in a model's answer, line by line. It ignores the text before the first brace and
// after the braces balance, such as the end of a fence. The zero value is ready.
type SummaryReader struct {
	object  []byte // from the first brace on
	read    int    // bytes read so far
	depth   int    // braces that are open
	quoted  bool   // inside a string
	escaped bool   // behind a backslash
	done    bool   // the first brace was closed
}

// Add reads one line of the answer, with or without its line end. done is true if no further line is needed.
func (r *SummaryReader) Add(line string) (done bool) {
	for _, c := range []byte(strings.TrimRight(line, "\r\n") + "\n") {
		if r.read++; r.done || r.read > MaxSummaryBytes {
			return true
		}
		if c == '{' || r.Begun() {
			r.object = append(r.object, c)
			r.countBrace(c)
		}
	}
	return r.done
}

// Begun reports whether the first brace was read.
func (r *SummaryReader) Begun() bool { return len(r.object) > 0 }

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

// Summary returns the candidate in the lines that were added. ok is false if there is none, or if a member is missing,
// unknown or too long. Any other member that the model added is ignored.
func (r *SummaryReader) Summary() (k queue.Candidate, ok bool) {
	var given struct {
		Summary    *string `json:"candidate_summary"`
		Answer     *string `json:"candidate_answer"`
		SourceHint *string `json:"source_hint"`
	}
	if !r.done || json.Unmarshal(r.object, &given) != nil || given.Summary == nil || given.Answer == nil ||
		given.SourceHint == nil {
		return k, false
	}
	known := *given.SourceHint == queue.SourceTeam || *given.SourceHint == queue.SourceManual
	if !known || max(len(*given.Summary), len(*given.Answer)) > queue.MaxCandidate {
		return k, false
	}
	return queue.Candidate{Summary: *given.Summary, Answer: *given.Answer, SourceHint: *given.SourceHint}, true
}
