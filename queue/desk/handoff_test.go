package desk_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// attach opens a second desk on one session of the queue, as choicetui attach does.
func attach(b *bench, s queue.Session, change func(*desk.Options)) (*bench, *desk.View) {
	b.t.Helper()
	form := newBench(b.t, func(o *desk.Options) {
		o.Queue, o.Attach, o.Instance = b.q, s.ID, "form"
		if change != nil {
			change(o)
		}
	})
	form.q, form.rig.Clock.T = b.q, b.rig.Clock.T
	form.q.Now = func() time.Time { return form.rig.Clock.T }
	_, err := b.q.Do(b.t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceAttach,
		Do: queue.Attach{Instance: "form"}})
	require.NoError(b.t, err)
	form.rig.Watcher, err = b.q.Store.Watch(b.t.Context(), queue.AllNews)
	require.NoError(b.t, err)
	form.TakePresence(append(b.rig.Present, queue.Presence{Instance: "form", Role: queue.RoleAttach}))
	one := view(form)
	form.calm()
	return form, one
}

// elsewhere answers a question in another process.
func elsewhere(b *bench, id string) {
	b.t.Helper()
	_, err := b.q.Do(b.t.Context(), id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}}})
	require.NoError(b.t, err)
	b.calm()
}

func TestAnAttachOpensOnItsQuestionWithTheWholeQueueBehindIt(t *testing.T) {
	b := newBench(t, nil)
	b.ask("Sooner?", 60)
	s := b.ask("Which database?", 300)
	form, one := attach(b, s, nil)
	require.Equal(t, s.ID, one.Up(), "not the top of the queue")
	require.Len(t, form.Waiting(), 2)
	require.Equal(t, queue.StandingOpen, form.Waiting()[1].Standing, "it is attached here, and not elsewhere")
	require.ErrorIs(t, one.Guard.Refuses(desk.Press{Effect: desk.Sending}, form.rig.Clock.T), desk.ErrEarly)
	require.True(t, one.Step(-1))
	require.Equal(t, "Sooner?", one.Session().Ask.Title)
}

func TestAnAnswerToAnotherQuestionOfAnAttachIsTheDashboards(t *testing.T) {
	b := newBench(t, nil)
	other, s := b.ask("Sooner?", 60), b.ask("Which database?", 300)
	b.ask("Still sooner?", 30)
	form, one := attach(b, s, nil)
	one.Show(other.ID)
	require.NoError(t, one.Send())
	form.calm()
	require.Equal(t, queue.SurfaceDashboard, form.stored(other.ID).Outcome.Surface)
	require.Zero(t, happened[desk.Finished](form))
	require.Equal(t, s.ID, one.Up(), "what it was opened on comes first")
	require.NoError(t, one.Send())
	form.calm()
	require.Equal(t, queue.SurfaceAttach, form.stored(s.ID).Outcome.Surface)
	require.NotZero(t, happened[desk.Finished](form), "it leaves at once")
}

func TestAnAttachLeavesAtOnceAfterTheOwnAnswerAlsoFromAnotherQuestion(t *testing.T) {
	b := newBench(t, nil)
	other, s := b.ask("Sooner?", 60), b.ask("Which database?", 300)
	form, one := attach(b, s, nil)
	require.NoError(t, one.Cancel())
	one.Show(other.ID) // before the store has it
	require.Zero(t, happened[desk.Finished](form))
	form.calm()
	require.NotZero(t, happened[desk.Finished](form))
}

func TestAnAttachWhoseQuestionEndedElsewhereLeavesOnceNobodyIsAtIt(t *testing.T) {
	for name, c := range map[string]struct {
		on    string // the question on view: own or other
		typed bool   // a text is being typed in it
		left  bool
	}{
		"on view":                                {"own", false, true},
		"another on view":                        {"other", false, true},
		"with a text in its form":                {"own", true, false},
		"while a text is typed into another one": {"other", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			other, s := b.ask("Sooner?", 60), b.ask("Which database?", 300)
			f, one := attach(b, s, nil)
			if c.on == "other" {
				one.Show(other.ID)
			}
			if c.typed {
				one.Form().Begin(form.FieldComment)
				one.Form().Type("because")
			}
			f.pass(time.Minute / 2)
			one.Pressed(f.rig.Clock.T)
			elsewhere(f, s.ID)
			require.True(t, one.HandOffEnded())
			require.Equal(t, f.rig.Clock.T.Add(2*time.Second), f.NextTick())
			f.pass(1900 * time.Millisecond)
			require.Zero(t, happened[desk.Finished](f))
			one.Pressed(f.rig.Clock.T)
			f.pass(1900 * time.Millisecond)
			require.Zero(t, happened[desk.Finished](f), "a key came since")
			f.pass(200 * time.Millisecond)
			require.Equal(t, c.left, happened[desk.Finished](f) > 0)
			if !c.left {
				require.Equal(t, f.rig.Clock.T.Add(2*time.Second), f.NextTick(), "it looks again")
				one.FinishEnded()
				require.NotZero(t, happened[desk.Finished](f), "Esc leaves")
			}
		})
	}
}

