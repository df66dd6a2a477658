package call

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// submission is a call of submit_summary, which gives the person the summary of their team's discussion. It does not
// wait.
type submission struct{ *toolCall }

// serve stores the summary in the arguments, or returns why it was not accepted.
func (m *submission) serve(ctx context.Context, raw json.RawMessage) dialect.Result {
	given, err := dialect.ParseSubmitSummary(raw)
	if err == nil {
		err = m.openQueue(ctx)
	}
	var s queue.Session
	if err == nil {
		s, err = m.giveSummary(ctx, given)
	}
	if err == nil {
		return dialect.RenderSubmitted(s)
	}
	return dialect.Fail(m.failure(given, s, err))
}

// errNotYours reports that another agent asked the question.
var errNotYours = errors.New("another agent's question")

// giveSummary stores the summary. It first waits for the call that brought the agent the discussion, because that call
// may still be storing that it did.
func (m *submission) giveSummary(ctx context.Context, given dialect.Submission) (queue.Session, error) {
	if !queue.ValidID(given.Session) {
		return queue.Session{}, queue.ErrNotFound
	}
	m.watch.letFinish(ctx, given.Session)
	s, err := m.readSession(ctx, given.Session)
	switch {
	case err != nil:
		return s, err
	case s.Ask.Kind != queue.KindChoice:
		return s, queue.ErrNotFound
	case !m.isOwn(s.Origin):
		return s, errNotYours
	}
	return m.doAction(ctx, s.ID, queue.ByCaller, queue.GiveSummary{Request: given.Request, Candidate: given.Candidate})
}

// isOwn reports whether this caller is the agent that asked the question, or the agent that waited for its answer last.
func (m *submission) isOwn(asked queue.Origin) bool {
	me := m.origin
	if me.Agent == "" && asked.Instance != me.Instance {
		return false
	}
	return asked.SameAgent(me)
}

// failure returns the failure for a summary that was not accepted. s is the present state of the session, as far as it
// was read.
func (m *submission) failure(given dialect.Submission, s queue.Session, err error) dialect.Failure {
	var bad *queue.Invalid
	f := dialect.Failure{ID: given.Session}
	switch {
	case errors.As(err, &bad):
		f = dialect.Invalid(bad.Problems)
	case errors.Is(err, queue.ErrNotFound):
		f = notFound(given.Session, "Check the session_id.")
	case errors.Is(err, errNotYours):
		f.Code = dialect.CodeNotYours
		f.Message = fmt.Sprintf("Session %q belongs to another agent, which sums up its discussion itself.",
			visibleID(given.Session))
	case errors.Is(err, queue.ErrNoSummary), errors.Is(err, queue.ErrNotWidened), errors.Is(err, queue.ErrSettled),
		errors.Is(err, queue.ErrFinal), errors.Is(err, queue.ErrFull):
		f.Code, f.Message = m.whyUnwanted(given, s)
	default:
		f = unavailable(err, given.Session)
	}
	return f
}

// whyUnwanted returns the code and the reason of a summary that nobody needs, and tells the agent what to do instead.
func (m *submission) whyUnwanted(given dialect.Submission, s queue.Session) (code, why string) {
	due, wanted := s.SummaryDue()
	switch {
	case s.Outcome != nil:
		why = "The question is decided already, so no summary is needed. "
	case s.SummaryWanted() != nil:
		why = "Read the discussion first: it comes with poll_selection. "
	case s.Widen == nil || s.Widen.Request == nil:
		why = "Nobody asked for a summary of this question. "
	case s.Widen.Candidate != nil:
		why = "The person has your summary already. "
	case wanted && m.watch.q.Now().After(due):
		return dialect.CodeTooLate, fmt.Sprintf("Your summary came after more than %d seconds, and the person "+
			"continues without it. ", int(queue.SummaryWithin.Seconds())) + dialect.PollOn(s.ID)
	case given.Request != "" && given.Request != s.Widen.Request.ID:
		why = "This request is over; the person has asked for another summary since. "
	default:
		why = "No summary can be taken any more. "
	}
	return dialect.CodeNotWanted, why + dialect.PollOn(s.ID)
}
