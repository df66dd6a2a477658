package action_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

func (b *view) stored() queue.Session { return roomtest.Stored(b.t, b.Queue, b.s.ID) }

func (b *view) later() { b.Clock.Pass(60 * time.Millisecond) }

func TestAskingWhyNotChangesNothing(t *testing.T) {
	for _, k := range kinds {
		b := k.sit(t)
		draft, touched := b.View().Form().Draft(), b.View().Form().Touched()
		for _, a := range actions() {
			b.board.At().WhyNot(a)
		}
		assert.Equal(t, draft, b.View().Form().Draft(), k.name)
		assert.Equal(t, touched, b.View().Form().Touched(), k.name)
	}
}

func TestADeedThatRefusesChangesNothing(t *testing.T) {
	for _, k := range kinds {
		for _, a := range actions() {
			b := k.sit(t)
			draft := b.View().Form().Draft()
			if !b.board.At().WhyNot(a).OK() {
				continue // it is not done then
			}
			if e := action.Of(a).Do(b.board.At(), action.Arg{N: 99}); !e.WhyNot.OK() {
				assert.Equal(t, draft, b.View().Form().Draft(), "%s: %s", k.name, a)
				assert.Equal(t, action.Effect{WhyNot: e.WhyNot}, e, "%s: %s", k.name, a)
			}
		}
	}
}

func TestAChoiceThatTheFormRefusesKeepsEnterFromSendingOnce(t *testing.T) {
	b := sit(t, roomtest.One(queue.ModeMulti, func(q *queue.Question) { q.Max = 2 }))
	for _, n := range []int{1, 2, 3} {
		b.press(action.Digit, n)
	}
	require.Equal(t, "form", b.frontend.said)
	require.Equal(t, 2, b.View().Form().Here().Cursor(), "the cursor goes there all the same")
	b.later()
	b.press(action.Enter, 0)
	require.True(t, b.stored().Pending())
	require.Equal(t, []error{desk.ErrNotTaken}, b.frontend.refused)
	b.calm()
	b.press(action.Enter, 0)
	require.True(t, b.stored().Outcome.Answered())
}

func TestAMarkThatIsRefusedWhereTheDotFollowsIsNotRemembered(t *testing.T) {
	b := sit(t, roomtest.Database())
	b.press(action.Mark, 0)
	require.Equal(t, "form", b.frontend.said)
	require.False(t, b.View().Guard.Remembers())
}

func TestAnOptionThatIsNotOnScreenIsNotMarked(t *testing.T) {
	b := sit(t, roomtest.Database())
	b.frontend.facts.Covered = true
	b.press(action.Digit, 2)
	require.Equal(t, "covered", b.frontend.said)
	require.Equal(t, []string{"pg"}, b.View().Form().Here().Selected())
	require.True(t, b.View().Guard.Remembers())
}

func TestWhatIsOfferedIsDoneByEnterAndLeftByAnyOtherKey(t *testing.T) {
	for _, enter := range []bool{true, false} {
		b := sit(t, roomtest.Database())
		b.press(action.Later, 0)
		offer := b.frontend.shown[len(b.frontend.shown)-1].Offer
		require.Equal(t, action.Later, offer.Action)
		b.board.Offer(offer.Do, nil)
		b.calm()
		in := action.Input{Action: action.Back, Key: "esc"}
		if enter {
			in = action.Input{Action: action.Enter, Key: "enter"}
		}
		require.True(t, b.board.TakeOffer(in, b.Clock.T))
		require.False(t, b.board.Offers())
		b.Calm()
		require.Equal(t, enter, b.stored().LaterUntil != nil)
	}
}

func TestLaterBringsBackAQuestionThatWasPutOff(t *testing.T) {
	b := sit(t, roomtest.Database())
	require.NoError(t, b.View().Later())
	b.Calm()
	require.NotNil(t, b.stored().LaterUntil)
	b.press(action.Later, 0)
	require.Nil(t, b.stored().LaterUntil)
	require.Equal(t, "brought back", b.frontend.said)
	_, paused := b.View().Paused()
	require.False(t, paused)
}

func TestLaterBringsBackAQuestionThatIsOpenedFromTheQueue(t *testing.T) {
	b := sit(t, roomtest.Database())
	b.Ask(roomtest.Three(), roomtest.Infra())
	require.NoError(t, b.View().Later())
	b.Calm()
	require.NotEqual(t, b.s.ID, b.View().Up())
	b.View().Show(b.s.ID)
	b.press(action.Later, 0)
	require.Nil(t, b.stored().LaterUntil)
	require.Equal(t, "brought back", b.frontend.said)
}

func TestALetterThatWaitsActsUnlessAnotherKeyComes(t *testing.T) {
	for _, overtaken := range []bool{true, false} {
		b := sit(t, roomtest.Database())
		end := b.stored().Deadline
		more := action.Input{Action: action.More, Key: "+", Letter: true, Waits: true, Repeats: true}
		b.board.Act(more, b.Clock.T)
		b.board.Act(more, b.Clock.T)
		if overtaken {
			b.board.Overtake("a", b.Clock.T)
		}
		require.Equal(t, !overtaken, b.board.ActLate(b.Clock.T.Add(desk.Pause)))
		b.Calm()
		require.Equal(t, !overtaken, b.stored().Deadline.Equal(end.Add(2*time.Minute)))
	}
}

