package question

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// retries returns a display of one question with long labels.
func retries(mode string, least, most int, change func(*queue.Ask)) *display {
	a := queue.Ask{Title: "How should retries work?", Questions: []queue.Question{{ID: "q1", Mode: mode, Min: least,
		Max:      most,
		Annotate: true, Options: []queue.Option{{ID: "a", Label: "Exponential backoff"}, {ID: "b", Label: "Linear"},
			{ID: "c", Label: "Option 3 whose label is a whole sentence that an agent wrote"}}}}}
	if change != nil {
		change(&a)
	}
	return viewOf(queue.Session{Ask: a, Origin: queue.Origin{Client: "claude-code"}, Deadline: time.Unix(1000, 0)})
}

// says types a text and ends typing.
func (v *display) says(field form.Field, text string) *display {
	v.form.Begin(field)
	v.form.Type(text)
	v.form.EndTyping()
	return v
}

// entered returns the Enter line of a display.
func (v *display) entered(facts form.Facts, w int) string {
	return ink.Fit(say.Enter(v.form.Plan(facts), v.form.Typing(), say.Who(v.session.Origin), v.speech()), w, ink.Unicode)
}

func TestTheEnterLineKeepsVerbNumberAndWarningsAtEverySize(t *testing.T) {
	unseen := form.Facts{Unseen: 84}
	sends, plain := "⏎ Send Exp", func() *display { return retries(queue.ModeSingle, 1, 1, nil) }
	for _, c := range []struct {
		name    string
		display func() *display
		facts   form.Facts
		must    []string // at every width, one of the words between |
		at      map[int]string
	}{
		{"words typed and left", func() *display {
			v := retries(queue.ModeHybrid, 1, 1, nil).says(form.FieldText, "jittered")
			v.form.MoveFirst()
			return v
		}, form.Facts{}, []string{sends, "unsent"}, map[int]string{
			40: "⏎ Send Exponential backoff · text unsent", 80: "⏎ Send Exponential backoff · your text stays, unsent"}},
		{"marks and words", func() *display {
			v := retries(queue.ModeHybrid, 1, 3, nil).says(form.FieldText, "my words")
			v.q().Choose(1, 2)
			return v
		}, form.Facts{}, []string{"⏎ Send 2: Exp", "text"}, map[int]string{
			30: "⏎ Send 2: Exponen… + your text", 40: "⏎ Send 2: Exponential backo… + your text"}},
		{"marks, words, note and comment", func() *display {
			v := retries(queue.ModeHybrid, 1, 3, nil).says(form.FieldNote, "why").says(form.FieldText, "my words")
			v.says(form.FieldComment, "hm").q().Choose(1, 2)
			return v
		}, form.Facts{}, []string{"⏎ Send 2: Exp", "+"},
			map[int]string{50: "⏎ Send 2: Exponential backo… + text, note, comment"}},
		{"unread lines", plain, unseen, []string{sends, "84 lines|84 unread|▼84"},
			map[int]string{40: "⏎ Send Exponential ba… · 84 lines unread"}},
		{"a note on a long label", func() *display {
			v := retries(queue.ModeSingle, 1, 1, nil)
			v.form.Move(2)
			return v.says(form.FieldNote, "why")
		}, form.Facts{}, []string{"⏎ Send Option", "+ “why”"}, map[int]string{40: "⏎ Send Option 3 whose label is … + “why”"}},
		{"less than a minute, on to the next", func() *display {
			return retries(queue.ModeHybrid, 0, 1, func(a *queue.Ask) {
				a.Questions = append(a.Questions, queue.Question{ID: "q2", Header: "Rollout", Mode: queue.ModeSingle, Min: 1,
					Max:     1,
					Options: a.Questions[0].Options})
			}).says(form.FieldText, "some words")
		}, form.Facts{Soon: true}, []string{"Next: Rollout", "expires at 0:00|0:00 expires|0:00 ends"},
			map[int]string{40: "Next: Rollout · expires at 0:00"}},
		{"hand-off", plain, form.Facts{Unseen: 84, Closes: true}, []string{sends, "84 lines|84 unread|▼84"}, map[int]string{
			40: "⏎ Send Exponential ba… · 84 lines unread",
			80: "⏎ Send Exponential backoff and close · 84 lines unread"}},
		{"hand-off, nothing to warn of", plain, form.Facts{Closes: true}, []string{sends}, map[int]string{
			30: "⏎ Send Exponential backoff", 40: "⏎ Send Exponential backoff and close",
			50: "⏎ Send Exponential backoff and close"}},
		{"caller gone and unread", plain, form.Facts{Unseen: 84, Gone: true}, []string{sends, "84 lines|84 unread|▼84",
			"gone|disconnected"},
			map[int]string{120: "⏎ Send Exponential backoff · 84 lines unread · claude disconnected; if it asks again within " +
				"10 min it gets this answer"}},
		{"cut, with a key to read it", plain, form.Facts{Cut: true}, []string{sends, "(z)"},
			map[int]string{80: "⏎ Send Exponential backoff · more to read (z)"}},
		{"more to mark", func() *display { return retries(queue.ModeMulti, 2, 3, nil) }, form.Facts{},
			[]string{"Not yet: mark 2 or more"}, map[int]string{30: "Not yet: mark 2 or more"}},
		{"confirmation", func() *display {
			v := retries(queue.ModeSingle, 1, 1, func(a *queue.Ask) { a.Confirm = true })
			v.form.Enter()
			return v
		}, form.Facts{}, []string{"y to confirm “Exp", "”"}, nil},
		{"confirmation not read", func() *display {
			v := retries(queue.ModeSingle, 1, 1, func(a *queue.Ask) { a.Confirm = true })
			v.form.Enter()
			return v
		}, form.Facts{UnseenHere: 3}, []string{"3 lines", "y confirms “|Exp"},
			map[int]string{80: "3 lines unread · y confirms “Exponential backoff”"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := c.display()
			for _, w := range []int{30, 40, 50, 80, 120} {
				got := v.entered(c.facts, w)
				require.LessOrEqual(t, ink.Width(got), w)
				for _, must := range c.must {
					held := false
					for words := range strings.SplitSeq(must, "|") {
						held = held || strings.Contains(got, words)
					}
					require.True(t, held, "%d: %q has no %s", w, got, must)
				}
				if want, ok := c.at[w]; ok {
					assert.Equal(t, want, got, fmt.Sprint(w))
				}
			}
		})
	}
}

