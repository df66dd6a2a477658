package form

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestTheDotStartsOnTheDefaultElseTheRecommendedElseTheFirst(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*queue.Question)
		want   string
	}{
		"default":     {func(q *queue.Question) { recommendsB(q); defaultsC(q) }, "c"},
		"recommended": {recommendsB, "b"},
		"first":       {nil, "a"},
	} {
		for _, mode := range []string{queue.ModeSingle, queue.ModeHybrid} {
			change := func(q *queue.Question) {
				q.Max = 1
				if c.change != nil {
					c.change(q)
				}
			}
			assert.Equal(t, []string{c.want}, selected(pointing(one(mode, change))), "%s %s", mode, name)
		}
	}
}

func TestAFrontendThatDoesNotPointHasNoAnswerBeforeOneIsChosen(t *testing.T) {
	f := listing(one(queue.ModeSingle, recommendsB))
	assert.Empty(t, selected(f))
	assert.Equal(t, []string{"c"}, selected(listing(one(queue.ModeSingle, defaultsC))), "but an untouched default stays")
	require.True(t, f.Here().Choose(3).OK())
	assert.Equal(t, []string{"c"}, selected(f))
	require.True(t, f.Here().Choose(1).OK())
	assert.Equal(t, []string{"a"}, selected(f), "in the other's place")
}

func TestADotFollowsTheCursorAndMarksDoNot(t *testing.T) {
	radios := map[string]queue.Session{"single": one(queue.ModeSingle, nil),
		"hybrid of one": one(queue.ModeHybrid, radioText), "multi of exactly one": one(queue.ModeMulti, bounds(1, 1))}
	for name, s := range radios {
		f := pointing(s)
		require.True(t, f.Move(1), name)
		assert.Equal(t, []string{"b"}, selected(f), name)
		require.True(t, f.MoveFirst(), name)
		assert.Equal(t, []string{"a"}, selected(f), name)
		require.False(t, f.Move(-1), name)
		sends, why := f.Here().Toggle()
		assert.False(t, sends)
		assert.Equal(t, because(FollowsCursor), why)
		assert.Equal(t, because(FollowsCursor), f.Here().Unmark("a"))
	}
	for _, s := range []queue.Session{
		one(queue.ModeMulti, nil), one(queue.ModeHybrid, nil), one(queue.ModeMulti, bounds(0, 1)),
	} {
		f := pointing(s)
		f.Move(1)
		assert.Empty(t, selected(f))
		_, why := f.Here().Toggle()
		assert.True(t, why.OK())
		assert.Equal(t, []string{"b"}, selected(f))
		_, why = f.Here().Toggle()
		assert.True(t, why.OK())
		assert.Empty(t, selected(f))
	}
}

func TestADigitGoesThereInARadioAndMarksElsewhere(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	sends, why := f.Here().Digit(2)
	assert.True(t, why.OK())
	assert.False(t, sends)
	assert.Equal(t, []string{"b"}, selected(f))

	f = pointing(one(queue.ModeMulti, nil))
	f.Here().Digit(3)
	f.Here().Digit(1)
	assert.Equal(t, []string{"a", "c"}, selected(f), "in the order of the options")
	assert.Equal(t, 0, f.Here().Cursor())
	f.Here().Digit(3)
	assert.Equal(t, []string{"a"}, selected(f))
	for _, n := range []int{0, 4, -1} {
		_, why = f.Here().Digit(n)
		assert.Equal(t, WhyNot{Reason: NoSuchOption, Have: n, Of: 3}, why)
	}
}

func TestSingleSubmitAnswersWithADigitOrAMark(t *testing.T) {
	at := func(q *queue.Question) { q.SingleSubmit = true }
	f := pointing(one(queue.ModeSingle, at))
	sends, why := f.Here().Digit(2)
	assert.True(t, sends && why.OK())
	sends, why = f.Here().Toggle()
	assert.True(t, sends && why.OK())
	assert.True(t, f.Here().SubmitsAtOnce())
	assert.Equal(t, []string{"b"}, selected(f))
	sends, _ = f.Here().Digit(9)
	assert.False(t, sends)
	f = pointing(one(queue.ModeMulti, at))
	assert.False(t, f.Here().SubmitsAtOnce(), "where several may be marked there is no at once")

	f = pointing(one(queue.ModeHybrid, func(q *queue.Question) { q.Max, q.SingleSubmit = 1, true }))
	f.MoveLast()
	sends, why = f.Here().Toggle()
	assert.False(t, sends, "own words are typed first")
	assert.Equal(t, because(OnOwnWords), why)
}

