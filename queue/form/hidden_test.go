package form

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestOnlyTheSameClientIDAndLabelIsHidden(t *testing.T) {
	s := one(queue.ModeSingle, nil)
	require.Equal(t, Hidden{"q1": {"b": true}}, HiddenIn(s, hiding("b")))
	for name, h := range map[string]HiddenOption{
		"client": {Client: "codex", ID: "b", Label: "B"},
		"id":     {Client: "claude-code", ID: "B", Label: "B"},
		"label":  {Client: "claude-code", ID: "b", Label: "B."},
	} {
		require.Empty(t, HiddenIn(s, []HiddenOption{h}), name)
	}
}

func TestNothingIsHiddenInConfirmationsAndApprovals(t *testing.T) {
	for name, change := range map[string]func(*queue.Ask){
		"confirmation": func(a *queue.Ask) { a.Confirm = true },
		"approval":     func(a *queue.Ask) { a.Kind = queue.KindApproval },
	} {
		s := one(queue.ModeSingle, nil)
		change(&s.Ask)
		require.Empty(t, HiddenIn(s, hiding("b")), name)
		_, why := pointing(s).Here().ToHide(0)
		require.Equal(t, because(NeverHiddenHere), why, name)
	}
}

func TestNeverAllOptionsAreHiddenNorSoManyThatTheMinimumCannotBeMet(t *testing.T) {
	for _, c := range []struct {
		s    queue.Session
		want Hidden
	}{
		{one(queue.ModeSingle, nil), Hidden{"q1": {"a": true, "b": true}}},
		{one(queue.ModeMulti, bounds(2, 3)), Hidden{"q1": {"a": true}}},
		{one(queue.ModeMulti, bounds(0, 3)), Hidden{"q1": {"a": true, "b": true}}}, // the last one stays, wanted or not
	} {
		hidden := HiddenIn(c.s, hiding("a", "b", "c"))
		require.Equal(t, c.want, hidden)
		f := New(c.s, Options{Points: true, Rules: Rules{Hidden: hidden}})
		f.MoveLast()
		_, why := f.Here().ToHide(0)
		require.Equal(t, because(LastOptions), why)
	}
	s := one(queue.ModeSingle, nil)
	f := New(s, Options{Points: true, Rules: Rules{Hidden: HiddenIn(s, hiding("a"))}})
	o, why := f.Here().ToHide(0)
	require.True(t, why.OK())
	require.Equal(t, "b", o.ID)
	f = pointing(one(queue.ModeHybrid, nil))
	f.MoveLast()
	_, why = f.Here().ToHide(0)
	require.Equal(t, because(NothingHere), why, "own words are no option")
}

func TestOfOptionsThatAreAllHiddenTheRecommendedOneIsShown(t *testing.T) {
	for _, recommended := range []int{0, 1, 2} {
		s := one(queue.ModeSingle, func(q *queue.Question) {
			for i := range q.Options {
				q.Options[i].Recommended = i == recommended
			}
		})
		hidden := HiddenIn(s, hiding("a", "b", "c"))["q1"]
		for i, o := range s.Ask.Questions[0].Options {
			require.Equal(t, i != recommended, hidden[o.ID], o.ID)
		}
	}
}

func TestWhatIsHiddenAlreadyMayAlwaysBeShownAgain(t *testing.T) {
	s := one(queue.ModeSingle, nil)
	f := New(s, Options{Points: true, Rules: Rules{Hidden: HiddenIn(s, hiding("a", "b"))}})
	require.True(t, f.Here().ShowHidden().OK())
	f.MoveFirst()
	o, why := f.Here().ToHide(0)
	require.True(t, why.OK())
	require.Equal(t, "a", o.ID)
}

func TestEveryQuestionHidesItsOwnOptions(t *testing.T) {
	s := asked(question("q1", queue.ModeSingle, nil),
		question("q2", queue.ModeSingle, func(q *queue.Question) { q.Options[1].Label = "another B" }),
		question("q3", queue.ModeMulti, bounds(3, 3)))
	hidden := HiddenIn(s, hiding("b"))
	require.Equal(t, Hidden{"q1": {"b": true}}, hidden, "not under another label, nor below a minimum")
	f := New(s, Options{Points: true, Rules: Rules{Hidden: hidden}})
	require.Equal(t, []int{0, 2}, f.Here().Rows())
	f.Next()
	require.Equal(t, []int{0, 1, 2}, f.Here().Rows())
	f.Move(1)
	_, why := f.Here().ToHide(0)
	require.True(t, why.OK())
	f.Next()
	_, why = f.Here().ToHide(0)
	require.Equal(t, because(LastOptions), why)
}