func TestWordsOfADraftFromElsewhereDoNotKeepAnAttachOpenUntilThePersonTakesThemOver(t *testing.T) {
	for name, taken := range map[string]bool{"left as they came": false, "taken over": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			dashboard := view(b)
			s := b.ask("Which database?", 300)
			dashboard.Form().Begin(form.FieldComment)
			dashboard.Form().Type("because")
			dashboard.Form().EndTyping()
			b.typing(dashboard)
			f, one := attach(b, s, nil)
			require.Equal(t, []string{"because"}, one.Form().Typed())
			if taken {
				one.Form().Here().Move(1)
			}
			f.pass(time.Minute / 2)
			elsewhere(f, s.ID)
			f.pass(2 * time.Second)
			require.Equal(t, taken, happened[desk.Finished](f) == 0)
		})
	}
}

func TestWordsOfADraftFromElsewhereDoNotKeepAQuestionThatEndedOnView(t *testing.T) {
	b := newBench(t, nil)
	writes, reads := view(b), view(b)
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	writes.Form().Begin(form.FieldComment)
	writes.Form().Type("because")
	writes.Form().EndTyping()
	b.typing(writes)
	require.Equal(t, []string{"because"}, reads.Form().Typed())
	elsewhere(b, s.ID)
	b.pass(11 * time.Second)
	require.Empty(t, reads.Up(), "nobody wrote these words here")
	require.Equal(t, s.ID, writes.Up(), "its person may want to copy them")
}

func TestAnAttachWhoseTimeRanOutLeaves(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask("Which database?", 10)
	f, _ := attach(b, s, nil)
	f.pass(10*time.Second + time.Millisecond)
	require.Zero(t, happened[desk.Finished](f))
	f.pass(2 * time.Second)
	require.NotZero(t, happened[desk.Finished](f))
	require.Equal(t, queue.StatusTimeout, f.stored(s.ID).Status())
}

func TestAnAttachThatIsFinishedSavesWhatWasTypedIntoAnotherQuestion(t *testing.T) {
	b := newBench(t, nil)
	other, s := b.ask("Sooner?", 60), b.ask("Which database?", 300)
	f, one := attach(b, s, nil)
	one.Show(other.ID)
	one.Form().Begin(form.FieldComment)
	one.Form().Type("because")
	one.Form().EndTyping()
	one.DraftSoon()
	elsewhere(f, s.ID)
	f.pass(2 * time.Second)
	require.NotZero(t, happened[desk.Finished](f))
	one.SaveDraft() // like Close
	f.calm()
	drafts, err := f.q.Store.Drafts(t.Context(), other.ID)
	require.NoError(t, err)
	require.Len(t, drafts, 1)
	require.Equal(t, "because", drafts[0].Answer.Comment)
}

func TestAnAttachThatStaysIsTheDashboardOnceItsQuestionEnded(t *testing.T) {
	b := newBench(t, nil)
	other, s := b.ask("Sooner?", 60), b.ask("Which database?", 300)
	f, one := attach(b, s, func(o *desk.Options) { o.Stay = true })
	require.True(t, f.Stays())
	require.Equal(t, s.ID, one.HandOff())
	require.NoError(t, one.Send())
	f.calm()
	require.Equal(t, queue.SurfaceAttach, f.stored(s.ID).Outcome.Surface)
	require.Zero(t, happened[desk.Finished](f))
	require.Empty(t, one.HandOff())
	require.Equal(t, other.ID, one.Up())
	f.pass(time.Hour)
	require.Zero(t, happened[desk.Finished](f))
}

func TestAnAttachSweepsNoOthersUnlessItStays(t *testing.T) {
	for name, stay := range map[string]bool{"leaves": false, "stays": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			s := b.ask("Which database?", 300)
			bound := b.askAs("Sooner?", 60, queue.Origin{Client: "cli", Dialect: queue.DialectBound, Instance: "gone"})
			require.True(t, bound.EndsWithCall())
			f, _ := attach(b, s, func(o *desk.Options) { o.Stay = stay })
			f.Take(queue.Changes{Presence: true}, f.rig.Present)
			f.calm()
			require.Equal(t, stay, f.stored(bound.ID).Outcome != nil)
		})
	}
}

// partly is a store that can watch single sessions, but not the whole queue.
type partly struct{ queue.Store }

var errPartly = errors.New("too many open files")