func TestTextTooLongIsSaidWhileTypingAndAfter(t *testing.T) {
	v := viewOf(queue.Session{ID: "s", Ask: queue.Ask{Kind: queue.KindChoice, Title: "T",
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeText, Annotate: true}}}})
	begin := func(field form.Field) {
		text, why := v.form.Begin(field)
		require.True(t, why.OK())
		v.field = editor.New(text)
	}
	types := func(text string) { v.field.SetText(text); v.form.Type(text) }
	begin(form.FieldText)
	types(strings.Repeat("x", queue.MaxPromptBytes-100))
	require.Equal(t, "⏎ Send “"+strings.Repeat("x", 53)+"…” · 100 bytes left", v.entered(form.Facts{}, 80))
	types(strings.Repeat("x", queue.MaxPromptBytes+7))
	require.Equal(t, "Not yet: your words are 7 bytes too long (at most 32768)", v.entered(form.Facts{}, 80))
	v.form.EndTyping()
	require.Equal(t, "Not yet: your words are 7 bytes too long (at most 32768)", v.entered(form.Facts{}, 80))
	begin(form.FieldComment)
	types(strings.Repeat("é", queue.MaxNote+1))
	require.Equal(t, "Done typing · 1 character too many (at most 8000)", v.entered(form.Facts{}, 80))
	v.form.EndTyping()
	begin(form.FieldReason)
	types(strings.Repeat("é", queue.MaxNote+1))
	require.Equal(t, "Not yet: 1 character too long (at most 8000)", v.entered(form.Facts{}, 80))
	types("no")
	require.Equal(t, "⏎ Cancel and tell the agent", v.entered(form.Facts{}, 80))
	require.Equal(t, "⏎ Cancel; the agent disconnected", v.entered(form.Facts{Gone: true}, 80))
}

func TestWhatIsOverSaysHowItEndedAndThatTheTextIsKept(t *testing.T) {
	answer := queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"a"}}}}
	for _, c := range []struct {
		name, typed string
		outcome     queue.Outcome
		want        []string // in 79 cells
		tight       map[int]string
	}{
		{"answered elsewhere", "my text", queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman,
			Surface: queue.SurfaceCLI, Answer: answer},
			[]string{"Answered: Exponential backoff · on the command line",
				"Your text was not sent. It is saved; press y to copy it."},
			map[int]string{29: "Answered: Exponential… · kept", 39: "Answered: Exponential back… · text kept",
				79: "Answered: Exponential backoff · your text is kept · on the command line"}},
		{"answered elsewhere with the text", "my text", queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman,
			Surface: queue.SurfaceCLI, Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Text: "my text"}}}},
			[]string{"Answered: “my text” · on the command line"}, map[int]string{39: "Answered: “my text”"}},
		{"nothing typed", "", queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceWeb,
			Answer: answer},
			[]string{"Answered: Exponential backoff · in the browser"},
			map[int]string{36: "Answered: Exponential backoff", 39: "Answered: Exponential… · in the browser"}},
		{"the clock", "my text", queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock},
			[]string{"! Timed out: no answer", "  Your text was not sent. It is saved; press y to copy it."},
			map[int]string{29: "! Timed out: no answer · kept", 39: "! Timed out: no answer · text kept"}},
		{"cancelled with a reason", "", queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman,
			Surface: queue.SurfaceDashboard, Reason: "not now"},
			[]string{"Cancelled: “not now” · in another dashboard"}, map[int]string{39: "Cancelled: “not now”"}},
		{"cancelled without", "", queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman,
			Surface: queue.SurfaceDashboard},
			[]string{"Cancelled in another dashboard"}, nil},
		{"withdrawn", "", queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller},
			[]string{"! Withdrawn by claude"}, nil},
		{"defaults", "", queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock, Answer: answer},
			[]string{"! Timed out: Exponential backoff · its defaults were sent"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := retries(queue.ModeHybrid, 1, 3, nil)
			if c.typed != "" {
				v.says(form.FieldText, c.typed)
			}
			c.outcome.At = time.Unix(900, 0)
			v.session.Outcome = &c.outcome
			h := heading{v}
			assert.Equal(t, c.want, h.overNotice(79))
			for w, want := range c.tight {
				assert.Equal(t, want, h.overLine(w))
			}
			for _, w := range []int{29, 33, 39, 49, 79} {
				for _, l := range append(h.overNotice(w), h.overLine(w)) {
					require.LessOrEqual(t, ink.Width(l), w, l)
				}
				if c.typed != "" && len(c.want) > 1 {
					require.Contains(t, h.overLine(w), " kept")
					require.Contains(t, strings.Join(h.overNotice(w), " "), "saved")
				}
			}
		})
	}
}
