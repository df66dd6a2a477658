package panes

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Stages of giving way, in the order of DESIGN section 6. Each includes the ones before it.
const (
	stageRoomy    = iota
	stageNoCount  // the line that counts marks goes: the Enter line says it too
	stageNoBlanks // blank lines go
	stageFolded   // descriptions fold into one detail block
	stagePrompt   // the prompt goes down to one line
	stageStrip    // the queue strip goes down to its rule
	stageScroll   // options scroll
)

const (
	leastOptions = 3 // option rows that always stay
	mostDetail   = 3 // rows of the detail block
	mostTitle    = 3 // rows of a title
)

// frozen is the fit a form came on screen with: nothing moves under the eye while it stays there.
type frozen struct {
	set                     bool
	w, total, stage, prompt int
}

// Fit says how a form shares the rows between its rule and the rule below it.
type Fit struct {
	stage  int
	Prompt int // rows of the prompt
	Strip  int // rows of the queue strip below, 0 for its rule alone
	H      int // rows of the form
}

func (t Fit) blanks() bool { return t.stage < stageNoBlanks }
func (t Fit) folded() bool { return t.stage >= stageFolded }

// measure is the most cells that rows of text and signs take: beyond it the eye would have to travel. Code, diffs and
// tables in a prompt use all.
const measure = 100

func measured(w int) int { return min(w, measure) }

// Thaw forgets the fit: the form comes on screen anew.
func (f *Form) Thaw() { f.frozen = frozen{} }

// Fit shares total rows (form and strip together) at w cells, with a strip of up to strip rows. While the form
// stays on screen at one size its rows keep their places: an arrival takes empty rows only.
func (f *Form) Fit(w, total, strip int) Fit {
	f.total, f.wide = total, w
	w = measured(w)
	from := stageRoomy
	if z := f.frozen; z.set && z.w == w && z.total == total && !f.full {
		from = z.stage
		need := f.need(w, z.stage, z.prompt)
		if need <= total {
			got := Fit{stage: z.stage, Prompt: z.prompt, Strip: min(strip, total-need)}
			got.H = total - got.Strip
			return got
		}
	}
	got := f.fit(w, total, strip, from)
	f.frozen = frozen{set: !f.full, w: w, total: total, stage: got.stage, prompt: got.Prompt}
	return got
}

func (f *Form) fit(w, total, strip, from int) Fit {
	all := len(f.prompt(f.wide))
	for stage := from; stage < stageScroll; stage++ {
		s := strip
		if stage >= stageStrip {
			s = 0
		}
		h := total - s
		prompt := min(all, max(h/2, 1))
		if stage >= stagePrompt {
			prompt = min(all, 1)
		}
		if need := f.need(w, stage, prompt); need <= h && !f.full {
			prompt = min(all, prompt+h-need)
			if spare := h - f.need(w, stage, prompt); stage >= stageStrip { // what the prompt does not need
				s = min(strip, spare)
			}
			return Fit{stage: stage, Prompt: prompt, Strip: s, H: total - s}
		}
	}
	h := total
	prompt := min(all, 1)
	if f.field != FieldNone && h-len(f.heading(w, true))-leastOptions < 2 {
		prompt = 0 // the line being typed comes first
	}
	if f.full {
		least := min(leastOptions, len(f.optionLines(w, Fit{stage: stageScroll})))
		sheet, _, _ := f.sheet(f.wide)
		prompt = min(max(h-len(f.heading(w, true))-least-f.commentFit(w, least), 1), len(sheet))
	}
	return Fit{stage: stageScroll, Prompt: prompt, H: h}
}

// headingLine is a line over the prompt: the title, the tabs of several questions, or a notice.
type headingLine struct {
	text string
	kind headKind
}

// headKind says what a line of the heading is.
type headKind int

const (
	headTitle headKind = iota
	headTabs
	headNotice
)

