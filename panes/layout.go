package panes

// The least terminal that can show a question safely.
const (
	LeastWidth  = 30
	LeastHeight = 10
	wideFrom    = 100
)

// Areas is where everything goes: rules, question, queue and the two lines of the foot. It is a pure function
// of the size and the state, see Layout.
type Areas struct {
	TooSmall bool
	Wide     bool
	Rule     Rect // over the question; wide: over its column
	ListRule Rect // wide only: over the queue
	Question Rect
	Fit      Fit
	Queue    Rect // the strip, or the list when wide
	Divider  Rect // wide only: one column
	Settings Rect // wide only, below the list: its rule is the row above it; see WithSettings
	Lower    Rect // the rule over the strip; wide: over the foot
	Foot     Rect // two rows
}

// ListWidth is the width of the queue left of the question.
func ListWidth(w int) int {
	switch {
	case w < wideFrom:
		return 0
	case w >= 160:
		return 50
	}
	return 40
}

// Layout shares a w×h screen. form is the question on screen, nil for none; waiting is how many questions wait, that
// one included while it is pending; alone: one session only (attach), without a queue.
func Layout(w, h int, form *Form, waiting int, alone bool) Areas {
	a := Areas{TooSmall: w < LeastWidth || h < LeastHeight, Foot: Rect{0, h - 2, w, 2}}
	if a.TooSmall {
		return a
	}
	if list := ListWidth(w); list > 0 && !alone && (form != nil || waiting > 0) {
		a.Wide = true
		a.ListRule = Rect{0, 0, list, 1}
		a.Queue = Rect{0, 1, list, h - 4}
		a.Divider = Rect{list, 0, 1, h - 2}
		a.Rule = Rect{list + 1, 0, w - list - 1, 1}
		a.Question = Rect{list + 2, 1, w - list - 2, h - 4}
		a.Lower = Rect{0, h - 3, w, 1}
		if form != nil {
			a.Fit = form.Fit(a.Question.W, a.Question.H, 0)
		}
		return a
	}
	a.Rule = Rect{0, 0, w, 1}
	total, strip, others := h-4, 0, waiting-1
	if form != nil && form.Session.Outcome != nil { // over: all that wait are others
		others = waiting
	}
	if others > 0 && !alone {
		strip = min(waiting, h/3)
	}
	if form != nil && form.Confirming() {
		strip = form.confirmStrip(w, total, strip)
	}
	a.Fit = Fit{H: total - strip, Strip: strip}
	if form != nil && !form.Confirming() {
		a.Fit = form.Fit(w, total, strip)
	}
	a.Question = Rect{0, 1, w, a.Fit.H}
	a.Lower = Rect{0, 1 + a.Fit.H, w, 1}
	a.Queue = Rect{0, 2 + a.Fit.H, w, a.Fit.Strip}
	return a
}

// enoughRows is how many rows a queue with the focus is content with.
const enoughRows = 4

// WithQueue gives rows of the form to the strip while the queue has the focus, if it has too few to move in: as many
// as it needs, up to two thirds. line: one more, for what is typed to narrow it. The form keeps its title, and comes
// back as it was.
func (a Areas) WithQueue(form *Form, waiting int, line bool) Areas {
	if a.TooSmall || a.Wide || form == nil {
		return a
	}
	typed := 0
	if line {
		typed = 1
	}
	total := a.Fit.H + a.Fit.Strip
	strip := min(max(waiting, 1)+typed, total*2/3)
	if a.Fit.Strip >= min(waiting, enoughRows)+typed || strip <= a.Fit.Strip {
		return a
	}
	a.Fit = Fit{H: total - strip}
	if !form.Confirming() {
		was := form.frozen
		a.Fit = form.Fit(a.Question.W, total-strip, 0)
		form.frozen = was
		if room := a.Fit.H - len(form.heading(a.Question.W, true)); room-a.Fit.Prompt < leastOptions { // too few to choose from
			a.Fit.Prompt = max(room, 0)
		}
	}
	a.Fit.Strip = strip
	a.Question.H = a.Fit.H
	a.Lower.Y = a.Question.Y + a.Fit.H
	a.Queue = Rect{a.Queue.X, a.Lower.Y + 1, a.Queue.W, strip}
	return a
}

// WithSettings gives the rows under the queue that it does not need to the settings, at most SettingsRows. queue is
// how many rows the queue's list takes, which comes first; focus: keys go to the settings, so that a few rows stay.
func (a Areas) WithSettings(queue int, focus bool) Areas {
	const least = 3
	rows := min(a.Queue.H-queue-1, SettingsRows)
	if focus {
		rows = max(rows, least)
	}
	if !a.Wide || rows < least || a.Queue.H-rows-1 < 2 {
		return a
	}
	a.Queue.H -= rows + 1
	a.Settings = Rect{a.Queue.X, a.Queue.Y + a.Queue.H + 1, a.Queue.W, rows}
	return a
}
