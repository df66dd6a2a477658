package form

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

var noon = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

// question returns a question with options a, b and c, labelled A, B and C.
func question(id, mode string, change func(*queue.Question)) queue.Question {
	q := queue.Question{ID: id, Mode: mode, Annotate: true}
	if mode != queue.ModeText {
		q.Options = []queue.Option{{ID: "a", Label: "A"}, {ID: "b", Label: "B"}, {ID: "c", Label: "C"}}
	}
	q.Min, q.Max = queue.Bounds(mode, len(q.Options))
	if change != nil {
		change(&q)
	}
	return q
}

// asked returns a session of claude with these questions.
func asked(questions ...queue.Question) queue.Session {
	return queue.Session{ID: "s", Origin: queue.Origin{Client: "claude-code"},
		Ask: queue.Ask{Kind: queue.KindChoice, Title: "T", Questions: questions}}
}

// one returns a session with one question.
func one(mode string, change func(*queue.Question)) queue.Session {
	return asked(question("q1", mode, change))
}

// pointing returns the form of a frontend with a cursor, listing that of a frontend without.
func pointing(s queue.Session) *Form { return New(s, Options{Points: true}) }
func listing(s queue.Session) *Form  { return New(s, Options{}) }

func radioText(q *queue.Question)   { q.Max = 1 }
func recommendsB(q *queue.Question) { q.Options[1].Recommended = true }
func defaultsC(q *queue.Question)   { q.Defaults = []string{"c"} }

func bounds(least, most int) func(*queue.Question) {
	return func(q *queue.Question) { q.Min, q.Max = least, most }
}

func hiding(ids ...string) []HiddenOption {
	var list []HiddenOption
	for _, id := range ids {
		list = append(list, HiddenOption{Client: "claude-code", ID: id, Label: string(rune(id[0] - 32))})
	}
	return list
}

// selected returns the options of the first question that would be sent.
func selected(f *Form) []string { return f.Answer().Replies[0].Selected }

// types types a text and ends typing.
func (f *Form) types(field Field, text string) {
	if _, why := f.Begin(field); !why.OK() {
		panic(why)
	}
	f.Type(text)
	f.EndTyping()
}

// enters presses Enter several times, as a frontend does, and returns the steps.
func (f *Form) enters(times int) (steps []Step) {
	for range times {
		steps = append(steps, f.Enter())
	}
	return steps
}
