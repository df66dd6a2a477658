// Package relay lets a dashboard show and answer the questions in another host's queue. Over ssh, `docker exec` or any
// other command it starts `choicetui relay` on that host, and the two talk over stdin and stdout:
//
//	here                                      there
//	the desk ── Link (a queue.Store) ── pipe ── Serve ── the host's queue
//	                 │ requests ─►                 │ Queue.Do, by the host's own clock and rules
//	                 │ ◄─ answers, changes         └ its watch
//
// The relay accepts commands, not documents: Serve carries them out on its own queue, so a broken link loses nothing
// and nothing is done twice. It answers only the requests in the list at Serve, and accepts no file name and no shell
// text.
//
// A frame is one line of JSON, at most mostFrame bytes long. The host begins with a line that starts with Greeting;
// Link skips everything that a login shell prints before it. Link treats everything that a host sends as hostile: it
// limits the sizes, checks documents like files of the queue, and puts the host's name before every id and instance
// (HOST/ID, HOST/INSTANCE), so that a host cannot change sessions of others. A host sends times of its own clock, and
// Link converts them to this machine's clock.
package relay

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Version is the version of the protocol. The host refuses a dashboard with another version, and a dashboard refuses a
// host with an older one.
const Version = 1

// Greeting is the beginning of the host's first line.
const Greeting = "choicetui-relay "

const (
	mostNoise  = 256 << 10 // the most bytes that may come before the greeting
	mostFrame  = 8 << 20   // the most bytes of a frame; a session takes at most queue.MaxSessionBytes
	mostLive   = 20000     // the most sessions, drafts and processes of a host that are kept
	mostBytes  = 32 << 20  // the most memory that the sessions and drafts of all hosts together may take
	perSession = 4 << 10   // what a session takes beside its text, here and in the dashboard (BenchmarkFlood)
	mostDraft  = 1 << 20   // the most bytes of a draft that a dashboard sends
	mostDrafts = 64        // the most drafts of one session that dashboards of other machines may have
	mostPages  = 500       // the most sessions on a page of the history
	mostErrors = 300       // the most characters of an error's text
)

// hello is the host's greeting, and the first request of the dashboard.
type hello struct {
	Version  int    `json:"version"`
	Program  string `json:"program,omitempty"`  // the version of choicetui
	Instance string `json:"instance,omitempty"` // the dashboard's instance; only in the request
	Role     string `json:"role,omitempty"`     // its role on the host; only in the request. Empty: queue.RoleDashboard
}

// request is one request of the dashboard; Serve lists them.
type request struct {
	N    uint64          `json:"n"`              // number of the request, which the answer repeats
	Do   string          `json:"do"`             // name of the request
	With json.RawMessage `json:"with,omitempty"` // parameters
}

