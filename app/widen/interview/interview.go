// Package interview asks the questions of a file one after the other, and writes the answers into a file. Each question
// is a session in the queue, which the person can answer in the dashboard, on lines, or on the page in the browser.
// These surfaces are called frontends.
//
//	FILE ─► Load ─► for each: id kept ─► session created ─► Ask ─► outcome ─► answers.yaml.partial ─► collected
//	                                                          └─ parked: the team has it, and the person continues ─┐
//	               answers.yaml, decisions.json ◄── all have an outcome ◄── Pass, one after the other ◄────────┘
//
// The partial file always lists the decisions so far and the sessions under way. So an interview that was left or
// killed continues where it was: an answer that was given is taken from its session, and nothing is asked twice.
package interview

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/choicetui/choicetui/app/widen/talk"
	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Names of the files that are kept beside the answers. PartialEnd is added to the name of the answers' file.
const (
	DecisionsName = "decisions.json"
	PartialEnd    = ".partial"
)

// clientName is the interview's name in the queue.
const clientName = "interview"

// Frontend is the surface on which the person answers.
type Frontend interface {
	// Ask shows a question, and waits until it has an outcome, the person leaves it to the team and continues (it is
	// parked), or the person leaves the interview. The End says which.
	Ask(ctx context.Context, session string) (talk.End, error)
	// BeginPass says that n questions are still with the team. Pass reviews one of them.
	BeginPass(n int)
	Pass(ctx context.Context, session string, n, of int) (talk.End, error)
	// Outlast calls do, and calls it again as long as the queue's server cannot be reached. It tells the person so,
	// unless the dashboard does. It fails with context.Canceled if the person stops waiting.
	Outlast(ctx context.Context, do func() error) error
}

// Options holds an interview's settings.
type Options struct {
	Queue    *queue.Queue
	Frontend Frontend
	File     File
	Answers  string // the path of the file for the answers
	Force    bool   // existing answers may be overwritten
	Origin   queue.Origin
}

// Result reports the state of an interview. Answers and Decisions are paths; they are empty unless it is finished.
type Result struct {
	Status    string `json:"status"` // finished or stopped
	Mission   string `json:"mission"`
	Questions int    `json:"questions"`
	Answered  int    `json:"answered"`
	Deferred  int    `json:"deferred"`
	Answers   string `json:"answers,omitempty"`
	Decisions string `json:"decisions,omitempty"`
	Partial   string `json:"partial,omitempty"`
}

// Statuses of a result.
const (
	Finished = "finished"
	Stopped  = "stopped"
)

// ErrStopped means that the person left the interview. The answers so far are in the partial file.
var ErrStopped = errors.New("the interview was left")

// Interview runs once over a file. It belongs to one goroutine.
type Interview struct {
	o     Options
	claim queue.Claim
	state state
	held  *os.File // the interview's file, which is locked
	open  []string // decided sessions that could not be closed yet, because the queue's server was away
}

