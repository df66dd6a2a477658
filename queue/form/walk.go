package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Walk is the person's way through the questions of a form: one after the other, then the review of several.
type Walk struct {
	shared    *shared
	questions []*Question
	at        int // index of the question on view; len(questions) is the review
	row       int // index of the answer under the review's cursor
}

// Several reports whether the ask has more than one question, and therefore a review.
func (w *Walk) Several() bool { return len(w.questions) > 1 }

// Len returns the number of questions.
func (w *Walk) Len() int { return len(w.questions) }

// At returns the index of the question on view, counted from 0; Len means the review.
func (w *Walk) At() int { return w.at }

// Question returns a question by its index, counted from 0.
func (w *Walk) Question(i int) *Question { return w.questions[i] }

// Here returns the question on view, and in the review the last question.
func (w *Walk) Here() *Question { return w.questions[min(w.at, len(w.questions)-1)] }

// Reviewing reports whether the review is on view.
func (w *Walk) Reviewing() bool { return w.Several() && w.at == len(w.questions) }

// Row returns the index of the answer under the review's cursor.
func (w *Walk) Row() int { return w.row }

// FirstOpen returns the index of the first question without an answer, or -1 if all have one.
func (w *Walk) FirstOpen() int {
	for i, q := range w.questions {
		if !q.taken {
			return i
		}
	}
	return -1
}

// NextOpen returns the index of the next open question after the one on view, continuing at the start; Len if there
// is none.
func (w *Walk) NextOpen() int {
	for n := 1; n < len(w.questions); n++ {
		if i := (w.at + n) % len(w.questions); !w.questions[i].taken {
			return i
		}
	}
	return len(w.questions)
}

// Progress returns the number of answered questions, and the number of all questions.
func (w *Walk) Progress() (taken, of int) {
	for _, q := range w.questions {
		if q.taken {
			taken++
		}
	}
	return taken, len(w.questions)
}

// Move moves the cursor by n rows, in the review too, and reports whether it moved.
func (w *Walk) Move(n int) bool {
	if w.Reviewing() {
		return w.moveReview(w.row + n)
	}
	return w.Here().Move(n)
}

// MoveFirst moves the cursor to the first row, in the review too, and reports whether it moved.
func (w *Walk) MoveFirst() bool {
	if w.Reviewing() {
		return w.moveReview(0)
	}
	return w.Here().MoveFirst()
}

// MoveLast moves the cursor to the last row, in the review too, and reports whether it moved.
func (w *Walk) MoveLast() bool {
	if w.Reviewing() {
		return w.moveReview(len(w.questions) - 1)
	}
	return w.Here().MoveLast()
}

// moveReview moves the review's cursor to a row, or the nearest one, and reports whether it moved.
func (w *Walk) moveReview(row int) bool {
	w.shared.touched = true
	was := w.row
	w.row = min(max(row, 0), len(w.questions)-1)
	return w.row != was
}

// Next moves to the next question, or from the last one to the review, and reports whether it moved.
func (w *Walk) Next() bool { return w.moveQuestion(1) }

// Back moves to the previous question and reports whether it moved.
func (w *Walk) Back() bool { return w.moveQuestion(-1) }

// moveQuestion brings the question that is n steps away on view, or the review, and reports whether it did.
func (w *Walk) moveQuestion(n int) bool {
	w.shared.touched = true
	to := min(max(w.at+n, 0), len(w.questions))
	if !w.Several() || to == w.at {
		return false
	}
	w.enterQuestion(to)
	return true
}

// GoTo brings question i, counted from 0, on view. The review uses it to change an answer.
func (w *Walk) GoTo(i int) WhyNot {
	w.shared.touched = true
	if i < 0 || i >= len(w.questions) {
		return WhyNot{Reason: NoSuchQuestion, Have: i + 1, Of: len(w.questions)}
	}
	w.enterQuestion(i)
	return WhyNot{}
}

// Take counts the question on view as answered and moves to the next open one, or to the review if none is open. The
// caller checks with Plan whether the answer may be taken.
func (w *Walk) Take() {
	w.shared.touched, w.shared.changed = true, true
	w.Here().taken = true
	w.enterQuestion(w.NextOpen())
}

// Recommends reports whether any open question has a recommendation.
func (w *Walk) Recommends() bool {
	return slices.ContainsFunc(w.questions, func(q *Question) bool {
		return !q.taken && slices.ContainsFunc(q.Options, func(o queue.Option) bool { return o.Recommended })
	})
}

// RecommendAll answers every open question with its recommended options, and returns the number of questions without
// a recommendation. If all are answered, the review comes on view.
func (w *Walk) RecommendAll() (missing int) {
	w.shared.touched = true
	for _, q := range w.questions {
		if q.taken {
			continue
		}
		if q.bringOnView(); q.Recommend().OK() {
			q.taken, w.shared.changed = true, true
		} else {
			missing++
		}
	}
	switch {
	case w.Reviewing():
	case w.FirstOpen() < 0:
		w.enterQuestion(len(w.questions))
	default:
		w.enterQuestion(w.at)
	}
	return missing
}

// enterQuestion brings a question on view, or the review.
func (w *Walk) enterQuestion(i int) {
	w.at, w.row = i, 0
	if i < len(w.questions) {
		w.questions[i].bringOnView()
	}
}