// frame is one message of the host: the answer to a request, or changes of its queue.
type frame struct {
	Now     time.Time       `json:"now"`          // time by the host's clock
	Re      uint64          `json:"re,omitempty"` // number of the answered request; 0: none
	Error   *fault          `json:"error,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Changes *changes        `json:"changes,omitempty"`
}

// changes is a part of one batch of the host's watch.
type changes struct {
	Sessions []json.RawMessage `json:"sessions,omitempty"`
	Drafts   []queue.Draft     `json:"drafts,omitempty"`
	Gone     []string          `json:"gone,omitempty"`
	Present  *[]queue.Presence `json:"present,omitempty"` // nil: unchanged
	First    bool              `json:"first,omitempty"`   // the batch contains everything that is live
	More     bool              `json:"more,omitempty"`    // the batch continues in the next frame
}

// fault is an error in the form in which the host sends it.
type fault struct {
	Code     string          `json:"code,omitempty"` // a name in coded, invalid or doubt; empty: another error
	Text     string          `json:"text"`
	Problems []queue.Problem `json:"problems,omitempty"` // the problems of a *queue.Invalid
}

// coded lists, by their codes, the errors that the dashboard can match with errors.Is.
var coded = map[string]error{
	"exists": queue.ErrExists, "not_found": queue.ErrNotFound, "conflict": queue.ErrConflict, "newer": queue.ErrNewer,
	"settled": queue.ErrSettled, "used": queue.ErrUsed, "final": queue.ErrFinal, "full": queue.ErrFull,
	"pending": queue.ErrPending, "not_due": queue.ErrNotDue, "in_doubt": queue.ErrInDoubt,
	"refused": queue.ErrRefused, "unreachable": queue.ErrUnreachable,
	"later_approval": queue.ErrLaterApproval, "later_call": queue.ErrLaterCall, "later_stopped": queue.ErrLaterStopped,
	"widened": queue.ErrWidened, "widen_approval": queue.ErrWidenApproval, "widen_call": queue.ErrWidenCall,
	"not_widened": queue.ErrNotWidened, "no_summary": queue.ErrNoSummary, "not_deferred": queue.ErrNotDeferred,
}

// faultOf returns the fault for an error; nil for nil.
func faultOf(err error) *fault {
	if err == nil {
		return nil
	}
	f := &fault{Text: err.Error()}
	var bad *queue.Invalid
	var unsure *queue.Doubt
	switch {
	case errors.As(err, &bad):
		f.Code, f.Problems = "invalid", bad.Problems
	case errors.As(err, &unsure):
		f.Code = "doubt"
	default:
		for code, is := range coded {
			if errors.Is(err, is) {
				f.Code = code
			}
		}
		var system syscall.Errno
		if f.Code == "" && errors.As(err, &system) {
			f.Text = system.Error() // without the paths, which are the host's
		}
	}
	return f
}

// remoteError is an error that happened on another host.
type remoteError struct {
	text string
	is   error // the error of coded that it matches; nil: only the text is known
}

func (e *remoteError) Error() string { return e.text }
func (e *remoteError) Unwrap() error { return e.is }

// err returns the error that a fault stands for; nil for nil.
func (f *fault) err() error {
	if f == nil {
		return nil
	}
	text, _ := queue.VisibleLine(queue.Shorten(f.Text, mostErrors, "…"))
	switch f.Code {
	case "invalid":
		problems := slices.Clone(f.Problems[:min(len(f.Problems), 20)])
		for i, p := range problems {
			for _, part := range []*string{&p.Path, &p.Wrong, &p.Want} {
				*part, _ = queue.VisibleLine(queue.Shorten(*part, mostErrors, "…"))
			}
			problems[i] = p
		}
		return &queue.Invalid{Problems: problems}
	case "doubt":
		return &queue.Doubt{Err: &remoteError{text: text}}
	}
	return &remoteError{text, coded[f.Code]}
}

// order is a queue.Command in the form in which the dashboard sends it.
type order struct {
	ID      string          `json:"id"`
	Surface string          `json:"surface"`
	Do      string          `json:"do"` // the name of the action's type
	With    json.RawMessage `json:"with"`
}

// orders lists the actions that the relay accepts, which are those of a person at a dashboard. Actions of an agent's
// call, of a process of the host or of a permission rule are not accepted.
var orders = []queue.Action{
	queue.Settle{}, queue.Cancel{}, queue.Move{}, queue.Later{}, queue.TimeOut{}, queue.Widen{}, queue.Regroup{},
	queue.AskSummary{}, queue.MissSummary{}, queue.Defer{}, queue.CallTeam{}, queue.LeaveTeam{},
}

// nameOf returns the name of an action's type, such as Settle.
func nameOf(a queue.Action) string { return reflect.TypeOf(a).Name() }

// encodeOrder returns the order for a command, with its times moved by shift to the host's clock. It fails with
// ErrRefused if the relay does not accept the action.
func encodeOrder(c queue.Command, shift time.Duration) (order, error) {
	name := nameOf(c.Do)
	if !slices.ContainsFunc(orders, func(a queue.Action) bool { return nameOf(a) == name }) {
		return order{}, fmt.Errorf("%w: %s is not for another host", queue.ErrRefused, name)
	}
	do := reflect.New(reflect.TypeOf(c.Do))
	do.Elem().Set(reflect.ValueOf(c.Do))
	do = deepCopy(do)
	shiftTimes(do, shift)
	raw, err := json.Marshal(do.Interface())
	return order{ID: c.ID, Surface: c.Surface, Do: name, With: raw}, err
}

// command returns the command of an order. The host, and not the dashboard, sets the party that gives it: the person,
// or the clock for TimeOut.
func (o order) command() (queue.Command, error) {
	at := slices.IndexFunc(orders, func(a queue.Action) bool { return nameOf(a) == o.Do })
	reserved := strings.HasPrefix(o.ID, "rule-") || strings.HasPrefix(o.ID, "clock-") // ids of the host's own commands
	if at < 0 || !queue.ValidInstance(o.ID) || reserved {
		return queue.Command{}, fmt.Errorf("%w: no command %q", queue.ErrRefused, queue.Shorten(o.Do, 40, "…"))
	}
	do := reflect.New(reflect.TypeOf(orders[at]))
	if err := json.Unmarshal(o.With, do.Interface()); err != nil {
		return queue.Command{}, fmt.Errorf("%w: %w", queue.ErrRefused, err)
	}
	c := queue.Command{ID: o.ID, By: queue.ByHuman, Surface: o.Surface, Do: do.Elem().Interface().(queue.Action)}
	if !slices.Contains([]string{queue.SurfaceDashboard, queue.SurfaceCLI, queue.SurfaceWeb}, o.Surface) {
		c.Surface = queue.SurfaceDashboard
	}
	switch a := c.Do.(type) {
	case queue.TimeOut:
		c.By = queue.ByClock
	case queue.Settle:
		if a.Rule != "" {
			return c, fmt.Errorf("%w: a rule holds on its own host", queue.ErrRefused)
		}
	}
	return c, nil
}

var timeType = reflect.TypeFor[time.Time]()

// shiftTimes adds d to every time in the value that v points to. A zero time stays zero, because it means that there is
// no such time.
func shiftTimes(v reflect.Value, d time.Duration) {
	if d == 0 {
		return
	}
	switch v.Kind() { //nolint:exhaustive // no other kind of a document has a time in it
	case reflect.Pointer:
		if !v.IsNil() {
			shiftTimes(v.Elem(), d)
		}
	case reflect.Slice:
		for i := range v.Len() {
			shiftTimes(v.Index(i), d)
		}
	case reflect.Struct:
		if v.Type() == timeType {
			if at := v.Interface().(time.Time); !at.IsZero() && v.CanSet() {
				v.Set(reflect.ValueOf(at.Add(d)))
			}
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				shiftTimes(f, d)
			}
		}
	}
}

// shiftSession adds d to every time of a session, and to those in the details of its events.
func shiftSession(s *queue.Session, d time.Duration) {
	shiftTimes(reflect.ValueOf(s), d)
	for i, e := range s.Events {
		if d == 0 || e.Kind != queue.EventMoved && e.Kind != queue.EventLater { // others hold words of people
			continue
		}
		words := strings.Split(e.Detail, " ")
		for j, word := range words {
			bare := strings.TrimSuffix(word, ",")
			if at, err := time.Parse(time.RFC3339, bare); err == nil {
				words[j] = at.Add(d).UTC().Format(time.RFC3339) + word[len(bare):]
			}
		}
		s.Events[i].Detail = strings.Join(words, " ")
	}
}

// deepCopy returns a pointer to a copy of the value that v points to, which shares no parts with it. If the value
// cannot be encoded as JSON, deepCopy returns v.
func deepCopy(v reflect.Value) reflect.Value {
	raw, err := json.Marshal(v.Interface())
	fresh := reflect.New(v.Type().Elem())
	if err != nil || json.Unmarshal(raw, fresh.Interface()) != nil {
		return v
	}
	return fresh
}

// errTooLong reports a line that exceeds its limit.
var errTooLong = errors.New("it sent a line that is too long")

// readLine reads a line of at most most bytes, without its end.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > most {
			return nil, errTooLong
		}
		if err == nil && line == nil {
			return part[:len(part)-1], nil // valid until the next read; the caller decodes it before
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return nil, err
		default:
			return line[:len(line)-1], nil
		}
	}
}

// writeLine writes a value as one line.
func writeLine(w io.Writer, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}
