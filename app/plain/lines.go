package plain

import (
	"context"
	"io"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/widen"
)

// Settings is what the plain mode needs of the settings file.
type Settings interface {
	desk.Settings
	Err() error // what is wrong with the file; nil: nothing
	Update(func(*config.Settings)) error
}

// Options say what the plain mode runs on.
type Options struct {
	Queue    *queue.Queue
	Settings Settings
	Instance string // this process's Presence
	Attach   string // the one session of a hand-off; empty: the whole queue
	Pane     string // this process's tmux pane
	Aside    int    // so many files of the queue were set aside before, since they cannot be read
	Home     string // shown as ~
	In       io.Reader
	Out      io.Writer
	Typed    bool                             // In is a terminal: a person types the lines
	Rings    bool                             // Out is a terminal, which has a bell
	Alerts   func(desk.AlertWays) desk.Alerts // tells a person who has not typed for a while
	ASCII    bool                             // Out shows nothing else
	Width    func() int                       // cells of a row of Out; nil: rows have no end

	Team  widen.Team    // asks the team about a question; nil: there is no way to it
	Rules desk.Rulebook // the person's rules; nil: none is applied

	// Discuss has the conversation about a question and the team that deed.AskTeam, Fetch or Defer begins, until it is
	// over. Its error says what kept the person from it. nil: there are none.
	Discuss func(ctx context.Context, about deed.Action, session string, on Exchange) error

	// Browse shows a question in the browser, the front page without one. Where no browser opens, the link lets the
	// person in, once. nil: there are no pages.
	Browse func(ctx context.Context, session string) (link string, opened bool, err error)
}

// Result is how it ended.
type Result struct {
	Session queue.Session // of a hand-off, as last seen
	Left    bool          // the person left without an answer
}

// Lines is one plain dashboard: a face over a seat. Only its own loop touches it.
type Lines struct {
	*voice
	o      Options
	news   *news
	answer *answering
	team   *discussing

	closing time.Time // the input ended; at this time at the latest it closes
	over    bool      // nothing more is read or written
	left    bool      // the person left without an answer
	failed  error
}

// New is a dashboard that has seen nothing of the queue yet.
func New(o Options) *Lines {
	d := desk.New(desk.Options{Queue: o.Queue, Settings: o.Settings, Instance: o.Instance,
		Attach: o.Attach, Alone: o.Attach != "", Pane: o.Pane, Rules: o.Rules, Team: o.Team})
	seat := d.Seat(desk.SeatOptions{Frames: true, Script: !o.Typed, Unguarded: !o.Typed && o.Attach != ""})
	v := &voice{printer: printer{out: o.Out, ascii: o.ASCII, width: o.Width}, desk: d, seat: seat,
		words: newVocabulary(d.Settings()), home: o.Home, complaints: map[string]time.Time{}}
	l := &Lines{voice: v, o: o, answer: &answering{voice: v, untyped: !o.Typed, settings: o.Settings}}
	l.answer.hand = deed.NewHand(seat, l.answer)
	l.team = &discussing{voice: v, have: o.Discuss, gate: newGate(), ctx: context.Background(), over: l.discussed}
	l.news = &news{voice: v, alerts: o.Alerts(l.alertWays()), told: map[string]bool{}, sent: map[string]string{}}
	d.Subscribe(l.happened)
	return l
}

// alertWays is how the person is told of what is new, beside the lines: by the bell of a terminal, or a command.
func (l *Lines) alertWays() desk.AlertWays {
	ways := desk.AlertWays{Own: l.o.Attach, Do: l.desk.Do, Failed: func(err error) {
		l.desk.Do(func() { l.complain(say.NotifyFailed(err)) })
	}}
	if l.o.Rings {
		ways.Bell = func() error {
			_, err := io.WriteString(l.o.Out, "\a")
			return err
		}
	}
	return ways
}

// happened hears of every event at the desk.
func (l *Lines) happened(e desk.Event) {
	if l.over {
		return
	}
	switch e := e.(type) {
	case desk.Shown:
		l.bringUp()
	case desk.Finished:
		l.over = l.answer.typing == nil
	case desk.DraftTaken:
		if e.ID == l.seat.Up() {
			l.answer.drafted()
		}
	case desk.RoundMoved:
		l.answer.roundMoved()
	case desk.SettingsChanged:
		l.newSettings()
	case desk.Ended:
		l.news.ended(e)
		if e.Session.ID == l.seat.Up() {
			l.answer.takeBack()
		}
	case desk.Troubled:
		l.news.hear(e)
		l.team.offer()
	default:
		l.news.hear(e)
	}
}

// newSettings takes over what the settings file says now.
func (l *Lines) newSettings() {
	l.words = newVocabulary(l.desk.Settings())
	l.news.tellHidden()
	if err := l.o.Settings.Err(); err != nil {
		l.complain("the settings file: " + err.Error())
	}
}

// bringUp writes what the seat has on view, where that is another question than the one written last. While text is
// typed it waits: the lines of the text still go nowhere else.
func (l *Lines) bringUp() {
	id := l.seat.Up()
	if l.answer.typing != nil || l.team.underWay() || id == l.news.view.id {
		return
	}
	l.news.turnTo(id)
	l.answer.takeBack()
	if id == "" {
		return
	}
	l.announce()
	l.news.tellGone()
	l.seat.Guard.Drawn(l.desk.Now())
}

// open brings a question on view because the person wants it: a line that follows is meant for it.
func (l *Lines) open(id string) {
	l.answer.takeBack()
	l.news.turnTo("") // it is written again where it is on view already
	l.seat.Show(id)
	l.seat.BroughtUp()
	l.bringUp()
}

// discussed continues after a conversation about a question: it writes the question on view again.
func (l *Lines) discussed() {
	if l.over {
		return
	}
	l.news.turnTo("")
	l.answer.takeBack()
	l.seat.CameUp()
	if l.team.closed {
		l.inputEnded()
	}
}

// giveWay takes a question that is over from the view. The seat leaves it there, as a screen shows how it ended; the
// lines have told that.
func (l *Lines) giveWay() {
	if _, pending := l.seat.Pending(); !pending && l.answer.typing == nil {
		l.seat.Leave()
	}
}
