package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Every prompt that comes here is shown exactly; or with a part left out that changes nothing of what is decided, which
// is said; or it is a notice with the reason why it is neither (queue.Unfit). Nothing is dropped.
//
//	a reader ─► Asked ─► fit: labels and names are shortened, with the whole text below ─► asked
//	   │                  └─ too large, or the queue would refuse it ──┐
//	   └─ unfit(reason) ───────────────────────────────────────────────┴─► Asked.Unfit ─► Notice

// Unfit returns a prompt that cannot be answered here.
func Unfit(why queue.Unfit) (Asked, bool) { return Asked{Unfit: why}, true }

// UnfitQuestion returns a question of the agent that cannot be asked here.
func UnfitQuestion(why queue.Unfit) (Asked, bool) {
	return Asked{Unfit: why, Ask: queue.Ask{Title: "a question"}}, true
}

// RenderNothing renders the outcome of a prompt that cannot be answered here.
func RenderNothing(queue.Session) []byte { return nil }

// UnfitForm returns a form of another server that cannot be asked here.
func UnfitForm(server string, why queue.Unfit) (Asked, bool) {
	return Asked{Unfit: why, Ask: queue.Ask{Title: FirstLine(FormTitle(server))}}, true
}

// FitOr makes a prompt fit. If it is unfit, fitOr returns bare, which has only the prompt's origin, with the reason and
// with the prompt's title, or else the given one.
func (a Asked) FitOr(bare Asked, title string) Asked {
	if a = a.fit(); a.Unfit == "" {
		return a
	}
	bare.Unfit, bare.Ask.Title = a.Unfit, cmp.Or(a.Ask.Title, title)
	return bare
}

// fit makes a prompt fit into the queue. What the queue would refuse all the same is unfit.
func (a Asked) fit() Asked {
	if a.Unfit != "" {
		return a
	}
	if a.Ask.Approval != nil {
		approval := *a.Ask.Approval
		fitApproval(&approval)
		a.Ask.Approval = &approval
		a.Ask.Prompt = queue.Shorten(a.Ask.Prompt, mostReason, "…\n\n(The rest of the reason is left out.)")
	}
	a.Ask.Questions = slices.Clone(a.Ask.Questions)
	for i := range a.Ask.Questions {
		fitQuestion(&a.Ask.Questions[i])
	}
	if decidedBytes(a.Ask) > queue.MaxDecided {
		a.Unfit = queue.UnfitLarge
		return a
	}
	ask := a.Ask
	ask.TimeoutSeconds, ask.OnTimeout = int(queue.MaxTimeout.Seconds()), queue.OnTimeoutNone // set later
	if len((queue.Session{Ask: ask, Origin: a.Origin}).Problems()) > 0 {
		a.Unfit = queue.UnfitShown
	}
	return a
}

// decidedBytes returns how many bytes a person would have to read before they decide.
func decidedBytes(a queue.Ask) (sum int) {
	if a.Approval != nil { // the agent's reason decides nothing
		for _, p := range a.Approval.Parts {
			sum += len(p.Label) + len(p.Text)
		}
		return sum
	}
	sum = len(a.Prompt)
	for _, q := range a.Questions {
		sum += len(q.Text)
		for _, o := range q.Options {
			sum += len(o.Label) + len(o.Description)
		}
	}
	return sum
}

// fitApproval makes the fields of an approval fit. Blank text is quoted, so that it can be seen. A long name of the
// tool, of the directory or of a file becomes a part of the request, where it is shown whole.
func fitApproval(a *queue.Approval) {
	var parts []queue.Part
	named := func(name *string, most int, label string) {
		if short := queue.Shorten(*name, most-1, "…"); short != *name {
			parts = append(parts, queue.Part{Kind: queue.PartText, Label: label, Text: *name})
			*name = short
		}
	}
	tool := a.Tool
	named(&a.Tool, longName, "tool")
	if a.Tool != tool { // rules tell tools apart by their names
		a.Tool += " " + Hash([]byte(tool))
	}
	named(&a.Dir, queue.MaxNote, "directory")
	for _, p := range a.Parts {
		named(&p.Label, queue.MaxNote, "name of the next")
		if queue.Blank(p.Text) {
			p.Text = fmt.Sprintf("%q", p.Text)
		}
		parts = append(parts, p)
	}
	a.Parts = parts
}

// longName is the length from which the name of a tool is shortened, in characters.
const longName = 200

// mostReason limits the characters of an agent's reason for an approval.
const mostReason = 100_000

// Offers beyond these limits are left out: their number, and the bytes of what one of them covers.
const (
	MostOffers = 100
	MostOffer  = 64 << 10
)

// fitQuestion makes the fields of a question fit. Texts that are too long for their place are shortened there, and are
// shown whole in a text below.
func fitQuestion(q *queue.Question) {
	if short := FirstLine(q.Header); short != strings.TrimSpace(q.Header) {
		q.Text, q.Header = joinTexts(q.Header, q.Text), short
	}
	if short := queue.Shorten(q.Placeholder, queue.MaxLabel-1, "…"); short != q.Placeholder {
		q.Text, q.Placeholder = joinTexts(q.Text, q.Placeholder), short
	}
	if queue.Shorten(q.DefaultText, queue.MaxNote, "…") != q.DefaultText { // longer than what a field takes
		q.Text, q.DefaultText = joinTexts(q.Text, "It starts with:\n\n"+q.DefaultText), ""
	}
	q.Options = slices.Clone(q.Options)
	for i := range q.Options {
		o := &q.Options[i]
		if queue.Blank(o.Label) {
			o.Label = fmt.Sprintf("%q", o.Label)
		}
		if short := queue.Shorten(o.Label, queue.MaxLabel-1, "…"); short != o.Label {
			if !strings.Contains(o.Description, o.Label) {
				o.Description = joinTexts(o.Label, o.Description)
			}
			o.Label = short
		}
	}
}

// joinTexts joins two texts as paragraphs. One that is empty is left out.
func joinTexts(first, second string) string {
	return strings.Join(slices.DeleteFunc([]string{first, second}, queue.Blank), "\n\n")
}
