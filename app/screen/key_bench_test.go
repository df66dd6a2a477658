package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// BenchmarkMotion is a motion and the frame after it, with a hundred questions waiting, at 120×40.
func BenchmarkMotion(b *testing.B) {
	s := newBenchWith(b, 120, 40, func(*Options) {})
	for range 100 {
		_, err := s.o.Queue.Create(b.Context(), queue.Session{Ask: database(), Origin: shop()})
		if err != nil {
			b.Fatal(err)
		}
	}
	s.settle()
	s.draw()
	down, up := event("j"), event("k")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			s.Key(down)
		} else {
			s.Key(up)
		}
		s.draw()
	}
}

// BenchmarkMark is a mark on a question with several answers, up to the frame that shows it. docs/design.md counts the
// functions that it passes.
func BenchmarkMark(b *testing.B) {
	s := newBenchWith(b, 120, 40, func(*Options) {})
	roomtest.Create(b, s.o.Queue, endpoints(), shop())
	s.settle()
	s.draw()
	s.clock.Pass(time.Minute) // the guard compares with when the event was made, also on a busy machine
	mark := event("space")
	b.ReportAllocs()
	for b.Loop() {
		s.keyboard.takeKey(mark)
	}
}

// BenchmarkKeyOnLongText is a motion and the frame after it where each text is as long as it may be and has no blank.
func BenchmarkKeyOnLongText(b *testing.B) {
	s := newBenchWith(b, 80, 24, func(*Options) {})
	text := strings.Repeat("x", queue.MaxNote)
	ask := database()
	ask.Prompt, ask.Comment = text, text
	question := &ask.Questions[0]
	question.Annotate = true
	question.Options[0].Description, question.Options[0].Note = text[:4000], text
	if _, err := s.o.Queue.Create(b.Context(), queue.Session{Ask: ask, Origin: shop()}); err != nil {
		b.Fatal(err)
	}
	s.settle()
	s.draw()
	keys := []*tcell.EventKey{event("j"), event("k")}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Key(keys[i%2])
		s.draw()
	}
}

// BenchmarkArrivingQuestion is a question that the watch reports and the frame after it, with a thousand others waiting,
// at 120×40.
func BenchmarkArrivingQuestion(b *testing.B) {
	s := newBenchWith(b, 120, 40, func(*Options) {})
	asked := queue.Session{Revision: 1, Ask: database(), Origin: shop(), AskedAt: noon, CountdownFrom: noon,
		Deadline: noon.Add(time.Hour)}
	asked.Origin.Instance = "bridge"
	var all queue.Changes
	for range 1000 {
		asked.ID = queue.NewID()
		all.Sessions = append(all.Sessions, asked)
	}
	s.desk.Take(all, nil)
	s.draw()
	b.ReportAllocs()
	for b.Loop() {
		asked.ID = queue.NewID()
		s.desk.Take(queue.Changes{Sessions: []queue.Session{asked}}, nil)
		s.draw()
		s.desk.Take(queue.Changes{Gone: []string{asked.ID}}, nil)
	}
}

// BenchmarkKeyInAFullField is a key in a field that holds as much as may be sent, and the frame after it.
func BenchmarkKeyInAFullField(b *testing.B) {
	words := strings.Repeat("plain text ", queue.MaxPromptBytes/11)
	for name, c := range map[string]struct {
		text string
		keys []string
	}{
		"a letter":            {words, []string{"x", "backspace"}},
		"a letter in a word":  {strings.ReplaceAll(words, " ", "x"), []string{"x", "backspace"}},
		"a new line":          {words, []string{"ctrl+j", "backspace"}},
		"a line of many":      {strings.ReplaceAll(words, " ", "\n"), []string{"ctrl+j", "backspace"}},
		"an arrow":            {words, []string{"left", "right"}},
		"an arrow in a word":  {strings.ReplaceAll(words, " ", "x"), []string{"left", "right"}},
		"an arrow up":         {words, []string{"up", "down"}},
		"a word left":         {words, []string{"alt+b", "alt+f"}},
		"a word left in many": {strings.ReplaceAll(words, " ", "\n"), []string{"alt+b", "alt+f"}},
	} {
		b.Run(name, func(b *testing.B) {
			s := newBenchWith(b, 80, 24, func(*Options) {})
			ask := database()
			ask.Questions = []queue.Question{{ID: "q1", Mode: queue.ModeText}}
			roomtest.Create(b, s.o.Queue, ask, shop())
			s.settle()
			s.draw()
			s.clock.Pass(time.Minute)
			s.Paste(c.text)
			s.draw()
			keys := []*tcell.EventKey{event(c.keys[0]), event(c.keys[1])}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.Key(keys[i%2])
				s.draw()
			}
		})
	}
}
