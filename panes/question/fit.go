package question

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// Stages of giving way, in the order of docs/design.md section 6. Each includes the ones before it.
const (
	stageRoomy    = iota
	stageNoBlanks // blank lines go
	stageNoCount  // the line that counts marks goes: the Enter line says it too
	stageFolded   // descriptions fold into one detail block
	stagePrompt   // the prompt goes down to one line
	stageStrip    // the queue strip goes down to its rule
	stageScroll   // options scroll
)

// Fit says how a question shares the rows between its rule and the rule below it. It is worked out from the state and
// changes nothing: what the question keeps of it while it stays on screen is taken over when it is arranged.
type Fit struct {
	stage  int
	back   regained
	total  int    // rows of question and strip together
	keeps  frozen // what the rows go by the next time
	Prompt int    // rows of the prompt
	Strip  int    // rows of the queue strip below, 0 for its rule alone
	H      int    // rows of the question
	Free   int    // the last of these, which it leaves empty
	cut    bool   // not all of the prompt is on screen
}

// regained lists what gave way first and came back, because what gave way after it has left rows empty.
type regained struct {
	count bool
	gaps  gap // the gaps before this one are back
}

// gap is a blank line, in the order in which they come back.
type gap int

const (
	gapOptions gap = iota // above the options
	gapHead               // below title and notices
	gapCount              // above how many to mark
	gapNotice             // above the notices
	gaps                  // how many there are
)

// blank returns the rows of a gap.
func (t Fit) blank(g gap) int {
	if t.stage < stageNoBlanks || g < t.back.gaps {
		return 1
	}
	return 0
}

// Whole reports whether a question shows all of its text and its options with their descriptions, so that the button
// has its place below them. The confirmation and the text alone have none.
func (t Fit) Whole() bool { return t.keeps.set && t.stage < stageFolded && !t.cut }

func (t Fit) counted() bool { return t.stage < stageNoCount || t.back.count }
func (t Fit) folded() bool  { return t.stage >= stageFolded }

// smallTotal counts the rows of question and strip together in a pane of 12 rows.
const smallTotal = 8

// hides reports whether not even the description of the option under the cursor is shown: a small pane has a row that
// counts them instead, and shows more of the question's text.
func (t Fit) hides() bool { return t.folded() && t.total <= smallTotal }

func (t Fit) tight() bool { return t.stage >= stageScroll }

// arranged holds the result of the last arrangement of the rows.
type arranged struct {
	frozen   frozen
	cut      bool // the option under the cursor is not shown in full
	cutTitle bool
}

// frozen is the fit a question came on screen with: nothing moves under the eye while it stays there.
type frozen struct {
	set                     bool
	w, total, stage, prompt int
	back                    regained
}

// thaw forgets the fit: the question comes on screen again.
func (v *view) thaw() { v.frozen = frozen{} }

// fit shares total rows (question and strip together) at wide cells, with a strip of up to strip rows. While the
// question stays on screen at one size its rows keep their places: an arrival takes empty rows only.
func (v *view) fit(wide, total, strip int) Fit {
	if v.onlyText() {
		return Fit{total: total, H: total, Prompt: total, keeps: v.frozen, cut: true}
	}
	t := v.fitFrom(v.frozen, wide, total, strip)
	t.cut = t.Prompt < len(prompt{v}.whole(wide))
	t.Free = max(t.H-v.need(panes.Measured(wide), t), 0)
	return t
}

// fitFrom returns the fit of a question that was on screen with the frozen one.
func (v *view) fitFrom(z frozen, wide, total, strip int) Fit {
	w, from := panes.Measured(wide), stageRoomy
	if z.set && z.w == w && z.total == total {
		from = z.stage
		got := Fit{stage: z.stage, back: z.back, total: total, keeps: z, Prompt: z.prompt}
		if need := v.need(w, got); need <= total {
			got.Strip = min(strip, total-need)
			got.H = total - got.Strip
			return got
		}
	}
	got := v.giveWay(wide, total, strip, from)
	got.keeps = frozen{set: true, w: w, total: total, stage: got.stage, prompt: got.Prompt, back: got.back}
	return got
}

// squeezed returns a fit in fewer rows, without a strip, for a while: what it keeps is what it kept with all rows.
func (v *view) squeezed(whole Fit, wide, rows int) Fit {
	if v.onlyText() {
		return Fit{total: rows, H: rows, Prompt: rows, keeps: whole.keeps}
	}
	t := v.fitFrom(frozen{}, wide, rows, 0)
	t.keeps, t.Free = whole.keeps, max(t.H-v.need(panes.Measured(wide), t), 0)
	room := t.H - len(heading{v}.lines(panes.Measured(wide), true))
	if room-t.Prompt < min(leastOptions, len(v.q().Options)) { // too few to choose from
		t.Prompt = max(room, 0)
	}
	return t
}

