package desk

import (
	"cmp"
	"reflect"
	"slices"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// Event is something that happened at the desk. A frontend ignores the events that it does not need.
type Event interface{ event() }

type (
	// Changed carries the newest state of a session. Was is the state before; it is the zero Session for a new one.
	Changed struct{ Was, Now queue.Session }
	// Ended is sent once for each session, when the desk first sees that it has ended. Ours says that a view of this
	// desk ended the session.
	Ended struct {
		Session queue.Session
		Ours    bool
	}
	// Left says that a session is no longer live: it was moved to the archive.
	Left struct{ ID string }
	// Ordered says that the order of the pending questions, or who is present, was computed again.
	Ordered struct{}
	// Stored carries a session after the store has confirmed an answer or a cancel from this desk.
	Stored struct{ Session queue.Session }
	// NotStored reports an answer that the store refused or could not take. If Again is set, the desk tries it again;
	// otherwise the question stays as it was.
	NotStored struct {
		ID    string
		Err   error
		Again bool
	}
	// NotMoved reports that a deadline could not be moved.
	NotMoved struct {
		ID  string
		Err error
	}
	// NotLater reports that a question could not be set aside.
	NotLater struct {
		ID  string
		Err error
	}
	// DraftTaken says that a draft from elsewhere replaced the content of a form at this view.
	DraftTaken struct {
		View *View
		ID   string
	}
	// Drafted carries a draft of this person's that another process saved.
	Drafted struct{ Draft queue.Draft }
	// Shown says that a view shows another question. If ID is empty it shows none.
	Shown struct {
		View *View
		ID   string
	}
	// Finished says that the session which the desk was opened on has ended, and that the view may be closed.
	Finished struct{}
	// Remembered carries a session that was asked and settled today, before this desk started.
	Remembered struct{ Session queue.Session }
	// Present lists the processes that run now.
	Present struct{ List []queue.Presence }
	// SettingsChanged says that other settings are in force.
	SettingsChanged struct{}
	// Troubled says that a fault began or ended; see Desk.Trouble.
	Troubled struct{}
	// SetAside reports a file of the queue that could not be read and was set aside.
	SetAside struct{ Broken queue.Broken }
)

func (Changed) event()         {}
func (Ended) event()           {}
func (Left) event()            {}
func (Ordered) event()         {}
func (Stored) event()          {}
func (NotStored) event()       {}
func (NotMoved) event()        {}
func (NotLater) event()        {}
func (DraftTaken) event()      {}
func (Drafted) event()         {}
func (Shown) event()           {}
func (Finished) event()        {}
func (Remembered) event()      {}
func (Present) event()         {}
func (SettingsChanged) event() {}
func (Troubled) event()        {}
func (SetAside) event()        {}

// news sends the desk's events to its subscribers.
type news struct{ told []*subscriber }

// subscriber is told of every event, or of those of one kind.
type subscriber struct {
	hear func(Event)
	kind reflect.Type // nil: every kind
}

// Subscribe calls f with every event, in order, on the owner's goroutine, until the owner calls stop.
func (n *news) Subscribe(f func(Event)) (stop func()) { return n.addSubscriber(&subscriber{hear: f}) }

// Hear calls f with every event of one kind, as Subscribe does. Whoever needs only a few kinds uses it, and is not
// passed by the others.
func Hear[E Event](d *Desk, f func(E)) (stop func()) {
	return d.addSubscriber(&subscriber{hear: func(e Event) { f(e.(E)) }, kind: reflect.TypeFor[E]()})
}

// addSubscriber adds a subscriber until stop is called.
func (n *news) addSubscriber(s *subscriber) (stop func()) {
	n.told = append(n.told, s)
	return func() {
		n.told = slices.DeleteFunc(slices.Clone(n.told), func(told *subscriber) bool { return told == s })
	}
}

// tell calls every subscriber to this kind of event.
func (n *news) tell(e Event) {
	kind := reflect.TypeOf(e)
	for _, s := range n.told {
		if s.kind == nil || s.kind == kind {
			s.hear(e)
		}
	}
}

// inbox collects functions that other goroutines leave for the owner, and signals on a channel that there are some.
type inbox struct {
	mu   sync.Mutex
	list []func()
	bell chan struct{}
}

// Do leaves f to be run by the owner soon. Any goroutine may call it, and it never waits.
func (i *inbox) Do(f func()) {
	i.mu.Lock()
	i.list = append(i.list, f)
	i.mu.Unlock()
	select {
	case i.bell <- struct{}{}:
	default:
	}
}

// Bell returns the channel that receives a value when Drain has something to do. It holds one value, so a burst of
// calls of Do leads to one Drain.
func (i *inbox) Bell() <-chan struct{} { return i.bell }

// Drain runs the functions that Do received. Only the owner may call it.
func (i *inbox) Drain() {
	i.mu.Lock()
	list := i.list
	i.list = nil
	i.mu.Unlock()
	for _, f := range list {
		f()
	}
}

// Trouble lists the present faults that have nothing to do with the person's keys.
type Trouble struct {
	Queue  error             // why the queue cannot be read; nil: it can be read
	Draft  error             // why drafts cannot be saved; nil: they can be saved
	Disk   bool              // the disk does not answer: much work has come in since the worker last finished a piece
	Broken *queue.Broken     // the last file that could not be read and was set aside
	Hosts  []queue.HostState // the other hosts that are not connected
}

// faults keeps the present faults, and sends an event when they change.
type faults struct {
	trouble Trouble
	// at a desk that was opened on one session: why the rest of the queue cannot be read
	beside   error
	news     *news
	worklist *worklist
}

// Trouble returns the present faults.
func (f *faults) Trouble() Trouble {
	t := f.trouble
	t.Disk = f.worklist.stuck()
	if t.Queue == nil {
		t.Queue = f.beside
	}
	return t
}

// noteWatch notes whether reading the queue failed.
func (f *faults) noteWatch(b batch) {
	if b.from.beside {
		f.noteFault(&f.beside, b.err)
		return
	}
	f.noteFault(&f.trouble.Queue, b.err)
}

// noteDraft notes whether saving a draft failed; nil: it succeeded.
func (f *faults) noteDraft(err error) { f.noteFault(&f.trouble.Draft, err) }

// noteFault replaces a fault by its new state; nil: it is over.
func (f *faults) noteFault(of *error, now error) {
	was := *of
	if *of = now; was != nil || now != nil {
		f.news.tell(Troubled{})
	}
}

// noteBroken notes a file of the queue that could not be read and was set aside.
func (f *faults) noteBroken(b queue.Broken) {
	f.trouble.Broken = &b
	f.news.tell(SetAside{b})
}

// noteHost notes whether another host is connected.
func (f *faults) noteHost(now queue.HostState) {
	was := len(f.trouble.Hosts)
	isIt := func(s queue.HostState) bool { return s.Host == now.Host }
	others := slices.DeleteFunc(slices.Clone(f.trouble.Hosts), isIt)
	if !now.Connected {
		others = append(others, now)
		slices.SortFunc(others, func(a, b queue.HostState) int { return cmp.Compare(a.Host, b.Host) })
	}
	if f.trouble.Hosts = others; was+len(others) > 0 {
		f.news.tell(Troubled{})
	}
}
