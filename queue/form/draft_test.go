package form

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// drafted returns a draft of another instance, saved that many minutes after noon.
func drafted(f *Form, minutes int) queue.Draft {
	d := f.Draft()
	d.Instance, d.At = "other", noon.Add(time.Duration(minutes)*time.Minute)
	return d
}

func TestADraftKeepsAllThatWasMarkedAndTyped(t *testing.T) {
	for name, points := range map[string]bool{"with a cursor": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			f := New(three(), Options{Points: points})
			f.Here().Mark("c")
			f.Here().Note("a", "why")
			f.Take()
			f.Here().Write("mine")
			f.Here().Mark("a")
			f.Comment("on the whole")
			f.GiveReason("perhaps")
			d := drafted(f, 1)
			assert.Equal(t, []string{"q1"}, d.Answered)
			again := New(three(), Options{Points: points, Draft: &d})
			assert.Equal(t, f.Answer(), again.Answer())
			assert.Equal(t, f.Typed(), again.Typed())
			assert.Equal(t, "mine", again.Question(1).Words(), "also what would stay behind")
			assert.Equal(t, 1, again.At(), "at the first one without an answer")
			assert.Equal(t, "perhaps", again.ReasonText())
			assert.Equal(t, Source{Instance: "other", At: noon.Add(time.Minute)}, again.From())
			assert.True(t, again.Changed())
			assert.False(t, again.Touched())
		})
	}
}

func TestADraftOfOneFrontendIsTakenUpByTheOther(t *testing.T) {
	lines := listing(one(queue.ModeHybrid, radioText))
	lines.Here().Choose(1)
	lines.Here().Write("mine")
	d := drafted(lines, 1)
	screen := New(one(queue.ModeHybrid, radioText), Options{Points: true, Draft: &d})
	assert.True(t, screen.Here().OnWords(), "the words are the answer")
	screen.Move(-1)
	d = drafted(screen, 2)
	lines = New(one(queue.ModeHybrid, radioText), Options{Draft: &d})
	assert.Equal(t, []string{"c"}, selected(lines))
	assert.Equal(t, "mine", lines.Here().Words())
}

func TestADraftThatLacksAQuestionLeavesItsDefaults(t *testing.T) {
	s := asked(question("q1", queue.ModeMulti, nil), question("q2", queue.ModeMulti, defaultsC))
	d := queue.Draft{Session: "s", Answered: []string{"q1"},
		Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"a"}}}}}
	f := New(s, Options{Draft: &d})
	assert.Equal(t, []string{"c"}, f.Answer().Replies[1].Selected)
	d.Answer.Replies = []queue.Reply{{Question: "q2", Selected: []string{"b"}}, {Question: "q1", Selected: []string{"a"}}}
	f = New(s, Options{Draft: &d})
	assert.Equal(t, []string{"a"}, f.Answer().Replies[0].Selected, "by its id, wherever it stands")
	d.Answered = []string{"q1", "q2"}
	assert.Equal(t, 0, New(s, Options{Draft: &d}).At(), "all are answered: the first, not the review, comes on view")
	d.Answered = []string{"q1"}
	f = New(one(queue.ModeMulti, nil), Options{Draft: &d})
	assert.False(t, f.Here().Taken(), "one question is not taken but sent")
}

func TestAFormAndItsDraftShareNothing(t *testing.T) {
	s := one(queue.ModeMulti, func(q *queue.Question) { q.Options[0].Note = "theirs" })
	f := listing(s)
	d := f.Draft()
	a := f.Answer()
	f.Here().Note("a", "mine")
	f.Here().Mark("a")
	f.Here().Selected()[0] = "changed"
	assert.Equal(t, "theirs", d.Answer.Replies[0].Notes["a"])
	assert.Empty(t, a.Replies[0].Selected)
	assert.Equal(t, []string{"a"}, selected(f))
	again := New(s, Options{Draft: &d})
	again.Here().Note("a", "other")
	assert.Equal(t, "theirs", d.Answer.Replies[0].Notes["a"])
}

