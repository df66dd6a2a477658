package panes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

func TestHintsKeepTheirWordsAndLeaveInOrder(t *testing.T) {
	question := []keys.Hint{{Action: keys.ActDigit, Keys: "1-3", Word: "choose", Rank: 9}, {Keys: "n", Word: "note", Rank: 2}, {Keys: "a", Word: "comment", Rank: 4},
		{Keys: "x", Word: "cancel"}, {Action: keys.ActNext, Keys: "J/K", Word: "next", Bare: true, Rank: 3},
		{Keys: "?", Word: "keys"}}
	typing := []keys.Hint{{Keys: "^J", Word: "new line", Short: "line", Rank: 1},
		{Keys: "^G", Word: "editor", Rank: 2}, {Keys: "Esc", Word: "back, text kept", Short: "back"}}
	for _, c := range []struct {
		name  string
		hints []keys.Hint
		w     int
		want  string
	}{
		{"all fit", question, 80, "1-3 choose  n note  a comment  x cancel  J/K next  ? keys"},
		{"the least important leaves", question, 50, "n note  a comment  x cancel  J/K next  ? keys"},
		{"four with words", question, 40, "n note  x cancel  J/K next  ? keys"},
		{"J/K stands bare before a key leaves", question, 30, "n note  x cancel  J/K  ? keys"},
		{"cancel and keys never leave", question, 20, "x cancel  ? keys"},
		{"short words before a key leaves", typing, 40, "^J line  ^G editor  Esc back, text kept"},
		{"the way back never leaves", typing, 20, "^J line  Esc back"},
		{"settings", []keys.Hint{{Keys: "e", Word: "edit the file", Short: "edit", Rank: 2},
			{Keys: "h", Word: "history", Rank: 4}, {Keys: "Esc", Word: "back"}, {Keys: "?", Word: "keys"}}, 40,
			"e edit  h history  Esc back  ? keys"},
		{"chat", []keys.Hint{{Keys: "Tab", Word: "next agent", Short: "agent", Rank: 1},
			{Keys: "^J", Word: "new line", Short: "line", Rank: 1}, {Keys: "^G", Word: "editor", Rank: 2},
			{Keys: "Esc", Word: "leave, text kept", Short: "leave"}}, 40,
			"Tab agent  ^J line  ^G editor  Esc leave"},
		{"one long key alone", []keys.Hint{{Keys: "Esc", Word: "leaves it as it is", Short: "leave"}}, 12, "Esc leave"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, fitHints(c.hints, c.w)) })
	}
}

// asked is a form of one question with long labels.
func asked(mode string, least, most int, change func(*queue.Ask)) *Form {
	a := queue.Ask{Title: "How should retries work?", Questions: []queue.Question{{ID: "q1", Mode: mode, Min: least, Max: most, Annotate: true, Options: []queue.Option{
		{ID: "a", Label: "Exponential backoff"}, {ID: "b", Label: "Linear"}, {ID: "c", Label: "Option 3 whose label is a whole sentence that an agent wrote"}}}}}
	if change != nil {
		change(&a)
	}
	return NewForm(queue.Session{Ask: a, Origin: queue.Origin{Client: "claude-code"}, Deadline: time.Unix(1000, 0)}, nil, nil)
}

func (f *Form) says(field Field, text string) *Form {
	f.edit(field, text)
	if field == FieldNote {
		f.noteOf = "a"
	}
	f.EndTyping()
	return f
}