func TestAMarkBeyondTheMaximumIsRefusedWithTheCount(t *testing.T) {
	q := pointing(one(queue.ModeMulti, bounds(1, 2))).Here()
	require.True(t, q.Mark("c").OK())
	require.True(t, q.Mark("a").OK())
	assert.Equal(t, WhyNot{Reason: Full, Have: 2, Most: 2}, q.Mark("b"))
	assert.True(t, q.Mark("a").OK(), "marked already")
	assert.Equal(t, []string{"a", "c"}, q.Selected())
	assert.True(t, q.Unmark("a").OK())
	assert.True(t, q.Mark("b").OK())
	assert.Equal(t, WhyNot{Reason: NoSuchOption, Of: 3}, q.Mark("nope"))

	q = pointing(one(queue.ModeMulti, bounds(0, 1))).Here()
	q.Mark("a")
	require.True(t, q.Mark("b").OK())
	assert.Equal(t, []string{"b"}, q.Selected(), "of one at most, the new one takes the place")
	assert.Equal(t, because(WordsOnly), pointing(one(queue.ModeText, nil)).Here().Mark("a"))
}

func TestAMarkInARadioTakesTheCursorAlong(t *testing.T) {
	f := pointing(one(queue.ModeHybrid, radioText))
	require.True(t, f.Here().Mark("c").OK())
	assert.Equal(t, 2, f.Here().Cursor())
	assert.Equal(t, []string{"c"}, selected(f))
	f = listing(one(queue.ModeSingle, nil))
	require.True(t, f.Here().Mark("c").OK())
	require.True(t, f.Here().Unmark("c").OK(), "without a cursor there is no dot that must be somewhere")
	assert.Empty(t, selected(f))
}

func TestNumbersChooseExactlyTheirOptions(t *testing.T) {
	q := listing(one(queue.ModeMulti, func(q *queue.Question) { q.Max, q.Defaults = 2, []string{"b"} })).Here()
	require.True(t, q.Choose(3, 1, 3).OK())
	assert.Equal(t, []string{"a", "c"}, q.Selected())
	for want, numbers := range map[WhyNot][]int{
		{Reason: NoSuchOption, Have: 0, Of: 3}:               {0, 1},
		{Reason: NoSuchOption, Have: 4, Of: 3}:               {1, 4},
		{Reason: TooMany, Have: 3, Least: 1, Most: 2, Of: 3}: {1, 2, 3},
	} {
		assert.Equal(t, want, q.Choose(numbers...))
	}
	assert.Equal(t, []string{"a", "c"}, q.Selected(), "what is refused changes nothing")
	require.True(t, q.Choose().OK())
	assert.Empty(t, q.Selected())
	assert.Equal(t, because(WordsOnly), listing(one(queue.ModeText, nil)).Here().Choose(1))
	assert.Equal(t, TooMany, listing(one(queue.ModeSingle, nil)).Here().Choose(1, 2).Reason)
}

func TestRecommendedGoesThereInARadioAndMarksElsewhere(t *testing.T) {
	two := func(q *queue.Question) { q.Options[1].Recommended, q.Options[2].Recommended = true, true }
	f := pointing(one(queue.ModeSingle, two))
	f.MoveFirst()
	require.True(t, f.Here().Recommend().OK())
	assert.Equal(t, []string{"b"}, selected(f))
	assert.Equal(t, 1, f.Here().Cursor())

	f = pointing(one(queue.ModeMulti, two))
	f.Here().Mark("a")
	require.True(t, f.Here().Recommend().OK())
	assert.Equal(t, []string{"a", "b", "c"}, selected(f), "what is marked by hand stays")
	f = pointing(one(queue.ModeMulti, func(q *queue.Question) { two(q); q.Max = 2; q.Min = 0 }))
	f.Here().Mark("a")
	assert.Equal(t, TooMany, f.Here().Recommend().Reason)
	assert.Equal(t, []string{"a"}, selected(f))

	few := func(q *queue.Question) { two(q); q.Max = 1; q.Min = 0 }
	f = pointing(one(queue.ModeMulti, few))
	assert.Equal(t, WhyNot{Reason: TooManyRecommended, Have: 2, Most: 1}, f.Here().Recommend())
	for _, mode := range []string{queue.ModeSingle, queue.ModeText} {
		assert.Equal(t, because(NothingRecommended), pointing(one(mode, nil)).Here().Recommend())
	}
}

