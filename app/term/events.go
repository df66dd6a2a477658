package term

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"
)

// bulk is how many keys may wait to be handled. A person never types so many ahead: more come from a program or a
// broken connection, and each would cost a frame.
const bulk = 256

// The end of so much text is bundled too, although it is less.
const (
	rest     = 8
	restTime = 200 * time.Millisecond
)

// events is an unlimited queue between tcell and tview. tcell's own queue holds 256 events and tview's 100. If both are
// full while tview's loop is in Suspend or Stop, tcell waits for its own reader, and none of them ever returns.
type events struct {
	mu   *sync.Mutex
	some *sync.Cond
	list []tcell.Event
	over bool

	lastKey time.Time // when the last key was read
	flood   flood
	stops   []time.Time                   // when each Ctrl-C was read that tcell has not passed on yet
	readAt  map[*tcell.EventKey]time.Time // when each Ctrl-C was read that was not handled yet
	handed  int                           // how many keys were handed out, but for those of pastes
	taken   int                           // how many of them were taken; see keyTaken
	pasting bool                          // the last paste event that was handed out began a paste
	bundled time.Time                     // when text was last bundled
}

func newEvents() events {
	mu := new(sync.Mutex)
	return events{mu: mu, some: sync.NewCond(mu), readAt: map[*tcell.EventKey]time.Time{}}
}

// pushEvent adds an event to the queue. If many keys wait, Ctrl-C discards them, as it does in a shell: somebody who
// presses it does not want to wait for them.
func (e *events) pushEvent(event tcell.Event) {
	e.mu.Lock()
	if key, ok := event.(*tcell.EventKey); ok {
		if key.Key() == tcell.KeyCtrlC && len(e.list) > bulk {
			e.discardKeys()
		}
		if key.Key() == tcell.KeyCtrlC && len(e.stops) > 0 {
			e.readAt[key], e.stops = e.stops[0], e.stops[1:]
		}
		e.lastKey = key.When()
		e.flood.note(e.lastKey)
	}
	e.list = append(e.list, event)
	e.mu.Unlock()
	e.some.Signal()
}

// noteStop notes that Ctrl-C was read.
func (e *events) noteStop(at time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stops = append(e.stops, at)
}

// ReadAt returns when a key was read that is handled now. Behind much input tcell passes a key on much later than it
// was read; for Ctrl-C, with which somebody ends that, it is known when that was.
func (e *events) ReadAt(key *tcell.EventKey) time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	at, isStop := e.readAt[key]
	if delete(e.readAt, key); !isStop || at.After(key.When()) || key.When().Sub(at) > mostLate {
		return key.When()
	}
	return at
}

// mostLate is how late tcell passes a key on at most. An older time belongs to a key that tcell has not passed on at
// all.
const mostLate = 5 * time.Second

// close ends the queue: from then on nextEvent returns nil.
func (e *events) close() {
	e.mu.Lock()
	e.over = true
	e.mu.Unlock()
	e.some.Broadcast()
}

// nextEvent waits for an event, and returns nil once the screen is finished.
func (e *events) nextEvent() tcell.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.list) == 0 && !e.over {
		e.some.Wait()
	}
	if e.over {
		return nil
	}
	if len(e.list) >= rest && !e.pasting {
		e.bundleText()
	}
	event := e.list[0]
	switch event := event.(type) {
	case *tcell.EventPaste:
		e.pasting = event.Start()
	case *tcell.EventKey:
		if !e.pasting {
			e.handed++
		}
	}
	if e.list = e.list[1:]; len(e.list) == 0 {
		e.list = nil // frees the array after a big paste
	}
	return event
}

// flood notices keys that come faster than anybody types, and without a look at the screen between two.
type flood struct {
	from   time.Time // when the present span began
	keys   int       // how many keys came in it
	frames int       // how many frames were sent in it
	was    bool      // the span before was one of a flood
}

// A flood has at least so many keys in such a time, and so many for each frame.
const (
	floodKeys  = 16
	floodSpan  = 16 * time.Millisecond
	floodFrame = 4
)

// note notes a key.
func (f *flood) note(at time.Time) {
	switch since := at.Sub(f.from); {
	case since < floodSpan:
		f.keys++
		return
	case since < 2*floodSpan:
		f.was = f.isOn()
	default:
		f.was = false
	}
	f.from, f.keys, f.frames = at, 1, 0
}

// isOn reports whether the present span is one of a flood.
func (f *flood) isOn() bool { return f.keys >= floodKeys && f.keys >= floodFrame*f.frames }

// floods reports whether keys come in a flood.
func (e *events) floods() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.flood.was || e.flood.isOn()
}

// noteFrame notes that a frame is sent.
func (e *events) noteFrame() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flood.frames++
}

// keyTaken notes that the program begins to carry out a key.
func (e *events) keyTaken() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.taken++
}

// keyWaits reports whether a key waits to be handled, so that a frame follows.
func (e *events) keyWaits() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.handed > e.taken {
		return true
	}
	if len(e.list) == 0 || e.pasting {
		return false
	}
	_, isKey := e.list[0].(*tcell.EventKey)
	return isKey
}

// LastKey returns when the last key was read, which may be waiting to be handled. Pasted text counts too.
func (e *events) LastKey() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.lastKey
}