func TestAnyKeyOfTheAnswerTouchesTheForm(t *testing.T) {
	for name, press := range map[string]func(*Form){
		"a motion":                 func(f *Form) { f.Move(1) },
		"a motion at the end":      func(f *Form) { f.Move(-1) },
		"to the end":               func(f *Form) { f.MoveLast() },
		"a digit":                  func(f *Form) { f.Here().Digit(2) },
		"a digit without option":   func(f *Form) { f.Here().Digit(9) },
		"a mark":                   func(f *Form) { f.Here().Toggle() },
		"a mark by id":             func(f *Form) { f.Here().Mark("a") },
		"a mark taken away":        func(f *Form) { f.Here().Unmark("a") },
		"numbers":                  func(f *Form) { f.Here().Choose(1) },
		"an answer as a whole":     func(f *Form) { f.Here().Select("a") },
		"recommended":              func(f *Form) { f.Here().Recommend() },
		"recommended for all":      func(f *Form) { f.RecommendAll() },
		"all":                      func(f *Form) { f.Here().All() },
		"own words":                func(f *Form) { f.Here().Write("x") },
		"a note":                   func(f *Form) { f.Here().Note("a", "x") },
		"a comment":                func(f *Form) { f.Comment("x") },
		"a reason":                 func(f *Form) { f.GiveReason("x") },
		"what the face knows of":   (*Form).Touch,
		"typing, nothing typed":    func(f *Form) { f.Begin(FieldReason) },
		"narrowing":                func(f *Form) { f.Here().Narrow("a") },
		"another question":         func(f *Form) { f.Next() },
		"a question by its number": func(f *Form) { f.GoTo(0) },
		"taking":                   func(f *Form) { f.Take() },
		"starting over":            func(f *Form) { f.StartOver() },
		"confirming":               func(f *Form) { f.Confirm() },
	} {
		f := pointing(three())
		newer := drafted(pointing(three()), 1)
		require.False(t, f.Touched(), name)
		press(f)
		assert.True(t, f.Touched(), name)
		took := f.TakeOver(newer)
		assert.False(t, took, "%s: it keeps its own", name)
	}
	s := three()
	f := New(s, Options{Points: true, Rules: Rules{Hidden: HiddenIn(s, hiding("a"))}})
	f.Here().ShowHidden()
	assert.True(t, f.Touched())
}

func TestLookingAndSettingsDoNotTouchTheForm(t *testing.T) {
	f := pointing(three())
	f.Plan(Facts{Unseen: 1})
	f.Answer()
	f.Draft()
	f.Follow(Rules{NoNotes: true})
	f.Here().ToHide(0)
	assert.False(t, f.Touched())
	assert.False(t, f.Changed())
	assert.Zero(t, f.From())
}

func TestEnterGoesOnWithWhatIsThereAndDoesNotTouchTheForm(t *testing.T) {
	armed := pointing(one(queue.ModeMulti, bounds(0, 3)))
	armed.enters(2)
	assert.False(t, armed.Touched())
	s := one(queue.ModeSingle, nil)
	s.Ask.Confirm = true
	confirming := pointing(s)
	confirming.enters(2)
	confirming.Decline()
	assert.False(t, confirming.Touched())
	taking := pointing(three())
	taking.Enter()
	assert.True(t, taking.Touched(), "an answer taken is the person's own")
	typing := pointing(one(queue.ModeText, nil))
	typing.Enter()
	assert.True(t, typing.Touched())
	d := drafted(pointing(three()), 1)
	d.Answered = []string{"q1"}
	open := New(three(), Options{Points: true, Draft: &d})
	open.enterQuestion(open.Len())
	open.Enter()
	assert.Equal(t, 1, open.At())
	assert.False(t, open.Touched())
}