func (p partly) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
	if len(ids) == 0 {
		return nil, errPartly
	}
	return p.Store.Watch(ctx, news, ids...)
}

func TestAnAttachGoesOnWhereTheRestOfTheQueueCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, nil)
		s := b.ask("Which database?", 300)
		q := queue.New(partly{b.rig.Disk})
		q.Now = b.q.Now
		f := newBench(t, func(o *desk.Options) { o.Queue, o.Attach, o.Instance = q, s.ID, "form" })
		one := view(f)
		ctx, cancel := context.WithCancel(t.Context())
		_, err := f.Open(ctx, queue.RoleAttach)
		require.NoError(t, err)
		f.TakeFirst(ctx, time.Second)
		f.Start(ctx)
		go f.Run(ctx)
		synctest.Wait()
		onDesk(f, func() {
			require.Equal(t, s.ID, one.Up())
			require.ErrorIs(t, f.Trouble().Queue, errPartly)
		})
		_, err = b.q.Do(ctx, s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI, Do: queue.Cancel{}})
		require.NoError(t, err)
		time.Sleep(3 * time.Second)
		onDesk(f, func() { require.True(t, one.HandOffEnded()) })
		cancel()
		f.Close()
		time.Sleep(2 * time.Second) // the failed watch is tried again after a second
	})
}

// onDesk runs f on the owner's goroutine, and waits for it.
func onDesk(b *bench, f func()) {
	done := make(chan struct{})
	b.Do(func() { defer close(done); f() })
	<-done
}

// popupOn opens a tmux popup for a session of a bench, with rules.
func popupOn(t *testing.T, b *bench, id string) *bench {
	popup := newBench(t, func(o *desk.Options) {
		o.Queue, o.Visit, o.Instance, o.Rules = b.q, id, "popup", &pocket{links: map[string]string{}}
	})
	popup.q, popup.rig.Clock.T = b.q, b.rig.Clock.T
	popup.q.Now = func() time.Time { return popup.rig.Clock.T }
	var err error
	popup.rig.Watcher, err = b.q.Store.Watch(t.Context(), queue.AllNews)
	require.NoError(t, err)
	popup.TakePresence(append(b.rig.Present, queue.Presence{Instance: "popup", Role: queue.RoleAttach}))
	return popup
}

// An approval that a rule may cover is held back until the rules were looked up. It has not ended.
func TestPopup_OnAnApprovalShowsItFirstAndCloses(t *testing.T) {
	b := newBench(t, nil)
	other, first := b.ask("Which database?", 300), b.wants("claude:t1/1", "npm test", nil)
	b.calm()
	popup := popupOn(t, b, first.ID)
	one := view(popup)
	popup.calm()
	require.Equal(t, first.ID, one.Up())
	require.Equal(t, first.ID, one.HandOff())
	for _, s := range []queue.Session{first, other} {
		require.Equal(t, s.ID, one.HandOff())
		require.Zero(t, happened[desk.Finished](popup))
		one.Form().Here().Mark(s.Ask.Questions[0].Options[0].ID)
		require.NoError(t, one.Send())
		popup.calm()
	}
	require.NotZero(t, happened[desk.Finished](popup))
}

func TestPopup_ContinuesUnderTheGuard(t *testing.T) {
	b := newBench(t, nil)
	second, first, early := b.ask("Later?", 600), b.ask("Which database?", 300), b.ask("Sooner?", 60)
	b.calm()
	popup := popupOn(t, b, first.ID)
	one := view(popup)
	popup.calm()
	for _, s := range []queue.Session{first, early, second} {
		require.Equal(t, s.ID, one.Up())
		require.Equal(t, s.ID, one.HandOff())
		require.Zero(t, happened[desk.Finished](popup))
		require.Equal(t, s.ID == second.ID, one.ClosesWith(s.ID), "only with the last")
		require.ErrorIs(t, one.Guard.Refuses(desk.Press{Effect: desk.Sending}, popup.rig.Clock.T), desk.ErrEarly, "it just came up")
		require.NoError(t, one.Send())
		popup.calm()
	}
	require.NotZero(t, happened[desk.Finished](popup))
}

func TestWhatIsSetAsideStaysAsideWhenNothingElseIsLeft(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	aside, other := b.ask("Which cache?", 3000), b.ask("Which database?", 3000)
	b.calm()
	require.Equal(t, aside.ID, one.Up())
	require.NoError(t, one.Later())
	b.calm()
	require.Equal(t, other.ID, one.Up())
	require.NoError(t, one.Send())
	b.calm()
	require.Equal(t, aside.ID, one.Up())
	until, paused := one.Paused()
	require.True(t, paused, "it is shown as set aside, not open to be answered")
	require.False(t, until.IsZero())
}