// discardKeys removes the keys that wait, but for pasted text and Ctrl-C: two of those end the program. The caller
// holds mu.
func (e *events) discardKeys() {
	pasting := e.pasting
	e.list = slices.DeleteFunc(e.list, func(event tcell.Event) bool {
		switch event := event.(type) {
		case *tcell.EventPaste:
			pasting = event.Start()
		case *tcell.EventKey:
			return !pasting && event.Key() != tcell.KeyCtrlC
		}
		return false
	})
}

// bundleText turns a lot of text at the head of the queue into a paste: a paste is one change and one frame. Line feeds
// belong to the text. The caller holds mu.
func (e *events) bundleText() {
	n := 0
	for n < len(e.list) && isText(e.list[n]) {
		n++
	}
	now := time.Now()
	if n >= bulk || n >= rest && now.Sub(e.bundled) < restTime {
		e.bundled = now
		for i, event := range e.list[:n] {
			if event.(*tcell.EventKey).Key() == tcell.KeyCtrlJ { // tview drops it in a paste
				e.list[i] = tcell.NewEventKey(tcell.KeyEnter, 0, tcell.ModNone)
			}
		}
		e.list = slices.Insert(e.list, n, tcell.Event(tcell.NewEventPaste(false)))
		e.list = slices.Insert(e.list, 0, tcell.Event(tcell.NewEventPaste(true)))
	}
}

// isText reports whether an event is a character without modifiers, or a line feed.
func isText(event tcell.Event) bool {
	key, ok := event.(*tcell.EventKey)
	return ok && (key.Key() == tcell.KeyRune && key.Modifiers() == tcell.ModNone || key.Key() == tcell.KeyCtrlJ)
}

// PollEvent waits for the next event, and returns nil once the screen is finished.
func (e *events) PollEvent() tcell.Event { return e.nextEvent() }

// HasPendingEvent reports whether PollEvent would return at once.
func (e *events) HasPendingEvent() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.list) > 0
}

// PostEvent queues an event; it never fails.
func (e *events) PostEvent(event tcell.Event) error {
	e.pushEvent(event)
	return nil
}

// PostEventWait queues an event; it never waits, because the queue has no limit.
func (e *events) PostEventWait(event tcell.Event) { e.pushEvent(event) }

// ChannelEvents sends the events to a channel until the screen is finished or quit is closed.
func (e *events) ChannelEvents(to chan<- tcell.Event, quit <-chan struct{}) {
	defer close(to)
	for {
		event := e.PollEvent()
		if event == nil {
			return
		}
		select {
		case to <- event:
		case <-quit:
			return
		}
	}
}

// focus records what the terminal last reported about its focus.
type focus struct {
	state  atomic.Int32 // 0: unknown, 1: focused, 2: not focused
	asked  atomic.Int64 // when reports were last asked for, in Unix nanoseconds
	gained atomic.Int64 // when the terminal reported that it got the focus, in Unix nanoseconds; 0: it does not have it
}

// answers is how soon after reports were asked for a terminal may report the focus only because it was asked.
const answers = time.Second

// Focus reports whether the person looks at this pane; known is false until the terminal has said anything (tmux
// says it only with focus-events on).
func (f *focus) Focus() (focused, known bool) {
	state := f.state.Load()
	return state != 2, state != 0
}

// FocusGained returns when the terminal last reported that it got the focus because the person went there; zero: never,
// or it has reported since that it lost the focus.
func (f *focus) FocusGained() time.Time {
	at := f.gained.Load()
	if at == 0 {
		return time.Time{}
	}
	return time.Unix(0, at)
}

// ask notes that reports about the focus are asked for now.
func (f *focus) ask() { f.asked.Store(time.Now().UnixNano()) }

// set records a report of the terminal about its focus, at the time of the report. It reports whether the terminal got
// the focus because the person went there.
func (f *focus) set(focused bool, at time.Time) (gained bool) {
	state := int32(2)
	if focused {
		state = 1
	}
	f.state.Store(state)
	if !focused {
		f.gained.Store(0)
	}
	if gained = focused && at.Sub(time.Unix(0, f.asked.Load())) >= answers; gained {
		f.gained.Store(at.UnixNano())
	}
	return gained
}

// paste repairs bracketed pastes for tview 0.42, which drops line feeds in them. The filter ends a paste whose end got
// lost.
type paste struct {
	on bool // a paste is under way
	cr bool // the last key was a carriage return
}

// repairEvent returns the event that tview should receive in place of event; nil: none.
func (p *paste) repairEvent(event tcell.Event) tcell.Event {
	switch event := event.(type) {
	case *tcell.EventPaste:
		p.on, p.cr = event.Start(), false
	case *tcell.EventKey:
		if p.on {
			return p.repairKey(event)
		}
	}
	return event
}

// repairKey returns the event for a key within a paste.
func (p *paste) repairKey(event *tcell.EventKey) tcell.Event {
	after := p.cr
	p.cr = event.Key() == tcell.KeyEnter
	switch key := event.Key(); {
	case key == tcell.KeyCtrlJ && after:
		return nil // CR LF ends one line, not two
	case key == tcell.KeyCtrlJ:
		return tcell.NewEventKey(tcell.KeyEnter, 0, tcell.ModNone)
	}
	return event
}