func TestAHiddenDefaultStaysSelected(t *testing.T) {
	s := one(queue.ModeMulti, func(q *queue.Question) { q.Defaults = []string{"b"} })
	f := New(s, Options{Points: true, Rules: Rules{Hidden: HiddenIn(s, hiding("b"))}})
	assert.Equal(t, []int{0, 2}, f.Here().Rows())
	assert.Equal(t, []string{"b"}, selected(f))
	assert.Equal(t, 1, f.Here().HiddenMarks())
	assert.Equal(t, 1, f.Here().HiddenRows())
	_, why := f.Here().Digit(2)
	assert.Equal(t, NoSuchOption, why.Reason, "what has no row has no number")
	require.True(t, f.Here().ShowHidden().OK())
	assert.True(t, f.Here().ShowsHidden())
	assert.Zero(t, f.Here().HiddenMarks())
	_, why = f.Here().Digit(2)
	assert.True(t, why.OK())
	assert.Empty(t, selected(f))
}

func TestAHiddenDefaultOfARadioKeepsItsRow(t *testing.T) {
	s := one(queue.ModeSingle, func(q *queue.Question) { q.Defaults = []string{"b"} })
	rules := Rules{Hidden: Hidden{"q1": {"b": true, "c": true}}}
	f := New(s, Options{Points: true, Rules: rules})
	assert.Equal(t, []int{0, 1}, f.Here().Rows())
	assert.Equal(t, []string{"b"}, selected(f))
	assert.Equal(t, 1, f.Here().HiddenRows(), "c alone has no row")
	assert.True(t, f.Here().IsHidden("b"))
	assert.False(t, f.Here().Folded("b"))
	assert.True(t, New(s, Options{Rules: rules}).Here().Choose(2).OK(), "and its number")
}

func TestAHiddenNumberIsRefusedUntilItIsShown(t *testing.T) {
	s := one(queue.ModeSingle, nil)
	f := New(s, Options{Rules: Rules{Hidden: HiddenIn(s, hiding("b"))}})
	assert.Equal(t, WhyNot{Reason: OptionHidden, Have: 2}, f.Here().Choose(2))
	require.True(t, f.Here().ShowHidden().OK())
	assert.True(t, f.Here().Choose(2).OK())
	assert.Equal(t, because(NothingIsHidden), listing(s).Here().ShowHidden())
	f = New(s, Options{Points: true, Rules: Rules{Hidden: HiddenIn(s, hiding("b"))}})
	assert.Equal(t, WhyNot{Reason: OptionHidden, Have: 2}, f.Here().Mark("b"), "a dot is never where nobody sees it")
}

func TestHidingTheOptionUnderTheDotLeavesBothInTheirPlace(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.Move(1)
	f.Follow(Rules{Hidden: Hidden{"q1": {"b": true}}})
	o, ok := f.Here().Current()
	require.True(t, ok)
	assert.Equal(t, "b", o.ID)
	assert.Equal(t, []string{"b"}, selected(f), "hiding is for later questions: it never changes an answer")
}

func TestTheCursorStaysOnItsOptionWhileAnotherQuestionIsOnView(t *testing.T) {
	s := asked(question("q1", queue.ModeSingle, nil), question("q2", queue.ModeSingle, nil))
	f := pointing(s)
	f.MoveLast()
	f.Next()
	f.Follow(Rules{Hidden: HiddenIn(s, hiding("a"))})
	f.Back()
	o, _ := f.Here().Current()
	require.Equal(t, "c", o.ID)
	f.Next()
	f.Next()
	require.True(t, f.Reviewing())
	f.Move(1)
	f.Follow(Rules{Hidden: HiddenIn(s, hiding("c"))})
	require.Equal(t, 1, f.Row())
	require.Equal(t, []string{"c"}, selected(f), "an answer does not change behind the person's back")
	f.GoTo(0)
	o, _ = f.Here().Current()
	require.Equal(t, "c", o.ID, "nor when it comes on view")
	require.Equal(t, []string{"c"}, selected(f))
}