func TestTextThatContinuesFromItsLetterIsAttachedByTheSecondEnter(t *testing.T) {
	b := sit(t, roomtest.Database())
	b.board.Act(action.Input{Action: action.Note, Key: "n", Letter: true}, b.Clock.T)
	f := b.View().Form()
	require.Equal(t, form.FieldNote, f.Typing())
	b.View().Guard.Type(b.Clock.T)
	f.Type("ot now")
	b.later()
	b.press(action.Enter, 0)
	require.True(t, f.Unconfirmed())
	b.calm()
	b.press(action.Enter, 0)
	require.Equal(t, "ot now", f.Here().NoteOn("pg"))
}

func TestTheFirstLetterOfAnAnswerOfWordsOpensItsField(t *testing.T) {
	b := kinds[2].sit(t)
	require.True(t, b.board.TypeFirst("d", b.Clock.T))
	require.Equal(t, form.FieldText, b.View().Form().Typing())
	require.True(t, b.View().Form().Unconfirmed(), "it may be meant for another pane")
}

func TestAHiddenOptionIsShownAgainByUndo(t *testing.T) {
	b := sit(t, roomtest.Database())
	b.press(action.Hide, 0)
	b.frontend.shown[len(b.frontend.shown)-1].Offer.Do()
	require.Len(t, b.frontend.hidden, 1)
	b.press(action.UndoLast, 0)
	require.Len(t, b.frontend.hidden, 2)
	require.Equal(t, b.frontend.hidden[0], b.frontend.hidden[1])
	require.Equal(t, "nothing to take back", b.effect(action.UndoLast, 0))
}

func TestAnAnswerIsSentAndTakenBack(t *testing.T) {
	b := sit(t, roomtest.Database())
	s := b.Desk.Settings().Clone()
	s.UndoSeconds = 5
	b.Desk.SetSettings(s)
	b.press(action.Enter, 0)
	require.NotNil(t, b.View().Undoable())
	b.press(action.UndoLast, 0)
	require.Equal(t, "taken back", b.frontend.said)
	require.True(t, b.stored().Pending())
}

// frontends list the actions that a frontend has. The page has all but those that its rows lack; package plain has the test of lines.
var frontends = map[string]func() []action.Name{
	action.Screen: func() (list []action.Name) {
		for _, b := range action.Keys {
			list = append(list, b.Name)
		}
		return list
	},
	action.Command: func() []action.Name {
		return []action.Name{action.Choose, action.Text, action.Note, action.Comment, action.Cancel}
	},
}

func TestLacks_EachFrontendHasEachActionOrSaysWhyNot(t *testing.T) {
	for name, has := range frontends {
		for _, a := range actions() {
			out, in := action.Lacks(name, a), slices.Contains(has(), a)
			assert.True(t, in || out, "%s: %s is not there, and its row has no reason", name, a)
			assert.False(t, in && out, "%s: %s is there, and its row has a reason why not", name, a)
		}
	}
}

func TestALetterThatWaitsSaysWhyItDoesNothing(t *testing.T) {
	b := sit(t, roomtest.One(queue.ModeSingle, func(q *queue.Question) { q.Annotate = false }))
	b.board.Act(action.Input{Action: action.EditorHere, Key: "e", Name: "e", Letter: true, Waits: true}, b.Clock.T)
	require.Empty(t, b.frontend.said)
	b.Clock.T = b.board.Due()
	require.True(t, b.board.ActLate(b.Clock.T))
	require.Equal(t, "form", b.frontend.said)
}

func TestAnOfferIsNotTakenThatIsNotPossibleAnyMore(t *testing.T) {
	b := sit(t, roomtest.Database())
	b.press(action.Later, 0)
	offer := b.frontend.shown[len(b.frontend.shown)-1].Offer
	b.SettleElsewhere(b.s, queue.SurfaceCLI, "lite")
	offer.Do()
	require.Equal(t, "over", b.frontend.said)
	require.Nil(t, b.stored().LaterUntil)
}

func TestKeyboard_PressThatMayBeARepeatIsNotLost(t *testing.T) {
	const wait = 120 * time.Millisecond
	for name, c := range map[string]struct {
		after          time.Duration // when Enter was read
		carried, taken bool
	}{
		"Enter read after its time":  {after: wait, carried: true, taken: true},
		"Enter read before its time": {after: wait - time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			b, carried := sit(t, roomtest.One(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true })), false
			guard := &b.View().Guard
			guard.TookOver(b.Clock.T)
			digit := action.Input{Action: action.Digit, Arg: action.Arg{N: 2}, Key: "2", Name: "2"}
			require.False(t, b.board.IsPress(digit, b.Clock.T, func() { carried = true }))
			enter, at := action.Input{Action: action.Enter, Key: "enter", Name: "Enter"}, b.Clock.T.Add(c.after)
			b.Clock.T = at.Add(time.Second) // the machine was busy
			b.board.Overtake(enter.Key, at)
			require.Equal(t, c.carried, carried)
			require.True(t, b.board.IsPress(enter, at, func() {}))
			require.Equal(t, !c.taken, guard.Remembers())
		})
	}
}
