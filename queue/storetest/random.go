package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// Commands returns the commands that a session of Create may get, in any order, except those that end it.
func Commands() []queue.Action {
	claim := queue.Claim{Instance: "i", Conn: "c"}
	return []queue.Action{
		queue.Move{By: time.Second}, queue.Later{}, queue.Take{Claim: claim},
		queue.Release{Claim: claim, Dropped: true}, queue.Release{Claim: claim}, queue.Attach{Instance: "form"},
		queue.TimeOut{}, queue.Withdraw{Reason: "gone"},
		Widen(), queue.Regroup{State: queue.WidenParked}, queue.Regroup{State: queue.WidenBlocked},
		queue.AskSummary{ID: "r", Block: "what was said"}, queue.WriteSummary{ID: "r"},
		queue.GiveSummary{Candidate: queue.Candidate{Summary: "They agree.", SourceHint: queue.SourceTeam}},
		queue.MissSummary{},
		queue.CallTeam{Call: "x", Decision: Widen().Widened.Decision, Backend: "http", For: time.Second},
		queue.CallTeam{Call: "y", For: time.Second}, queue.LeaveTeam{Call: "x", Again: time.Second},
		queue.LeaveTeam{Call: "y"}, queue.LeaveTeam{Told: true},
	}
}

// Endings returns the commands that may settle a session of Create.
func Endings() []queue.Action {
	said := queue.Resolution{Summary: queue.Summary{Text: "They agree.", Source: queue.SourceTeam}, Rationale: "so"}
	return []queue.Action{
		queue.Settle{Answer: Answer("a")}, queue.Settle{Answer: Answer("c"), Team: &said}, queue.Settle{Empty: true},
		queue.Cancel{Reason: "no"}, queue.Defer{Rationale: "later"}, queue.Defer{},
	}
}

// Refused reports whether a rule of the queue caused the error: the command came too late, or is not allowed.
func Refused(err error) bool {
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return true
	}
	for _, rule := range []error{
		queue.ErrSettled, queue.ErrUsed, queue.ErrFinal, queue.ErrFull, queue.ErrPending, queue.ErrNotDue,
		queue.ErrLaterApproval, queue.ErrLaterCall, queue.ErrLaterStopped, queue.ErrWidened, queue.ErrWidenApproval,
		queue.ErrWidenCall, queue.ErrNotWidened, queue.ErrNoSummary, queue.ErrNotDeferred,
	} {
		if errors.Is(err, rule) {
			return true
		}
	}
	return false
}

// Broken lists the faults that no command may cause in a session.
func Broken(s queue.Session) []string {
	wrong := Violations(s, nil)
	say := func(format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf(s.ID+": "+format, args...))
	}
	w, o := s.Widen, s.Outcome
	if w == nil && s.Deadline.IsZero() {
		say("its clock is stopped, and nobody was asked")
	}
	if w != nil {
		brokenWithTeam(s, *w, say)
	}
	if o != nil && o.Team != nil && w == nil {
		say("the team is in the outcome, and nobody was asked")
	}
	if o != nil && o.Status == queue.StatusDeferred && len(o.Answer.Replies) > 0 {
		say("a deferral answers")
	}
	for i, e := range s.Events {
		before := s
		if before.Events = s.Events[:i]; e.Kind == queue.EventTeamTold && !before.OwesTeam() {
			say("its team is told of nothing, or twice")
		}
	}
	if len(s.Events) > queue.MaxEvents {
		say("%d events", len(s.Events))
	}
	return wrong
}

// brokenWithTeam lists the faults that no command may cause in a session that is with the team.
func brokenWithTeam(s queue.Session, w queue.Widened, say func(format string, args ...any)) {
	if !s.Deadline.IsZero() {
		say("a clock runs while it is with the team")
	}
	if w.State != queue.WidenBlocked && w.State != queue.WidenParked {
		say("with the team it is %q", w.State)
	}
	if (w.ParkedAt != nil) != s.Parked() {
		say("%s, and parked at %v", w.State, w.ParkedAt)
	}
	if w.Candidate != nil && (w.Request == nil || w.Request.WrittenAt == nil) {
		say("a summary was given of what the agent never had")
	}
}

// testRandom gives random commands to a few sessions from several goroutines. No rule may break, and every
// acknowledged event must be stored.
func testRandom(t *testing.T, store queue.Store) {
	const givers = 6
	var ids []string
	for range 4 {
		ids = append(ids, Create(t, store).ID)
	}
	var wg sync.WaitGroup
	acknowledged, errs := make([][]ack, givers), make([]error, givers)
	for i := range givers {
		wg.Go(func() { acknowledged[i], errs[i] = giveRandom(t.Context(), store, ids, i) })
	}
	wg.Wait()
	final := map[string]queue.Session{}
	for _, id := range ids {
		s, err := store.Get(t.Context(), id)
		require.NoError(t, err)
		require.Empty(t, Broken(s))
		final[id] = s
	}
	for i := range givers {
		require.NoError(t, errs[i])
		for _, a := range acknowledged[i] {
			_, there := final[a.session].Event(a.event)
			require.True(t, there, "%v was acknowledged", a)
		}
	}
}

// ack is an event that the store acknowledged.
type ack struct{ session, event string }

// giveRandom gives random commands. The first three quarters of them do not end a session.
func giveRandom(ctx context.Context, store queue.Store, ids []string, giver int) (acknowledged []ack, err error) {
	const each = 40
	random := rand.New(rand.NewPCG(uint64(giver), 7))
	q, all := queue.New(store), append(Commands(), Endings()...)
	for j := range each {
		from := all
		if j < each*3/4 {
			from = all[:len(Commands())]
		}
		id := ids[random.IntN(len(ids))]
		c := queue.Command{ID: fmt.Sprintf("r-%d-%d", giver, j), By: queue.ByHuman, Do: from[random.IntN(len(from))]}
		s, err := q.Do(ctx, id, c)
		if err != nil && !Refused(err) {
			return acknowledged, fmt.Errorf("%T: %w", c.Do, err)
		}
		if _, there := s.Event(c.ID); err == nil && there {
			acknowledged = append(acknowledged, ack{id, c.ID})
		}
	}
	return acknowledged, nil
}