func TestWithoutACursorHidingChangesNoAnswer(t *testing.T) {
	s := asked(question("q1", queue.ModeSingle, nil), question("q2", queue.ModeSingle, nil))
	f := listing(s)
	f.Here().Choose(2)
	f.Next()
	f.Here().Choose(2)
	f.Follow(Rules{Hidden: HiddenIn(s, hiding("b"))})
	for i := range 2 {
		assert.Equal(t, []string{"b"}, f.Answer().Replies[i].Selected)
		assert.Equal(t, []int{0, 1, 2}, f.Question(i).Rows(), "what is chosen keeps its row")
	}
}

func TestNarrowingShowsWhatMatchesAndKeepsTheDot(t *testing.T) {
	s := one(queue.ModeSingle, func(q *queue.Question) { q.Options[2].Description = "the Bravest" })
	f := pointing(s)
	f.Begin(FieldFind)
	f.Type(" b ")
	assert.Equal(t, "b", f.Here().Narrowed())
	assert.Equal(t, []int{1, 2}, f.Here().Rows(), "in a label or a description, large or small")
	assert.Equal(t, []string{"a"}, selected(f), "the dot stays while letters are typed")
	f.Type("bx")
	f.Type("")
	assert.Equal(t, []string{"a"}, selected(f))
	assert.Equal(t, 0, f.Here().Cursor(), "back on what is chosen")
	f.Type("b")
	f.EndTyping()
	assert.Equal(t, []string{"b"}, selected(f), "what is sent is what is on screen")
	assert.Equal(t, 2, f.Here().OptionRows())
	require.True(t, f.Here().ShowAll())
	assert.False(t, f.Here().ShowAll())
	assert.Equal(t, []int{0, 1, 2}, f.Here().Rows())
	assert.Equal(t, []string{"b"}, selected(f))

	f = pointing(one(queue.ModeSingle, nil))
	f.MoveLast()
	f.Begin(FieldFind)
	f.Type("nothing like it")
	require.Empty(t, f.Here().Rows())
	_, why := f.Here().Toggle()
	assert.Equal(t, because(NothingHere), why)
	f.Type("")
	assert.Equal(t, []string{"c"}, selected(f), "typed and taken back")
	assert.Equal(t, 2, f.Here().Cursor())
}

func TestNarrowingLeavesMarksAlone(t *testing.T) {
	f := pointing(one(queue.ModeMulti, nil))
	f.Here().Mark("a")
	f.types(FieldFind, "c")
	assert.Equal(t, []string{"a"}, selected(f))
	o, _ := f.Here().Current()
	assert.Equal(t, "c", o.ID)
	f.Here().Toggle()
	f.Here().ShowAll()
	assert.Equal(t, []string{"a", "c"}, selected(f))
	o, _ = f.Here().Current()
	assert.Equal(t, "c", o.ID)
}

func TestHidingWhatIsChosenHereKeepsItsRowAndTheDot(t *testing.T) {
	s := one(queue.ModeSingle, nil)
	f := pointing(s)
	f.Move(1)
	f.Follow(Rules{Hidden: HiddenIn(s, hiding("b"))})
	require.Equal(t, []int{0, 1, 2}, f.Here().Rows())
	require.Equal(t, []string{"b"}, selected(f))
	require.Zero(t, f.Here().HiddenRows())
	require.Zero(t, f.Here().HiddenMarks(), "it is seen")
	f.Move(1)
	f.Follow(f.Rules())
	require.Equal(t, []int{0, 1, 2}, f.Here().Rows(), "nothing moves under the eye")
	require.Equal(t, []string{"c"}, selected(f))
	require.Equal(t, []int{0, 2}, New(s, Options{Points: true, Rules: f.Rules()}).Here().Rows(), "the next question hides it")

	many := one(queue.ModeMulti, nil)
	f = pointing(many)
	f.Move(1)
	f.Follow(Rules{Hidden: HiddenIn(many, hiding("b"))})
	require.Equal(t, []int{0, 2}, f.Here().Rows(), "what is not chosen goes")
}