// Open reads the earlier answers, and keeps other processes from the same file until Close. It fails if existing
// answers would be overwritten.
func Open(o Options) (*Interview, error) {
	r := &Interview{o: o, claim: queue.Claim{Instance: o.Origin.Instance, Conn: clientName}}
	var err error
	r.held, err = whole.Lock(context.Background(), o.File.Path, 0) // the kernel unlocks it when the process dies
	if errors.Is(err, whole.ErrLocked) {
		err = errors.New("another choicetui asks the questions of " + say.OneLine(o.File.Path) + " at this moment")
	}
	if err != nil {
		return nil, err
	}
	var found bool
	if r.state, found, err = readState(r.partialPath(), o.File.Mission); err == nil {
		r.state.dropChanged(o.File)
		err = r.checkOverwrite(found)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Close unlocks the file for other processes.
func (r *Interview) Close() { _ = r.held.Close() }

// checkOverwrite fails if the files of a finished interview would be overwritten. If all questions are decided already,
// the files come from a run that was killed while it wrote them, and may be overwritten.
func (r *Interview) checkOverwrite(resumed bool) error {
	if r.o.Force || resumed && r.allDecided() {
		return nil
	}
	for _, path := range []string{r.o.Answers, r.decisionsPath()} {
		if _, err := os.Lstat(path); err == nil {
			return errors.New(say.OneLine(path) + " is there already; --force overwrites it")
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// allDecided reports whether every question has a decision.
func (r *Interview) allDecided() bool {
	return !slices.ContainsFunc(r.o.File.Questions, func(q Question) bool {
		_, decided := r.state.decided(q.ID)
		return !decided
	})
}

// partialPath returns the path of the partial file.
func (r *Interview) partialPath() string { return r.o.Answers + PartialEnd }

// decisionsPath returns the path of the file of decisions.
func (r *Interview) decisionsPath() string {
	return filepath.Join(filepath.Dir(r.o.Answers), DecisionsName)
}

// Run asks the questions that are not decided yet. It fails with ErrStopped if the person leaves; the result is valid
// then too.
func (r *Interview) Run(ctx context.Context) (Result, error) {
	err := r.saveState() // find out whether the file can be written before anything is asked
	if err == nil {
		err = r.askAll(ctx)
	}
	if err == nil {
		err = r.finish()
	}
	status := Finished
	if err != nil {
		status = Stopped
	}
	return r.result(status), err
}

// askAll asks every question, and then reviews the questions that are still with the team.
func (r *Interview) askAll(ctx context.Context) error {
	var parked []Question
	for _, q := range r.o.File.Questions {
		decided, err := r.askUntilDecided(ctx, q, r.o.Frontend.Ask)
		if err != nil {
			return err
		}
		if !decided {
			parked = append(parked, q)
		}
	}
	if parked = r.stillPending(ctx, parked); len(parked) > 0 {
		r.o.Frontend.BeginPass(len(parked))
	}
	for i, q := range parked {
		pass := func(ctx context.Context, session string) (talk.End, error) {
			return r.o.Frontend.Pass(ctx, session, i+1, len(parked))
		}
		for decided := false; !decided; {
			var err error
			if decided, err = r.askUntilDecided(ctx, q, pass); err != nil {
				return err
			}
		}
	}
	return nil
}

// stillPending returns the parked questions that were not decided elsewhere meanwhile.
func (r *Interview) stillPending(ctx context.Context, parked []Question) (rest []Question) {
	for _, q := range parked {
		s, err := r.o.Queue.Store.Get(ctx, r.state.Sessions[q.ID])
		if _, decided := decisionOf(q.ID, s); err == nil && decided && r.recordDecision(ctx, q, s) == nil {
			continue
		}
		rest = append(rest, q)
	}
	return rest
}

// askUntilDecided asks a question until it is decided or parked. decided reports the former.
func (r *Interview) askUntilDecided(ctx context.Context, q Question,
	ask func(context.Context, string) (talk.End, error)) (decided bool, err error) {
	for {
		if _, ok := r.state.decided(q.ID); ok {
			return true, nil
		}
		var s queue.Session
		err := r.o.Frontend.Outlast(ctx, func() (err error) {
			s, err = r.sessionOf(ctx, q)
			return err
		})
		if err != nil {
			return false, err
		}
		if s.Outcome != nil {
			if err := r.recordDecision(ctx, q, s); err != nil {
				return false, err
			}
			continue
		}
		if err := r.updatePending(ctx, s); err != nil {
			return false, err
		}
		end, err := ask(ctx, s.ID)
		switch {
		case errors.Is(err, queue.ErrNotFound): // the queue was removed, so the question is asked again
			delete(r.state.Sessions, q.ID)
		case err != nil:
			return false, err
		case end == talk.Stopped:
			return false, ErrStopped
		case end == talk.Parked:
			if s, err = r.o.Queue.Store.Get(ctx, s.ID); err == nil {
				err = r.updatePending(ctx, s)
			}
			if errors.Is(err, queue.ErrNotFound) || errors.Is(err, queue.ErrUnreachable) {
				err = nil // the pass over the parked questions looks again
			}
			return false, err
		}
	}
}

// recordDecision stores the decision about a question in the partial file, and only then closes its session.
func (r *Interview) recordDecision(ctx context.Context, q Question, s queue.Session) error {
	d, ok := decisionOf(q.ID, s)
	if !ok {
		return r.dropUndecided(ctx, q, s)
	}
	r.state.Decisions = append(r.state.Decisions, d)
	r.state.Asked[q.ID] = wordingOf(q.Ask())
	delete(r.state.Sessions, q.ID)
	if err := errors.Join(r.saveState(), r.updatePending(ctx, s)); err != nil {
		return err
	}
	r.closeSession(ctx, s.ID)
	return nil
}

// saveState writes the partial file.
func (r *Interview) saveState() error {
	out, err := marshal(r.state)
	if err == nil {
		err = writeFile(r.partialPath(), out)
	}
	return err
}

// finish writes the decisions, then the answers, and then removes the partial file.
func (r *Interview) finish() error {
	decisions, err := decisionsText(r.o.File, r.state)
	answers, failed := answersText(r.o.File, r.state)
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	if err := errors.Join(writeFile(r.decisionsPath(), decisions), writeFile(r.o.Answers, answers)); err != nil {
		return err
	}
	return os.Remove(r.partialPath())
}

// result returns the state of the interview for the person.
func (r *Interview) result(status string) Result {
	res := Result{Status: status, Mission: r.o.File.Mission, Questions: len(r.o.File.Questions)}
	for _, q := range r.o.File.Questions {
		switch d, _ := r.state.decided(q.ID); d.Status {
		case StatusResolved:
			res.Answered++
		case StatusDeferred:
			res.Deferred++
		}
	}
	if status == Finished {
		res.Answers, res.Decisions = r.o.Answers, r.decisionsPath()
	} else {
		res.Partial = r.partialPath()
	}
	return res
}

// Background is a Frontend that shows nothing: the questions are answered elsewhere, for example in a dashboard. It
// waits for their outcomes.
type Background struct {
	Queue *queue.Queue
	Ends  func() // called once, when only questions that the team has are left
}

// Ask waits until a question is over or parked.
func (b Background) Ask(ctx context.Context, session string) (talk.End, error) {
	return b.wait(ctx, session, true)
}

// BeginPass calls Background.Ends. It shows nothing itself: the dashboard shows how many questions are left.
func (b Background) BeginPass(int) {
	b.Ends()
}

// Pass waits until a question is over.
func (b Background) Pass(ctx context.Context, session string, _, _ int) (talk.End, error) {
	return b.wait(ctx, session, false)
}

// Outlast repeats do while the queue's server is away. It tells the person nothing, because the dashboard does.
func (b Background) Outlast(ctx context.Context, do func() error) error {
	return talk.Outlast(do, func(error) error {
		queue.Sleep(ctx, talk.TryEvery)
		return ctx.Err()
	})
}

// wait waits until a question is over or, if parked is set, until the person has left it to the team.
func (b Background) wait(ctx context.Context, id string, parked bool) (talk.End, error) {
	s, err := b.Queue.Await(ctx, id, 0, func(s queue.Session) bool {
		return s.Outcome != nil || parked && s.Parked()
	})
	switch {
	case err != nil:
		return talk.Stopped, err
	case s.Outcome != nil:
		return talk.Over, nil
	}
	return talk.Parked, nil
}