func TestANewerDraftOfAnotherViewTakesThePlaceOfAnOlderOne(t *testing.T) {
	other := pointing(three())
	other.Here().Mark("a")
	first := drafted(other, 1)
	other.Take()
	other.Here().Write("newer")
	second := drafted(other, 2)
	takes := func(f *Form, d queue.Draft) bool { return f.TakeOver(d) }

	f := pointing(three())
	require.True(t, takes(f, first))
	assert.Equal(t, []string{"a"}, selected(f))
	assert.Equal(t, noon.Add(time.Minute), f.From().At)
	assert.False(t, takes(f, first), "the same again")
	require.True(t, takes(f, second))
	assert.Equal(t, 1, f.At())
	assert.Equal(t, "newer", f.Here().Words())
	assert.Equal(t, "other", f.From().Instance)
	assert.True(t, takes(f, first), "what a seat saved last counts, whatever its clock did")
	older := second
	older.Instance = "third"
	require.True(t, takes(f, second))
	assert.False(t, takes(f, older), "of another seat only a newer one does")
	older.At = older.At.Add(time.Minute)
	older.Session = "another"
	assert.False(t, takes(f, older), "of another question")
	assert.False(t, f.Touched())
	assert.True(t, f.Changed())
}

func TestADraftThatSaysTheSameIsNoNewQuestion(t *testing.T) {
	f := pointing(three())
	d := drafted(pointing(three()), 1)
	assert.False(t, f.TakeOver(d))
	assert.Equal(t, Source{Instance: "other", At: d.At}, f.From())
}

func TestAConfirmationTakesNoDraftFromElsewhere(t *testing.T) {
	s := one(queue.ModeSingle, nil)
	s.Ask.Confirm = true
	other := pointing(s)
	other.Move(1)
	f := pointing(s)
	f.Enter()
	require.True(t, f.Confirming())
	assert.False(t, f.TakeOver(drafted(other, 1)))
	assert.True(t, f.Confirming())
	assert.Equal(t, []string{"a"}, selected(f))
	f.Decline()
	assert.True(t, f.TakeOver(drafted(other, 2)))
	assert.Equal(t, []string{"b"}, selected(f))
}

func TestOptionsThatAreShownStayShownWhenADraftIsTakenOver(t *testing.T) {
	s := one(queue.ModeMulti, nil)
	other := listing(s)
	other.Here().Mark("c")
	f := New(s, Options{Points: true, Rules: Rules{Hidden: HiddenIn(s, hiding("a"))}})
	f.shared.showHidden = true
	took := f.TakeOver(drafted(other, 1))
	require.True(t, took)
	assert.Equal(t, []int{0, 1, 2}, f.Here().Rows())
}

func TestADraftIsWorthWritingOnceSomethingChanged(t *testing.T) {
	f := pointing(one(queue.ModeMulti, nil))
	f.Move(1)
	assert.False(t, f.Changed(), "a cursor alone is no answer")
	f.Here().Toggle()
	assert.True(t, f.Changed())
	f = pointing(one(queue.ModeSingle, nil))
	f.Move(-1)
	assert.False(t, f.Changed())
	f.Move(1)
	assert.True(t, f.Changed(), "the dot moved")
	f = pointing(one(queue.ModeSingle, nil))
	f.Begin(FieldNote)
	f.Type("")
	assert.False(t, f.Changed())
	f.Type("x")
	assert.True(t, f.Changed())
}

func TestWorkIsTextMarksOrAnswersAndNoCursorThatMoved(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.Move(1)
	assert.False(t, f.HasWork())
	f.Here().Note("a", "why")
	assert.True(t, f.HasWork())

	f = pointing(one(queue.ModeMulti, defaultsC))
	assert.False(t, f.HasWork())
	f.Here().Mark("a")
	assert.True(t, f.HasWork())
	f.Here().Unmark("a")
	assert.False(t, f.HasWork(), "as it was")

	f = pointing(three())
	f.Take()
	assert.True(t, f.HasWork())
}