func TestTheEnterLineKeepsVerbNumberAndWarningsAtEverySize(t *testing.T) {
	unseen := ink.Tail{"84 lines not seen", "84 unseen", "▼84"}
	gone := ink.Tail{"claude is gone; your answer is kept 24 h for the same ask", "claude is gone; kept 24 h", "claude is gone", "gone"}
	soon := time.Unix(970, 0)
	for _, c := range []struct {
		name  string
		form  func() *Form
		tails func(*Form) []ink.Tail
		must  []string // at every width, one of the words between |
		at    map[int]string
	}{
		{"words typed and left", func() *Form {
			f := asked(queue.ModeHybrid, 1, 1, nil).says(FieldText, "jittered")
			f.cursor = 0
			f.followDot()
			return f
		},
			nil, []string{"⏎ send Exp", "unsent"}, map[int]string{40: "⏎ send Exponential backo… · words unsent", 80: "⏎ send Exponential backoff · your words stay, unsent"}},
		{"marks and words", func() *Form {
			f := asked(queue.ModeHybrid, 1, 3, nil).says(FieldText, "my words")
			f.reply.Selected = []string{"a", "b"}
			return f
		}, nil, []string{"⏎ send 2: Exp", "words"}, map[int]string{30: "⏎ send 2: Exponential… + words", 40: "⏎ send 2: Exponential back… + your words"}},
		{"marks, words, note and comment", func() *Form {
			f := asked(queue.ModeHybrid, 1, 3, nil).says(FieldText, "my words").says(FieldNote, "why").says(FieldComment, "hm")
			f.reply.Selected = []string{"a", "b"}
			return f
		}, nil, []string{"⏎ send 2: Exp", "+"}, map[int]string{50: "⏎ send 2: Exponential back… + words, note, comment"}},
		{"unread lines", func() *Form { return asked(queue.ModeSingle, 1, 1, nil) }, func(*Form) []ink.Tail { return []ink.Tail{unseen} },
			[]string{"⏎ send Exp", "84 lines|84 unseen|▼84"}, map[int]string{40: "⏎ send Exponential … · 84 lines not seen"}},
		{"a note on a long label", func() *Form {
			f := asked(queue.ModeSingle, 1, 1, nil)
			f.goTo(2)
			f.reply.Notes["c"] = "why"
			return f
		}, nil, []string{"⏎ send Option", "+ note"}, map[int]string{40: "⏎ send Option 3 whose label is a… + note"}},
		{"less than a minute, on to the next", func() *Form {
			f := asked(queue.ModeHybrid, 0, 1, func(a *queue.Ask) {
				a.Questions = append(a.Questions, queue.Question{ID: "q2", Header: "Rollout", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: a.Questions[0].Options})
			}).says(FieldText, "some words")
			f.cursor = len(f.rows) - 1
			f.followDot()
			return f
		}, func(f *Form) []ink.Tail { return []ink.Tail{f.Clock(soon)} }, []string{"⏎ your wo", "0:00 no answer|0:00 none"}, map[int]string{40: "⏎ your words, next · at 0:00 no answer"}},
		{"hand-off", func() *Form { return asked(queue.ModeSingle, 1, 1, nil) }, func(*Form) []ink.Tail { return []ink.Tail{unseen} },
			[]string{"⏎ send Exp", "84 lines|84 unseen|▼84"}, map[int]string{40: "⏎ send Exponential … · 84 lines not seen", 80: "⏎ send Exponential backoff, then this closes · 84 lines not seen"}},
		{"hand-off, nothing to warn of", func() *Form { return asked(queue.ModeSingle, 1, 1, nil) }, nil, []string{"⏎ send Exp"},
			map[int]string{30: "⏎ send Exponential backoff", 40: "⏎ send Exponential backoff, then closes", 50: "⏎ send Exponential backoff, then this closes"}},
		{"caller gone and unread", func() *Form { return asked(queue.ModeSingle, 1, 1, nil) }, func(*Form) []ink.Tail { return []ink.Tail{unseen, gone} },
			[]string{"⏎ send Exp", "84 lines|84 unseen|▼84", "gone"}, nil},
		{"more to mark", func() *Form { return asked(queue.ModeMulti, 2, 3, nil) }, nil, []string{"⏎ mark 2 more", "2 to 3"}, map[int]string{30: "⏎ mark 2 more · 0 of 2 to 3"}},
		{"confirmation", func() *Form {
			f := asked(queue.ModeSingle, 1, 1, func(a *queue.Ask) { a.Confirm = true })
			f.StartConfirm()
			return f
		}, nil, []string{"nothing", "y sends “Exp", "”"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := c.form()
			p := f.Enter(ink.Unicode)
			if c.tails != nil {
				p.Tails = append(p.Tails, c.tails(f)...)
			}
			if strings.HasPrefix(c.name, "hand-off") {
				p = p.Closing()
			}
			v := FootView{Line: p.Words, Parts: p.Parts, Tails: p.Tails}
			for _, w := range []int{30, 40, 50, 80} {
				got := ink.FitLine(v.Line, v.Parts, v.Tails, w, ink.Unicode)
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

func TestAMessageLongerThanALineTakesTheKeysLineToo(t *testing.T) {
	screen := tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, screen.Init())
	screen.SetSize(40, 2)
	draw := func(words string) []string {
		screen.Clear()
		DrawFoot(ink.Canvas{Screen: screen, Glyphs: ink.Unicode}, ink.Rect{X: 0, Y: 0, W: 40, H: 2},
			FootView{Line: "⏎ send it", Message: words,
				Keys: []keys.Hint{{Keys: "n", Word: "note", Rank: 1}, {Keys: "?", Word: "keys"}}})
		screen.Show()
		cells, w, _ := screen.GetContents()
		rows := make([]string, 2)
		for i, cell := range cells {
			rows[i/w] += string(cell.Runes)
		}
		return []string{strings.TrimRight(rows[0], " "), strings.TrimRight(rows[1], " ")}
	}
	require.Equal(t, []string{"24 h is the most", "n note  ? keys"}, draw("24 h is the most"))
	require.Equal(t, []string{"q again leaves; the question stays for", "the dashboard, this command is used up"},
		draw("q again leaves; the question stays for the dashboard, this command is used up"))
	require.Equal(t, []string{"this one takes its options only: x", "cancels it and tells why          ? keys"}, draw("this one takes its options only: x cancels it and tells why"))
}
