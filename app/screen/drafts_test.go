package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// draftElsewhere saves a draft as another running process does.
func (b *bench) draftElsewhere(s queue.Session, instance string, selected ...string) {
	b.t.Helper()
	b.clock.pass(time.Millisecond)
	draft := queue.Draft{Session: s.ID, Instance: instance, At: b.clock.now()}
	draft.Answer.Replies = []queue.Reply{{Question: s.Ask.Questions[0].ID, Selected: selected}}
	require.NoError(b.t, b.o.Queue.Store.SaveDraft(b.t.Context(), draft))
	b.settle()
}

// answered returns the one option that a session was answered with, empty while it waits.
func (b *bench) answered(id string) string {
	if s := b.get(id); s.Outcome != nil {
		return s.Outcome.Answer.Replies[0].Selected[0]
	}
	return ""
}

// keepOrDrop returns a question with an explicit confirmation, its default first.
func keepOrDrop() queue.Ask {
	a := dropTable()
	a.TimeoutSeconds = 300
	a.Questions[0].Options = []queue.Option{{ID: "keep", Label: "Keep it"}, {ID: "drop", Label: "Drop it"}}
	a.Questions[0].Defaults = []string{"keep"}
	return a
}

func TestADraftFromElsewhereNeverChangesWhatEnterSendsWithoutTheGuardAndAWord(t *testing.T) {
	const drafted, mark = " · drafted with choicetui attach", "Enter not yet: 0 marked, 1 or more needed"
	multi := one(queue.ModeMulti, nil)
	for name, c := range map[string]struct {
		ask    queue.Ask
		keys   []string // pressed before it comes
		draft  string
		kept   bool   // the form is the person's own and stays
		before string // the Enter line with the draft
		sent   string
	}{
		"single, no key":         {database(), nil, "lite", false, "⏎ send SQLite" + drafted, "lite"},
		"single, digit":          {database(), []string{"1"}, "lite", true, "⏎ send PostgreSQL", "pg"},
		"single, there and back": {database(), []string{"j", "k"}, "lite", true, "⏎ send PostgreSQL", "pg"},
		"single, at the end":     {database(), []string{"k"}, "lite", true, "⏎ send PostgreSQL", "pg"},
		"single, recommended":    {database(), []string{"r"}, "lite", true, "⏎ send PostgreSQL", "pg"},
		"single, text and back":  {database(), []string{"n", "esc"}, "lite", true, "⏎ send PostgreSQL", "pg"},
		"single, reading on":     {database(), []string{"pgdn"}, "lite", false, "⏎ send SQLite" + drafted, "lite"},
		"multi, no key":          {multi, nil, "lite", false, "⏎ send SQLite" + drafted, "lite"},
		"multi, motion":          {multi, []string{"down"}, "lite", true, mark, ""},
		"multi, mark":            {multi, []string{"3"}, "lite", true, "⏎ send DynamoDB", "dynamo"},
		"confirmation":           {keepOrDrop(), nil, "drop", false, "⏎ Drop it, then confirm" + drafted, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			b.present["form"] = queue.RoleAttach
			b.announce()
			s := b.ask(c.ask, shop())
			b.calm()
			b.press(c.keys...)
			b.calm()
			b.draftElsewhere(s, "form", c.draft)
			require.Equal(t, c.before, b.foot())
			b.press("enter")
			if !c.kept {
				require.True(t, b.get(s.ID).Pending())
				require.Equal(t, "Not yet: press Enter again", b.foot())
				b.calm()
				b.press("enter")
			}
			require.Equal(t, c.sent, b.answered(s.ID))
		})
	}
}

func TestAConfirmationIsLeftForADraftFromElsewhereOnlyWithAWord(t *testing.T) {
	for _, w := range []int{80, 40} {
		b := newBench(t, w, 24)
		b.present["form"] = queue.RoleAttach
		b.announce()
		s := b.ask(keepOrDrop(), shop())
		b.calm()
		b.press("enter")
		b.calm()
		require.Contains(t, b.foot(), "y confirms")
		b.draftElsewhere(s, "form", "drop")
		require.False(t, b.form().Confirming())
		require.Contains(t, b.foot(), "⏎ Drop it, ")
		require.Contains(t, b.foot(), " · not confirmed")
		b.press("y", "enter")
		require.Equal(t, "Not yet: press Enter again", b.foot())
		require.False(t, b.form().Confirming())
		b.calm()
		b.press("enter")
		require.True(t, b.form().Confirming())
		require.NotContains(t, b.foot(), "not confirmed")
		require.Contains(t, b.foot(), "drafted")
		require.True(t, b.get(s.ID).Pending())
	}
}

func TestTwoDashboardsShowTheNewestDraftUntilAKeyIsPressedThere(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	other := b.beside("other")
	b.calm()
	both := func() {
		b.seat.SaveDraft()
		b.settle()
		other.settle()
		b.settle()
	}
	b.press("3")
	both()
	require.Equal(t, "⏎ send DynamoDB · drafted in another dashboard", other.foot())
	b.clock.pass(time.Second)
	b.press("2")
	both()
	require.Equal(t, "⏎ send SQLite", b.foot())
	require.Equal(t, "⏎ send SQLite · drafted in another dashboard", other.foot())
	other.press("enter")
	require.True(t, b.get(s.ID).Pending())
	b.calm()
	other.press("k")
	require.Equal(t, "⏎ send PostgreSQL", other.foot())
	b.press("3")
	both()
	require.Equal(t, "⏎ send PostgreSQL", other.foot(), "it is its own now")
	other.press("enter")
	require.Equal(t, []string{"pg"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestWhatWasOnlyTakenOverIsNotSavedAsOnesOwn(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.draftElsewhere(s, "form", "lite")
	b.press("pgdn")
	b.seat.SaveDraft()
	b.settle()
	drafts, err := b.o.Queue.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, drafts, 1, "a later save would be newer than what the other one changes meanwhile")
	b.calm()
	b.press("j")
	b.seat.SaveDraft()
	b.settle()
	drafts, err = b.o.Queue.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, drafts, 2)
}

func TestADraftThatChangesNothingHereMakesNobodyWait(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.draftElsewhere(s, "form", "lite")
	b.calm()
	taken := 0
	b.desk.Subscribe(func(e desk.Event) {
		if _, ok := e.(desk.DraftTaken); ok {
			taken++
		}
	})
	b.draftElsewhere(s, "form", "lite")
	drafts, err := b.o.Queue.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	b.desk.Take(queue.Changes{Drafts: drafts}, nil)
	require.Zero(t, taken)
	b.press("enter")
	require.Equal(t, []string{"lite"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestADraftNeverReplacesAnAnswerThatIsBeingSent(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.Key(event("enter")) // the worker has not come to it
	drafted := queue.Draft{Session: s.ID, Instance: "form", At: b.clock.now()}
	drafted.Answer.Replies = []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}
	b.desk.Take(queue.Changes{Drafts: []queue.Draft{drafted}}, nil)
	require.Equal(t, form.StepSend, b.form().Plan(form.Facts{}).Step)
	require.Equal(t, "⏎ send PostgreSQL", b.foot())
	b.settle()
	require.Equal(t, "pg", b.answered(s.ID))
}
