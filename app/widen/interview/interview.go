// Package interview asks the questions of a file one after the other, each as a session of its own that any face may
// answer, and writes down what came of them.
//
//	FILE ─► Load ─► for each: id kept ─► session created ─► Face.Ask ─► outcome ─► answers.yaml.partial ─► collected
//	                                                          └─ parked ─┐
//	               answers.yaml, decisions.json ◄── all have an outcome ◄── Face.Pass, one after the other
//
// The partial file always lists the decisions so far and the sessions under way, so that an interview that was left or
// killed continues where it was: an answer that was given is taken from its session, and nothing is asked twice.
package interview

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/widen/talk"
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

// Face shows a question and waits until it is over, parked, or the person leaves.
type Face interface {
	Ask(ctx context.Context, session string) (talk.End, error)
	// BeginPass says that so many questions are still with the team, and Pass reviews one of them.
	BeginPass(n int)
	Pass(ctx context.Context, session string, n, of int) (talk.End, error)
	// Outlast does something at the queue, and again for as long as the queue's server is away. It says so where nobody
	// else does, and fails with context.Canceled where the person does not wait.
	Outlast(ctx context.Context, do func() error) error
}

// Options holds an interview's settings.
type Options struct {
	Queue   *queue.Queue
	Face    Face
	File    File
	Answers string // where the answers go
	Force   bool   // answers that are there may be overwritten
	Origin  queue.Origin
}

// Result reports an interview so far. Answers and Decisions are paths, empty while it is not finished.
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

// ErrStopped means that the interview was left; what was answered lies in the partial file.
var ErrStopped = errors.New("the interview was left")

// Interview runs once over a file. It belongs to one goroutine.
type Interview struct {
	o     Options
	claim queue.Claim
	state state
	held  *os.File // the file, locked
	open  []string // sessions that are decided and could not be closed, since the queue's server was away
}

// Open reads what was answered before, and keeps other processes from the same file until Close. It refuses answers
// that would be overwritten.
func Open(o Options) (*Interview, error) {
	r := &Interview{o: o, claim: queue.Claim{Instance: o.Origin.Instance, Conn: clientName}}
	if err := r.hold(); err != nil {
		return nil, err
	}
	var found bool
	var err error
	if r.state, found, err = readState(r.partial(), o.File.Mission); err != nil {
		r.Close()
		return nil, err
	}
	if r.state.Sessions == nil {
		r.state.Sessions = map[string]string{}
	}
	if r.state.Asked == nil {
		r.state.Asked = map[string]string{}
	}
	r.state.dropChanged(o.File)
	if err := r.mayWrite(found); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// hold locks the file; the kernel lets go of it when the process dies.
func (r *Interview) hold() error {
	f, err := os.Open(r.o.File.Path)
	if err != nil {
		return err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return errors.New(underWay(r.o.File.Path))
		}
		return fmt.Errorf("failed to lock the interview: %w", err)
	}
	r.held = f
	return nil
}

// underWay says that another process asks the same questions.
func underWay(file string) string {
	return "another choicetui asks the questions of " + say.OneLine(file) + " at this moment"
}

// Close lets other processes have the file.
func (r *Interview) Close() {
	if r.held != nil {
		_ = r.held.Close()
		r.held = nil
	}
}

