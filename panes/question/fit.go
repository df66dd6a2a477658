package question

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// Stages of giving way, in the order of docs/design.md section 6. Each includes the ones before it.
const (
	stageRoomy    = iota
	stageNoCount  // the line that counts marks goes: the Enter line says it too
	stageNoBlanks // blank lines go
	stageFolded   // descriptions fold into one detail block
	stagePrompt   // the prompt goes down to one line
	stageStrip    // the queue strip goes down to its rule
	stageScroll   // options scroll
)

// Fit says how a question shares the rows between its rule and the rule below it.
type Fit struct {
	stage  int
	Prompt int // rows of the prompt
	Strip  int // rows of the queue strip below, 0 for its rule alone
	H      int // rows of the question
}

func (t Fit) blanks() bool { return t.stage < stageNoBlanks }
func (t Fit) folded() bool { return t.stage >= stageFolded }
func (t Fit) tight() bool  { return t.stage >= stageScroll }

// shares are how the rows are shared.
type shares struct {
	total    int // rows of question and strip together
	wide     int // cells of the whole area
	frozen   frozen
	cut      bool // the option under the cursor is not shown in full
	cutTitle bool
}

// frozen is the fit a question came on screen with: nothing moves under the eye while it stays there.
type frozen struct {
	set                     bool
	w, total, stage, prompt int
}

// thaw forgets the fit: the question comes on screen anew.
func (v *view) thaw() { v.frozen = frozen{} }

// fit shares total rows (question and strip together) at w cells, with a strip of up to strip rows. While the question
// stays on screen at one size its rows keep their places: an arrival takes empty rows only.
func (v *view) fit(w, total, strip int) Fit {
	v.total, v.wide = total, w
	w = measured(w)
	from := stageRoomy
	if z := v.frozen; z.set && z.w == w && z.total == total && !v.full {
		from = z.stage
		if need := v.need(w, z.stage, z.prompt); need <= total {
			got := Fit{stage: z.stage, Prompt: z.prompt, Strip: min(strip, total-need)}
			got.H = total - got.Strip
			return got
		}
	}
	got := v.giveWay(w, total, strip, from)
	v.frozen = frozen{set: !v.full, w: w, total: total, stage: got.stage, prompt: got.Prompt}
	return got
}

// squeezed is the fit in fewer rows, without a strip, for a while: the rows come back as they were.
func (v *view) squeezed(w, rows int) Fit {
	was := v.frozen
	t := v.fit(w, rows, 0)
	v.frozen = was
	if room := t.H - len(heading{v}.lines(w, true)); room-t.Prompt < leastOptions { // too few to choose from
		t.Prompt = max(room, 0)
	}
	return t
}

// giveWay finds the first stage, from one on, at which everything fits.
func (v *view) giveWay(w, total, strip, from int) Fit {
	all := len(prompt{v}.lines(v.wide))
	for stage := from; stage < stageScroll; stage++ {
		s := strip
		if stage >= stageStrip {
			s = 0
		}
		h := total - s
		rows := min(all, max(h/2, 1))
		if stage >= stagePrompt {
			rows = min(all, 1)
		}
		if need := v.need(w, stage, rows); need <= h && !v.full {
			rows = min(all, rows+h-need)
			if spare := h - v.need(w, stage, rows); stage >= stageStrip { // what the prompt does not need
				s = min(strip, spare)
			}
			return Fit{stage: stage, Prompt: rows, Strip: s, H: total - s}
		}
	}
	return Fit{stage: stageScroll, Prompt: v.leastPrompt(w, total, all), H: total}
}

// leastPrompt is the rows of the prompt where options scroll: one, none where a line being typed comes first, or all
// it can have.
func (v *view) leastPrompt(w, h, all int) int {
	head := len(heading{v}.lines(w, true))
	switch {
	case v.full:
		least := min(leastOptions, len(options{v}.lines(w, true)))
		sheet, _, _ := prompt{v}.sheet(v.wide)
		return min(max(h-head-least-comment{v}.fit(w, least), 1), len(sheet))
	case v.form.Typing() != form.FieldNone && h-head-leastOptions < 2:
		return 0
	}
	return min(all, 1)
}

// need is the rows the question takes at a stage with so many prompt rows.
func (v *view) need(w, stage, rows int) int {
	t := Fit{stage: stage}
	head, beside := heading{v}, comment{v}.rows(w)
	if v.form.Reviewing() {
		return len(head.lines(w, false)) + 1 + len(review{v}.lines(w, true)) + max(beside, 1)
	}
	n := len(head.lines(w, false)) + rows + len(options{v}.lines(w, t.folded())) + beside
	if t.folded() {
		n += options{v}.detailRows(w)
	}
	if t.blanks() {
		n += 2
		if rows == 0 {
			n--
		}
		if len(head.notices(w)) > 0 {
			n++
		}
		if v.counts(t) != "" {
			n += 2
		}
	}
	return n
}

// counts is the line that says how many to mark, where that is not plain.
func (v *view) counts(t Fit) string {
	q := v.q()
	if t.stage >= stageNoCount || q.Radio() || q.Mode == queue.ModeText || len(q.Options) == 0 {
		return ""
	}
	n := len(q.Options)
	want := fmt.Sprintf("Mark %d to %d of %d.", q.Min, q.Max, n)
	switch {
	case q.Min == 0 && q.Max == n:
		want = fmt.Sprintf("Mark any of %d.", n)
	case q.Min == 0:
		want = fmt.Sprintf("Mark up to %d of %d.", q.Max, n)
	case q.Max == n:
		want = fmt.Sprintf("Mark %d or more of %d.", q.Min, n)
	case q.Min == q.Max:
		want = fmt.Sprintf("Mark %d of %d.", q.Min, n)
	}
	want += fmt.Sprintf(" %d marked.", len(q.Selected()))
	if hidden := q.HiddenMarks(); hidden > 0 {
		shows := say.Keyed(" (", v.key(keys.ActHidden), ")")
		want += fmt.Sprintf(" %d of them hidden%s.", hidden, shows)
	}
	return want
}
