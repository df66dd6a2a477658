package question

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// draftElsewhere saves a draft as another running process does.
func (b *bench) draftElsewhere(s queue.Session, instance string, selected ...string) {
	b.t.Helper()
	b.pass(time.Millisecond)
	roomtest.DraftElsewhere(b.t, b.Queue, s, instance, selected...)
	b.Calm()
}

// answered returns the one option that a session was answered with, empty while it waits.
func (b *bench) answered(id string) string {
	if s := b.stored(id); s.Outcome != nil {
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
	const drafted, mark = " · drafted with choicetui attach", "Not yet: mark 1 or more (0 marked)"
	multi := one(queue.ModeMulti, nil)
	for name, c := range map[string]struct {
		ask    queue.Ask
		keys   []string // pressed before it comes
		draft  string
		kept   bool   // the form is the person's own and stays
		before string // the Enter line with the draft
		sent   string
	}{
		"single, no key":         {database(), nil, "lite", false, "⏎ Send SQLite" + drafted, "lite"},
		"single, digit":          {database(), []string{"1"}, "lite", true, "⏎ Send PostgreSQL", "pg"},
		"single, there and back": {database(), []string{"j", "k"}, "lite", true, "⏎ Send PostgreSQL", "pg"},
		"single, at the end":     {database(), []string{"k"}, "lite", true, "⏎ Send PostgreSQL", "pg"},
		"single, recommended":    {database(), []string{"r"}, "lite", true, "⏎ Send PostgreSQL", "pg"},
		"single, text and back":  {database(), []string{"n", "esc"}, "lite", true, "⏎ Send PostgreSQL", "pg"},
		"single, reading on":     {database(), []string{"pgdn"}, "lite", false, "⏎ Send SQLite" + drafted, "lite"},
		"multi, no key":          {multi, nil, "lite", false, "⏎ Send SQLite" + drafted, "lite"},
		"multi, motion":          {multi, []string{"down"}, "lite", true, mark, ""},
		"multi, mark":            {multi, []string{"3"}, "lite", true, "⏎ Send DynamoDB", "dynamo"},
		"confirmation":           {keepOrDrop(), nil, "drop", false, "⏎ Pick Drop it, then confirm" + drafted, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			b.runs(map[string]string{"form": queue.RoleAttach})
			s := b.ask(c.ask, shop())
			b.calm()
			b.press(c.keys...)
			b.calm()
			b.draftElsewhere(s, "form", c.draft)
			require.Equal(t, c.before, b.footer())
			b.press("enter")
			if !c.kept {
				require.True(t, b.stored(s.ID).Pending())
				require.Equal(t, desk.ErrEarly.Error(), b.footer())
				b.calm()
				b.press("enter")
			}
			require.Equal(t, c.sent, b.answered(s.ID))
		})
	}
}

func TestAConfirmationIsNeverLeftForADraftFromElsewhere(t *testing.T) {
	for _, w := range []int{80, 40} {
		b := newBench(t, w, 24)
		b.runs(map[string]string{"form": queue.RoleAttach})
		s := b.ask(keepOrDrop(), shop())
		b.calm()
		b.press("enter")
		b.calm()
		require.Contains(t, b.footer(), "y to confirm")
		b.draftElsewhere(s, "form", "drop")
		require.True(t, b.View().Form().Confirming())
		require.Contains(t, b.footer(), "y to confirm")
		b.pass(time.Second)
		b.press("y")
		require.Equal(t, []string{"keep"}, b.stored(s.ID).Outcome.Answer.Replies[0].Selected)
	}
}

func TestAConfirmationOfTheOptionThePersonWentToStays(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(keepOrDrop(), shop())
	b.calm()
	b.press("1", "enter")
	b.calm()
	b.draftElsewhere(s, "form", "drop")
	require.Contains(t, b.footer(), "y to confirm “Keep it”")
	b.pass(time.Second)
	b.press("y")
	require.Equal(t, []string{"keep"}, b.stored(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestADraftOfAProcessThatEndedSaysSo(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.draftElsewhere(s, "ended", "lite")
	require.Equal(t, "⏎ Send SQLite · draft restored", b.footer())
}

func TestADraftThatChangesNothingHereMakesNobodyWait(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.draftElsewhere(s, "form", "lite")
	b.calm()
	b.draftElsewhere(s, "form", "lite")
	b.press("enter")
	require.Equal(t, []string{"lite"}, b.stored(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestADraftOfAnotherDashboardIsTakenForOneAndThePromptReadAnew(t *testing.T) {
	b := newBench(t, 40, 12)
	b.runs(map[string]string{"other": queue.RoleDashboard})
	a := database()
	a.Prompt = words(90)
	s := b.ask(a, shop())
	b.calm()
	b.picture()
	b.press("pgdn")
	b.picture()
	v := b.room.display()
	v.full = true
	b.draftElsewhere(s, "other-1", "lite")
	require.NotSame(t, v, b.room.display(), "to the person it is like a new question")
	require.False(t, b.room.display().full)
	b.size(120, 40)
	require.Contains(t, b.footer(), "drafted in another dashboard")
	b.press("j")
	require.NotContains(t, b.footer(), "drafted")
}

func TestWordsForAQuestionThatClosedAreSaidToBeInTheHistory(t *testing.T) {
	s := queue.Session{Origin: queue.Origin{Client: "claude-code"}, Outcome: &queue.Outcome{By: queue.ByCaller}}
	for status, word := range map[string]string{queue.StatusCancelled: "withdrawn", "handed_over": "handed over"} {
		s.Outcome.Status = status
		require.Contains(t, closedWithWords(s, "h"), "("+word+" by claude ")
	}
}

func TestTypingReplacesAReasonThatWasDraftedElsewhere(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	require.NoError(t, b.Queue.Store.SaveDraft(t.Context(),
		queue.Draft{Session: s.ID, Instance: "lines", Reason: "not now", At: b.Clock.T}))
	b.Calm()
	b.calm()
	b.press("x")
	require.Contains(t, b.picture(), "not now")
	b.calm()
	b.write("too dear")
	b.calm()
	b.press("enter")
	require.Equal(t, "too dear", b.stored(s.ID).Outcome.Reason)
}

func TestWhatWasOnlyTakenOverIsNotSavedAsOnesOwn(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.draftElsewhere(s, "form", "lite")
	b.press("pgdn")
	b.View().SaveDraft()
	b.Calm()
	drafts, err := b.Queue.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, drafts, 1, "a later save would be newer than what the other one changes meanwhile")
	b.calm()
	b.press("j")
	b.View().SaveDraft()
	b.Calm()
	drafts, err = b.Queue.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Len(t, drafts, 2)
}

func TestAFormsDraftKeepsWhichQuestionsAreAnswered(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(authRework(), web())
	b.calm()
	b.press("j", "enter")
	draft := b.View().Form().Draft()
	require.Equal(t, []string{"q1"}, draft.Answered)
	again := form.New(s, form.Options{Draft: &draft, Points: true})
	answered, of := again.Progress()
	require.Equal(t, "1 of 3 answered", fmt.Sprintf("%d of %d answered", answered, of))
	require.Equal(t, []string{"pg"}, again.Answer().Replies[0].Selected)
}