// mayWrite refuses to overwrite what a finished interview left. Where all was answered, the files are the work of a run
// that was killed while it wrote them.
func (r *Interview) mayWrite(resumed bool) error {
	if r.o.Force || resumed && r.complete() {
		return nil
	}
	for _, path := range []string{r.o.Answers, r.decisions()} {
		if _, err := os.Lstat(path); err == nil {
			return errors.New(say.OneLine(path) + " is there already; --force overwrites it")
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (r *Interview) complete() bool {
	for _, q := range r.o.File.Questions {
		if _, ok := r.state.decided(q.ID); !ok {
			return false
		}
	}
	return true
}

func (r *Interview) partial() string { return r.o.Answers + PartialEnd }
func (r *Interview) decisions() string {
	return filepath.Join(filepath.Dir(r.o.Answers), DecisionsName)
}

// Run asks what is not decided yet. It fails with ErrStopped when the person leaves; the result counts all the same.
func (r *Interview) Run(ctx context.Context) (Result, error) {
	if err := r.save(); err != nil { // a place that cannot be written is known before anything is asked
		return r.result(Stopped), err
	}
	err := r.all(ctx)
	if err == nil {
		err = r.finish()
	}
	if err != nil {
		return r.result(Stopped), err
	}
	return r.result(Finished), nil
}

// all asks every question, and then what the team still has.
func (r *Interview) all(ctx context.Context) error {
	var parked []Question
	for _, q := range r.o.File.Questions {
		decided, err := r.one(ctx, q, r.o.Face.Ask)
		if err != nil {
			return err
		}
		if !decided {
			parked = append(parked, q)
		}
	}
	if parked = r.stillPending(ctx, parked); len(parked) > 0 {
		r.o.Face.BeginPass(len(parked))
	}
	for i, q := range parked {
		pass := func(ctx context.Context, session string) (talk.End, error) {
			return r.o.Face.Pass(ctx, session, i+1, len(parked))
		}
		for decided := false; !decided; {
			var err error
			if decided, err = r.one(ctx, q, pass); err != nil {
				return err
			}
		}
	}
	return nil
}

// stillPending leaves out what was decided elsewhere meanwhile.
func (r *Interview) stillPending(ctx context.Context, parked []Question) (rest []Question) {
	for _, q := range parked {
		s, err := r.o.Queue.Store.Get(ctx, r.state.Sessions[q.ID])
		if _, decided := decisionOf(q.ID, s); err == nil && decided && r.record(ctx, q, s) == nil {
			continue
		}
		rest = append(rest, q)
	}
	return rest
}

// one asks a question until it is decided, which it reports, or parked.
func (r *Interview) one(ctx context.Context, q Question,
	ask func(context.Context, string) (talk.End, error)) (decided bool, err error) {
	for {
		if _, ok := r.state.decided(q.ID); ok {
			return true, nil
		}
		var s queue.Session
		err := r.o.Face.Outlast(ctx, func() (err error) {
			s, err = r.session(ctx, q)
			return err
		})
		if err != nil {
			return false, err
		}
		if s.Outcome != nil {
			if err := r.record(ctx, q, s); err != nil {
				return false, err
			}
			continue
		}
		if err := r.list(ctx, s); err != nil {
			return false, err
		}
		end, err := ask(ctx, s.ID)
		switch {
		case errors.Is(err, queue.ErrNotFound): // its directory is gone: it is asked again
			delete(r.state.Sessions, q.ID)
		case err != nil:
			return false, err
		case end == talk.Stopped:
			return false, ErrStopped
		case end == talk.Parked:
			if s, err = r.o.Queue.Store.Get(ctx, s.ID); err == nil {
				err = r.list(ctx, s)
			}
			return false, ignoring(err, queue.ErrNotFound, queue.ErrUnreachable) // the pass looks again
		}
	}
}

// record keeps what came of a question, and only then closes its session.
func (r *Interview) record(ctx context.Context, q Question, s queue.Session) error {
	d, ok := decisionOf(q.ID, s)
	if !ok {
		return r.endless(ctx, q, s)
	}
	r.state.Decisions = append(r.state.Decisions, d)
	r.state.Asked[q.ID] = wordingOf(q.Ask())
	delete(r.state.Sessions, q.ID)
	if err := errors.Join(r.save(), r.list(ctx, s)); err != nil {
		return err
	}
	r.collect(ctx, s.ID)
	return nil
}

// ignoring returns an error unless it is one of those that are expected.
func ignoring(err error, expected ...error) error {
	if slices.ContainsFunc(expected, func(e error) bool { return errors.Is(err, e) }) {
		return nil
	}
	return err
}

func (r *Interview) save() error {
	out, err := marshal(r.state)
	if err != nil {
		return err
	}
	return writeFile(r.partial(), out)
}

// finish writes the decisions, then the answers, and then lets go of the partial file.
func (r *Interview) finish() error {
	decisions, err := decisionsText(r.o.File, r.state)
	if err != nil {
		return err
	}
	answers, err := answersText(r.o.File, r.state)
	if err != nil {
		return err
	}
	if err := errors.Join(writeFile(r.decisions(), decisions), writeFile(r.o.Answers, answers)); err != nil {
		return err
	}
	return os.Remove(r.partial())
}

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
		res.Answers, res.Decisions = r.o.Answers, r.decisions()
	} else {
		res.Partial = r.partial()
	}
	return res
}

// Background leaves the questions to other faces, such as a dashboard, and waits for what is done with them.
type Background struct {
	Queue *queue.Queue
	Ends  func() // told once, when only what is with the team is left; nil: nobody is
}

// Ask waits until a question is over or parked.
func (b Background) Ask(ctx context.Context, session string) (talk.End, error) {
	return b.wait(ctx, session, true)
}

// BeginPass says that it began: a dashboard shows how many are left.
func (b Background) BeginPass(int) {
	if b.Ends != nil {
		b.Ends()
	}
}

// Pass waits until a question is over.
func (b Background) Pass(ctx context.Context, session string, _, _ int) (talk.End, error) {
	return b.wait(ctx, session, false)
}

// Outlast says nothing: the faces do that have the questions.
func (b Background) Outlast(ctx context.Context, do func() error) error {
	return talk.Outlast(do, func(error) error { return talk.AwaitTry(ctx) })
}

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