func TestAllMarksEverythingAndThenNothing(t *testing.T) {
	q := pointing(one(queue.ModeMulti, nil)).Here()
	require.True(t, q.All().OK())
	assert.Equal(t, []string{"a", "b", "c"}, q.Selected())
	assert.True(t, q.AllMarked())
	require.True(t, q.All().OK())
	assert.Empty(t, q.Selected())
	q = pointing(one(queue.ModeMulti, bounds(1, 2))).Here()
	assert.Equal(t, WhyNot{Reason: TooMany, Have: 3, Least: 1, Most: 2, Of: 3}, q.All())
	for _, s := range []queue.Session{
		one(queue.ModeSingle, nil), one(queue.ModeText, nil), one(queue.ModeHybrid, radioText),
	} {
		assert.Equal(t, because(OneAnswerOnly), pointing(s).Here().All())
	}
}

func TestMarksThatNobodySeesStay(t *testing.T) {
	s := one(queue.ModeMulti, func(q *queue.Question) { recommendsB(q); defaultsC(q); q.Max = 3 })
	hidden := Options{Points: true, Rules: Rules{Hidden: HiddenIn(s, hiding("c"))}}
	for name, do := range map[string]func(*Question) WhyNot{"all": (*Question).All, "recommended": (*Question).Recommend} {
		f := New(s, hidden)
		require.True(t, do(f.Here()).OK())
		assert.Contains(t, selected(f), "c", "%s: hidden", name)
		f = pointing(s)
		f.types(FieldFind, "b")
		require.True(t, do(f.Here()).OK())
		assert.Equal(t, []string{"b", "c"}, selected(f), "%s: narrowed away", name)
	}
	f := New(s, hidden)
	f.Here().All()
	f.Here().All()
	assert.Equal(t, []string{"c"}, selected(f))
	assert.Equal(t, 1, f.Here().HiddenMarks())
}

func TestAnAnswerThatComesAsAWholeIsJudgedByAccept(t *testing.T) {
	f := listing(one(queue.ModeSingle, defaultsC))
	f.Here().Select("nope", "a")
	_, err := f.Ask().Accept(f.Draft().Answer)
	var bad *queue.Invalid
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "replies[0].selected[0]", bad.Problems[0].Path)
	assert.Equal(t, WhyNot{Reason: Unacceptable}, f.Plan(Facts{}).WhyNot)
	assert.NotEmpty(t, f.Here().Problems())
}

func TestARadioThatStartsEmptyIsMarkedByThePersonAlone(t *testing.T) {
	t.Parallel()
	empty := func(q *queue.Question) { q.StartsEmpty = true }
	f := pointing(one(queue.ModeSingle, empty))
	q := f.Here()
	require.Empty(t, selected(f))
	require.False(t, q.Points(), "the cursor is on no row yet")
	require.Equal(t, NothingChosen, f.Plan(Facts{}).WhyNot.Reason)
	require.Equal(t, StepNothing, f.Enter())

	require.True(t, q.Move(1))
	require.Equal(t, []string{"a"}, selected(f), "the first motion comes to the first row")
	require.True(t, q.Move(1))
	require.Equal(t, []string{"b"}, selected(f))
	require.Equal(t, StepSend, f.Plan(Facts{}).Step)

	f = pointing(one(queue.ModeSingle, empty))
	_, why := f.Here().Digit(3)
	require.True(t, why.OK())
	require.Equal(t, []string{"c"}, selected(f))

	f = pointing(one(queue.ModeSingle, empty))
	f.Here().Narrow("B")
	require.Empty(t, selected(f), "what is found is not chosen yet")
	f.Here().Move(1)
	f.Here().ShowAll()
	require.Equal(t, []string{"b"}, selected(f))
}
