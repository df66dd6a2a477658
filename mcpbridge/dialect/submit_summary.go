package dialect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// SubmitSummary is the tool with which an agent hands in its summary of a team's discussion. It asks nothing, so it is
// no Dialect.
var SubmitSummary = Tool{"submit_summary", "Sum up what the person's team said"}

// The codes of refused summaries, in addition to those of every tool.
const (
	CodeNotYours  = "not_yours"  // another agent asked the question and has to sum up its discussion
	CodeNotWanted = "not_wanted" // this question needs no summary now
	CodeTooLate   = "too_late"   // the person continues without the summary
)

// Submission holds a summary that an agent handed in.
type Submission struct {
	Session   string
	Request   string // the id of the request for it; empty: the summary that is wanted now
	Candidate queue.Candidate
}

var submissionFields = []string{"session_id", "candidate_summary", "candidate_answer", "source_hint", "request_id"}

const wantSubmission = "an object with session_id, candidate_summary, candidate_answer and source_hint"

// ParseSubmitSummary reads the tool's arguments. Models also send the object as JSON-encoded text, in a code fence, or
// in one field of the arguments; all of these are accepted. The error is a *queue.Invalid that lists all problems.
func ParseSubmitSummary(raw json.RawMessage) (out Submission, err error) {
	var r reader
	if o, ok := r.arguments(unfenced(raw), wantSubmission); ok {
		out = readSubmission(&r, o)
	}
	return out, r.err()
}

// readSubmission reads the fields of a summary.
func readSubmission(r *reader, o *object) (out Submission) {
	out.Session = requiredSessionID(o, "the session_id of the summarization_request")
	out.Request = o.text("request_id", "the request_id of the summarization_request")
	o.acceptIgnored("decision_id", "question", "wait_for_previous")
	candidate := candidateIn(o)
	out.Candidate = queue.Candidate{
		Summary:    candidateText(candidate, "candidate_summary", "what the team agrees on, as text"),
		Answer:     candidateText(candidate, "candidate_answer", "the answer that follows from it, as text"),
		SourceHint: candidate.enum("source_hint", queue.SourceTeam, queue.SourceManual),
	}
	if at := candidate.path("source_hint"); out.Candidate.SourceHint == "" && !r.hasProblem(at) {
		r.addProblem(at, "is missing", queue.SourceTeam+" or "+queue.SourceManual)
	}
	candidate.refuseUnknown(submissionFields)
	if candidate != o {
		o.refuseUnknown(submissionFields)
	}
	return out
}

// candidateIn returns the object that contains the summary: the arguments, or the value of one field of them.
func candidateIn(o *object) *object {
	for _, name := range o.names {
		inner := unfenced(o.fields[name])
		var shape struct {
			Answer json.RawMessage `json:"candidate_answer"`
		}
		if json.Unmarshal(inner, &shape) != nil || shape.Answer == nil {
			continue
		}
		if c, ok := o.r.object(o.path(shortVisible(name)), inner, wantSubmission); ok {
			o.acceptIgnored(name)
			c.acceptIgnored("session_id", "decision_id")
			return c
		}
	}
	return o
}

// candidateText reads one text of a summary. The field is required, but may be empty.
func candidateText(o *object, name, want string) string {
	if raw, there := o.takeField(name); !there || raw == nil {
		o.r.addProblem(o.path(name), "is missing", want)
		return ""
	}
	s := o.text(name, want)
	if len(s) > queue.MaxCandidate {
		o.r.addProblem(o.path(name), fmt.Sprintf("has %d bytes", len(s)), fmt.Sprintf("at most %d", queue.MaxCandidate))
	}
	return s
}

// unfenced returns the JSON object within a JSON-encoded text, also if a code fence is around it. Other values are
// returned unchanged.
func unfenced(raw json.RawMessage) json.RawMessage {
	inner := unwrapJSON(raw, '{')
	if len(inner) == 0 || inner[0] != '"' || textFlaw(inner) != "" {
		return inner
	}
	body := strings.TrimSpace(scalarText(inner))
	if !strings.HasPrefix(body, "```") || !strings.HasSuffix(body, "```") {
		return raw
	}
	from, to := strings.IndexByte(body, '{'), strings.LastIndexByte(body, '}')
	if from < 0 || to < from || !json.Valid([]byte(body[from:to+1])) {
		return raw
	}
	return json.RawMessage(body[from : to+1])
}

// submittedResult is the structured content of the result of an accepted summary.
type submittedResult struct {
	Status    string `json:"status"`
	SessionID string `json:"session_id"`
	Decision  string `json:"decision_id"`
	Message   string `json:"message"`
}

// RenderSubmitted returns the result for a summary that the person has received. It tells the agent what to do next.
func RenderSubmitted(s queue.Session) Result {
	out := submittedResult{Status: "accepted", SessionID: s.ID, Decision: s.Widen.Decision,
		Message: "The person has your summary, and decides. " + PollOn(s.ID)}
	raw := compact(out)
	return Result{Text: out.Message + "\n" + string(raw), Structured: raw}
}

// PollOn returns a sentence that tells a model how to wait for the person's decision.
func PollOn(id string) string {
	const how = `Call poll_selection with {"session_id": %q} to wait for their decision; do not choose yourself.`
	return fmt.Sprintf(how, id)
}
