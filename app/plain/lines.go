package plain

import (
	"context"
	"io"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Options say how the lines run: what they read and write, and their own ways to the person and the team.
type Options struct {
	desk.Services
	Attach string // the id of the one session that is shown (a hand-off); empty: the whole queue
	In     io.Reader
	Out    io.Writer
	Typed  bool       // In is a terminal: a person types the lines
	Rings  bool       // Out is a terminal, which has a bell
	ASCII  bool       // Out shows only ASCII
	Width  func() int // cells of a row of Out; nil: rows have no end

	// Discuss has the conversation about a question and the team that action.AskTeam, Fetch or Defer begins, until it
	// is over. Its error says what kept the person from it. nil: there are no conversations.
	Discuss func(ctx context.Context, about action.Name, session string, on Exchange) error

	// Count shows the number of pending questions elsewhere; nil: nowhere.
	Count func(n int)

	// Before returns what an agent was doing when it asked; nil: nobody can tell.
	Before func(ctx context.Context, s queue.Session) (say.Before, error)
}

// Lines is one plain dashboard: it reads commands as lines and writes the questions of one view as lines. Only the
// goroutine of its loop touches it.
type Lines struct {
	*voice
	o      Options
	news   *news
	answer *answering
	team   *discussing

	typed   <-chan line // the lines that were read and not handled yet
	closing time.Time   // when to close at the latest; zero: the input has not ended
	over    bool        // whether the lines have ended: nothing more is read or written
	failed  error
}

// New returns a dashboard that has not read the queue yet.
func New(o Options) *Lines {
	d := desk.New(desk.Options{Services: o.Services, Attach: o.Attach, Alone: o.Attach != ""})
	view := d.View(desk.ViewOptions{Frames: true, Script: !o.Typed, Unguarded: !o.Typed && o.Attach != ""})
	v := &voice{printer: printer{out: o.Out, ascii: o.ASCII, width: o.Width}, desk: d, view: view,
		words: newVocabulary(d.Settings()), home: o.Home, complaints: map[string]time.Time{}}
	l := &Lines{voice: v, o: o, answer: &answering{voice: v, untyped: !o.Typed, settings: o.Settings}}
	l.answer.board = action.NewKeyboard(view, l.answer)
	l.team = &discussing{voice: v, converse: o.Discuss, gate: newGate(), ctx: context.Background(), over: l.afterTalk}
	l.news = &news{voice: v, count: o.Count, told: map[string]bool{}, sent: map[string]string{}}
	if o.Alerts != nil {
		l.news.alerts = o.Alerts(l.alertWays())
	}
	d.Subscribe(l.hearEvent)
	return l
}

// alertWays returns the ways to alert the person besides the lines. One of them is the terminal's bell.
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

// hearEvent receives every event of the desk.
func (l *Lines) hearEvent(e desk.Event) {
	if l.over {
		return
	}
	switch e := e.(type) {
	case desk.Shown:
		l.announceNew()
	case desk.Finished:
		l.over = l.answer.typing == nil
	case desk.DraftTaken:
		if e.ID == l.view.Up() {
			l.answer.announceDraft()
		}
	case desk.SettingsChanged:
		l.applySettings()
	case desk.Ended:
		l.news.tellEnd(e)
		if e.Session.ID == l.view.Up() {
			l.answer.withdrawAsked()
		}
	case desk.Troubled:
		l.news.hearEvent(e)
		l.team.offerTeam()
	default:
		l.news.hearEvent(e)
	}
}

// applySettings applies the present settings, and says what is wrong with their file.
func (l *Lines) applySettings() {
	l.words = newVocabulary(l.desk.Settings())
	l.news.tellHidden()
	if err := l.o.Settings.Err(); err != nil {
		l.complain("the settings file: " + err.Error())
	}
}

// announceNew writes the question that the view has on view, unless it is written already. While the person types text,
// or the team is being asked, the question waits.
func (l *Lines) announceNew() {
	id := l.view.Up()
	if l.answer.typing != nil || l.team.underWay() || id == l.news.last.id {
		return
	}
	l.news.turnToQuestion(id)
	l.answer.withdrawAsked()
	if id == "" {
		return
	}
	l.announce()
	l.news.tellGone()
	l.view.Guard.Drawn(l.desk.Now())
}

// openQuestion brings a question on view because the person asked for it, so the next line may answer it.
func (l *Lines) openQuestion(id string) {
	l.answer.withdrawAsked()
	l.news.turnToQuestion("") // so that a question that is on view already is written again
	l.view.Show(id)
	l.view.BroughtUp()
	l.announceNew()
}

// afterTalk has passTime write the question on view again after a conversation with the team. The conversation had the
// lines, so what was asked before it no longer counts.
func (l *Lines) afterTalk() {
	if l.over {
		return
	}
	l.news.turnToQuestion("") // so that the question is written again
	l.answer.withdrawAsked()
	l.view.CameUp()
	if l.team.closed {
		l.inputEnded()
	}
}

// leaveEnded takes a question that has ended from the view. The view would keep it there, because a screen shows how it
// ended; the lines have already said so.
func (l *Lines) leaveEnded() {
	if _, pending := l.view.Pending(); !pending && l.answer.typing == nil {
		l.view.Leave()
	}
}