// heading is the title and the notices; tight: one line each, so that three options always stay.
func (f *Form) heading(w int, tight bool) []headingLine {
	title, notices := f.title(w), f.notices(w)
	if tight {
		title = []string{ink.Cut(say.OneLine(f.Session.Ask.Title), w-1, f.glyphs().Ellipsis)}
		if len(notices) > 1 {
			notices = []string{ink.Cut(strings.Join(notices, " "), w-1, f.glyphs().Ellipsis)}
			if f.Session.Outcome != nil {
				notices[0] = f.overLine(w - 1)
			}
		}
	}
	var lines []headingLine
	for _, l := range title {
		lines = append(lines, headingLine{l, headTitle})
	}
	if f.Several() {
		lines = append(lines, headingLine{f.tabLine(w-1, f.glyphs()), headTabs})
	}
	for _, l := range notices {
		lines = append(lines, headingLine{l, headNotice})
	}
	if f.find != "" && f.field != FieldFind {
		words := fmt.Sprintf(" /%s %s %d of %d options%s", say.OneLine(f.find), f.glyphs().Dot, f.optionRows(),
			len(f.q().Options), say.Keyed(" "+f.glyphs().Dot+" ", f.key(keys.ActBack), " shows all"))
		lines = append(lines, headingLine{ink.Cut(words, w-1, f.glyphs().Ellipsis), headTabs})
	}
	return lines
}

// need is the rows the form takes at a stage with so many prompt rows.
func (f *Form) need(w, stage, prompt int) int {
	t := Fit{stage: stage}
	if f.Reviewing() {
		return len(f.heading(w, false)) + 1 + len(f.reviewLines(w, true)) + max(f.commentRows(w), 1)
	}
	n := len(f.heading(w, false)) + prompt + len(f.optionLines(w, t))
	if t.folded() {
		n += f.detailRows(w)
	}
	if t.blanks() {
		n += 2
		if prompt == 0 {
			n--
		}
		if len(f.notices(w)) > 0 {
			n++
		}
		if f.counts(t) != "" {
			n += 2
		}
	}
	if f.commentRows(w) > 0 {
		n += f.commentRows(w)
	}
	return n
}

func (f *Form) title(w int) []string {
	lines := ink.Wrap(say.OneLine(f.Session.Ask.Title), max(w-1, 1))
	if len(lines) > mostTitle {
		rest := strings.Join(lines[mostTitle-1:], " ")
		lines = append(lines[:mostTitle-1], ink.Cut(rest, w-1, f.glyphs().Ellipsis))
	}
	return lines
}

// titleCut reports whether a title stands on screen with less than all of it.
func (f *Form) titleCut(w int, tight bool) bool {
	n := len(ink.Wrap(say.OneLine(f.Session.Ask.Title), max(w-1, 1)))
	return n > mostTitle || tight && n > 1
}

// counts is the line that says how many to mark, where that is not plain.
func (f *Form) counts(t Fit) string {
	q := f.q()
	if t.stage >= stageNoCount || f.Radio() || q.Mode == queue.ModeText || len(f.q().Options) == 0 {
		return ""
	}
	n := len(q.Options)
	want := fmt.Sprintf("Mark %s of %d.", span(q), n)
	switch {
	case q.Min == 0 && q.Max == n:
		want = fmt.Sprintf("Mark any of %d.", n)
	case q.Min == 0:
		want = fmt.Sprintf("Mark up to %d of %d.", q.Max, n)
	case q.Max == n:
		want = fmt.Sprintf("Mark %d or more of %d.", q.Min, n)
	}
	hidden := 0
	for _, id := range f.reply.Selected {
		if f.IsHidden(id) && !f.showHidden {
			hidden++
		}
	}
	want += fmt.Sprintf(" %d marked.", len(f.reply.Selected))
	if hidden > 0 {
		want += fmt.Sprintf(" %d of them hidden%s.", hidden, say.Keyed(" (", f.key(keys.ActHidden), ")"))
	}
	return want
}

// notices are the lines under the title that say something is special: over, or hidden characters.
func (f *Form) notices(w int) []string {
	var lines []string
	if f.Session.Outcome != nil {
		lines = f.overNotice(w - 1)
	}
	if f.odd() {
		lines = append(lines, ink.Wrap("! hidden characters, shown as <U+…>", w-1)...)
	}
	return lines
}

// odd reports whether any text of the ask holds characters that would not be seen.
func (f *Form) odd() bool {
	a := f.Session.Ask
	texts := []string{a.Title, a.Prompt}
	for _, o := range f.q().Options {
		texts = append(texts, o.Label, o.Description, o.Note)
	}
	for _, s := range texts {
		if _, odd := queue.Visible(s); odd {
			return true
		}
	}
	return false
}