// giveWay shortens the question stage by stage, beginning with stage from, and returns the first fit that shows
// everything. If there is none, it returns the fit of stageScroll.
func (v *view) giveWay(wide, total, strip, from int) Fit {
	w, all := panes.Measured(wide), len(prompt{v}.whole(wide))
	for stage := from; stage < stageScroll; stage++ {
		s := strip
		if stage >= stageStrip {
			s = 0
		}
		h := total - s
		t := Fit{stage: stage, total: total, Prompt: min(all, max(h/2, 1))}
		if stage >= stagePrompt && !isApproval(v) { // what is approved is read before anything is chosen
			t.Prompt = min(all, 1)
		}
		if need := v.need(w, t); need <= h {
			t.Prompt, t.H = min(all, t.Prompt+h-need), h
			t = v.regain(w, t, 0)
			if stage >= stageStrip { // what prompt and count do not need
				s = min(strip, h-v.need(w, t))
			}
			t.Strip, t.H = s, total-s
			return v.regain(w, t, gaps)
		}
	}
	t := Fit{stage: stageScroll, total: total, H: total}
	t.Prompt = v.leastPrompt(wide, t, all)
	t.back = v.spared(w, t)
	return t
}

// From so many rows of options on that scroll, how many to mark and blank lines keep their rows.
const (
	leastForCount  = 8
	leastForBlanks = 16
)

// spared returns what need not give way where options scroll, because they have plenty of rows all the same.
func (v *view) spared(w int, t Fit) regained {
	if v.form.Typing() != form.FieldNone {
		return regained{}
	}
	block := options{v}
	rows := t.H - len(heading{v}.lines(w, true)) - t.Prompt - block.detailRows(w, t) - comment{v}.fit(w, leastOptions)
	back := regained{count: rows > leastForCount}
	if rows > leastForBlanks {
		back.gaps = gaps
	}
	return back
}

// regain returns a fit with what gave way first back in its rows, as long as nothing else needs them: how many to mark,
// and then up to so many gaps.
func (v *view) regain(w int, t Fit, most gap) Fit {
	for back := (regained{count: true}); back.gaps <= most; back.gaps++ {
		more := t
		if more.back = back; v.need(w, more) > t.H {
			break
		}
		t = more
	}
	return t
}

// leastPrompt returns the rows of the prompt where options scroll: up to a third, or none where a line being typed
// comes first.
func (v *view) leastPrompt(wide int, t Fit, all int) int {
	w, h := panes.Measured(wide), t.H
	head := len(heading{v}.lines(w, true))
	if v.form.Typing() != form.FieldNone && h-head-leastOptions < 2 {
		return 0
	}
	block := options{v}
	rest := min(leastOptions, len(block.lines(w, t))) + comment{v}.fit(w, leastOptions)
	if isApproval(v) {
		return min(all, max(min(h/2, h-head-rest), 1))
	}
	rest += block.detailRows(w, t)
	return min(all, max(min(h/3, h-head-rest), 1))
}

// need returns the rows the question takes at a fit's stage, with its rows of the prompt.
func (v *view) need(w int, t Fit) int {
	head, beside := heading{v}, comment{v}.rows(w)
	if v.form.Reviewing() {
		return len(head.lines(w, false)) + 1 + len(review{v}.lines(w, true)) + max(beside, 1)
	}
	n := len(head.lines(w, false)) + t.Prompt + len(options{v}.lines(w, t)) + beside
	if t.folded() {
		n += options{v}.detailRows(w, t)
	}
	if len(head.notices(w)) > 0 {
		n += t.blank(gapNotice)
	}
	n += t.blank(gapHead)
	count := v.counts(t) != ""
	if t.Prompt > 0 {
		n += t.blank(belowPrompt(count))
	}
	if count {
		n += 1 + t.blank(gapOptions)
	}
	return n
}

// belowPrompt returns the gap below the prompt; count: a row says how many options to mark.
func belowPrompt(count bool) gap {
	if count {
		return gapCount
	}
	return gapOptions
}

// counts returns the line that says how many to mark, where it has a row of its own.
func (v *view) counts(t Fit) string {
	if !t.counted() {
		return ""
	}
	return v.marking()
}

// marking says how many options to mark; empty: that needs no words.
func (v *view) marking() string {
	q := v.q()
	if q.Radio() || q.Mode == queue.ModeText || len(q.Options) == 0 || v.form.Approves() {
		return ""
	}
	return say.Marking(q.Question, len(q.Selected()), q.HiddenMarks(), v.key(deed.Hidden))
}
