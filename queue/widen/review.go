package widen

import (
	"fmt"

	"github.com/choicetui/choicetui/queue"
)

// CandidateReview holds the material that the owner reviews: the discussion and the candidate that a model made of it,
// with the fields of the candidate-review schema. It is never stored.
type CandidateReview struct {
	DecisionID       string     `json:"decision_id"`
	DiscussionFetch  Discussion `json:"discussion_fetch"`
	CandidateSummary string     `json:"candidate_summary"`
	CandidateAnswer  string     `json:"candidate_answer"`
	SourceHint       string     `json:"source_hint"` // queue.SourceTeam, or queue.SourceManual where no model answered
	TimedOut         bool       `json:"llm_timed_out"`
}

// NewReview returns the review of what a model made of a discussion.
func NewReview(decision string, d Discussion, k queue.Candidate) CandidateReview {
	return CandidateReview{DecisionID: decision, DiscussionFetch: d,
		CandidateSummary: k.Summary, CandidateAnswer: k.Answer, SourceHint: k.SourceHint}
}

// Fallback returns the review where no model made anything of the discussion: the owner writes the answer.
func Fallback(decision string, d Discussion, timedOut bool) CandidateReview {
	return CandidateReview{DecisionID: decision, DiscussionFetch: d, SourceHint: queue.SourceManual, TimedOut: timedOut}
}

// Empty reports whether there is no candidate to accept.
func (r CandidateReview) Empty() bool { return queue.Blank(r.CandidateAnswer) }

// Check lists what the candidate-review schema refuses.
func (r CandidateReview) Check() (problems []queue.Problem) {
	add := func(path, wrong, want string) {
		problems = append(problems, queue.Problem{Path: path, Wrong: wrong, Want: want})
	}
	d := r.DiscussionFetch
	if r.DecisionID == "" {
		add("decision_id", "is empty", "the id of the decision")
	}
	if d.Participants == nil {
		add("discussion_fetch.participants", "is missing", "a list of names")
	}
	if d.MessageCount < 0 {
		add("discussion_fetch.message_count", fmt.Sprintf("is %d", d.MessageCount), "0 or more")
	}
	if d.ThreadURL != nil && WebAddress(*d.ThreadURL) == "" {
		add("discussion_fetch.thread_url", "is "+queue.Quote(*d.ThreadURL), "an address, or null")
	}
	if d.Messages == nil {
		add("discussion_fetch.messages", "is missing", "a list of messages")
	}
	if n := len(d.Messages); n > MaxMessages {
		add("discussion_fetch.messages", fmt.Sprintf("has %d entries", n), fmt.Sprintf("at most %d", MaxMessages))
	}
	if r.SourceHint != queue.SourceTeam && r.SourceHint != queue.SourceManual {
		add("source_hint", "is "+queue.Quote(r.SourceHint), queue.SourceTeam+" or "+queue.SourceManual)
	}
	return problems
}
