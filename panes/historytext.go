package panes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// SessionText is one settled session in words: who asked what, what happened, what was answered.
type SessionText struct {
	Session queue.Session
	Drafts  []queue.Draft // what was typed into it and never sent, newest first
	Home    string        // shown as ~
	Year    int           // now's; days of other years name theirs
	Whole   bool          // every event, description and draft; else what fits a preview
}

// textLine is one line of it; right stands at the right end.
type textLine struct {
	Line
	right string
}

// Laid is a session's text in lines, for one width.
type Laid []textLine

// unbroken is a width no line reaches: plain text keeps the agent's own line breaks only.
const unbroken = 1 << 20

// Plain is the whole session as plain text, for the clipboard and a file; hidden characters are shown as <U+…>.
func (t SessionText) Plain() string {
	t.Whole = true
	var b strings.Builder
	b.WriteString(line(t.Session.Ask.Title) + "\n\n")
	for _, l := range t.Lay(Unicode, unbroken) {
		b.WriteString(strings.TrimRight(l.String()+"  "+l.right, " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Lay lays the text out in lines of w cells.
func (t SessionText) Lay(g Glyphs, w int) Laid {
	b := &textBlock{w: w}
	t.events(b)
	if t.Whole {
		t.unsent(b)
	}
	b.gap()
	t.answers(b, g)
	b.gap()
	prompt := t.Session.Ask.Prompt
	if w == unbroken {
		for l := range strings.SplitSeq(strings.TrimRight(shown(prompt), "\n \t"), "\n") {
			b.lines = append(b.lines, textLine{Line: plainLine(l)})
		}
		return b.lines
	}
	for _, l := range Markdown(prompt, w) {
		b.lines = append(b.lines, textLine{Line: l})
	}
	return b.lines
}

// events tells what happened, one line each; a preview leaves out what did not decide anything.
func (t SessionText) events(b *textBlock) {
	s := t.Session
	if oddSession(s) {
		b.put(Danger.Bold(true), "! ", "hidden characters, shown as <U+…>")
	}
	day := ""
	for _, e := range s.Events {
		if !t.Whole && !slices.Contains([]string{queue.EventAsked, queue.EventSent, queue.EventSettled, queue.EventCollected}, e.Kind) {
			continue
		}
		label, words := t.event(e)
		if label == "" {
			label, words = line(e.Kind), line(e.Detail)
		}
		when := e.At.Local().Format("15:04:05")
		if d := dayName(e.At, t.Year); d != day {
			when, day = d+" "+when, d
		}
		style := Plain
		if e.Kind == queue.EventSettled && s.Outcome.Answered() {
			style = Good
		}
		b.put(style, fmt.Sprintf("%-10s ", label), when+words)
	}
	if s.Outcome == nil {
		b.put(Plain, fmt.Sprintf("%-10s ", "Waiting"), "until "+client(s.Origin)+" fetches it with next_message")
	}
	if t.Whole {
		b.put(Plain, fmt.Sprintf("%-10s ", "Session"), s.ID+t.rules())
	}
}

// rules say under what conditions it was asked.
func (t SessionText) rules() string {
	a := t.Session.Ask
	if t.Session.IsMessage() { // it asks nothing
		return ""
	}
	words := " · " + tookWords(time.Duration(a.TimeoutSeconds)*time.Second) + " to answer"
	if a.OnTimeout == queue.OnTimeoutDefaults {
		words += ", then the defaults"
	}
	if a.Confirm {
		words += " · with confirmation"
	}
	if a.HandOff {
		words += " · handed off"
	}
	return words
}

// event is an event's label, and what stands behind its time.
func (t SessionText) event(e queue.Event) (label, words string) {
	s := t.Session
	switch e.Kind {
	case queue.EventAsked:
		return "Asked", " by " + t.asker()
	case queue.EventSent:
		return "Written", through(e) + ", to " + t.asker()
	case queue.EventAttached:
		words = " opened as a hand-off form"
		if e.Detail != "" {
			words += ", tmux pane " + line(e.Detail)
		}
		return "Attached", words
	case queue.EventMoved:
		return "Moved", through(e) + movedWords(e.Detail, t.Year)
	case queue.EventWidened:
		return "Widened", through(e) + behind(e.Detail)
	case queue.EventSettled:
		return t.settled(e)
	case queue.EventCollected:
		return "Received", " by " + client(s.Origin)
	case queue.EventLapsed:
		return "Lapsed", behind(e.Detail)
	}
	return "", ""
}

// settled says how the session ended: by whom, through what, after how long.
func (t SessionText) settled(e queue.Event) (label, words string) {
	s := t.Session
	took := ", after " + clock(s.Took().Truncate(time.Second))
	if s.IsMessage() {
		if label = "Delivered"; s.Outcome.Status != queue.StatusDelivered {
			label = "Not sent"
		}
		return label, took + ": " + s.Summary()
	}
	switch s.Outcome.Ended() {
	case queue.StatusTimeout:
		words = took + "; no answer was given"
		if sum := s.Ask.Summary(s.Outcome.Answer); len(s.Outcome.Answer.Replies) > 0 {
			words = took + "; the defaults were taken: " + sum
		}
		return "Timed out", words
	case queue.StatusWithdrawn:
		return "Withdrawn", " by " + client(s.Origin) + took + behind(s.Outcome.Reason)
	case queue.StatusCancelled:
		if !queue.Blank(s.Outcome.Reason) {
			took += ": “" + line(s.Outcome.Reason) + "”"
		}
		return "Cancelled", through(e) + took
	case queue.StatusDeferred:
		return "Deferred", through(e) + took + behind(s.Outcome.Reason)
	}
	return "Answered", through(e) + took
}

func behind(detail string) string {
	if queue.Blank(detail) {
		return ""
	}
	return ": " + line(detail)
}

// through says who did something, and through which surface.
func through(e queue.Event) string {
	words := map[string]string{queue.ByHuman: " by you", queue.ByClock: " by the clock", queue.ByCaller: " by the agent"}[e.By]
	switch e.Surface {
	case queue.SurfaceDashboard:
		return words + ", in the dashboard"
	case queue.SurfaceAttach:
		return words + ", in the hand-off form"
	case queue.SurfaceWeb:
		return words + ", in the browser"
	case queue.SurfaceCLI:
		return words + ", on the command line"
	}
	return words
}

// movedWords reads the trail's own words for a moved deadline (`+60s to 2026-11-20T14:08:00Z`).
func movedWords(detail string, year int) string {
	var by int
	var until string
	if _, err := fmt.Sscanf(detail, "%ds to %s", &by, &until); err != nil {
		return behind(detail)
	}
	at, err := time.Parse(time.RFC3339, until)
	if err != nil {
		return behind(detail)
	}
	d, way := time.Duration(by)*time.Second, "more"
	if d < 0 {
		d, way = -d, "less"
	}
	return fmt.Sprintf(": %s %s, until %s", clock(d), way, at.Local().Format("15:04:05"))
}

// client is what the agent calls itself, with its version.
func client(o queue.Origin) string {
	if o.Client == "" {
		return "the agent"
	}
	return line(o.Client)
}

// asker names the agent with its version and place.
func (t SessionText) asker() string {
	o := t.Session.Origin
	words := client(o)
	if o.Version != "" {
		words += " " + line(o.Version)
	}
	dir := line(o.Cwd)
	if t.Home != "" && (dir == t.Home || strings.HasPrefix(dir, t.Home+"/")) {
		dir = "~" + dir[len(t.Home):]
	}
	if dir != "" {
		words += ", " + dir
	}
	if o.Branch != "" {
		words += " (" + line(o.Branch) + ")"
	}
	if t.Whole && o.Host != "" {
		words += " on " + line(o.Host)
	}
	return words
}

// answers lists every option with what was chosen, notes, own words and the comment.
func (t SessionText) answers(b *textBlock, g Glyphs) {
	if t.Session.Outcome == nil { // a message that waits
		return
	}
	s := t.Session
	for i, q := range s.Ask.Questions {
		var r queue.Reply
		if at := slices.IndexFunc(s.Outcome.Answer.Replies, func(r queue.Reply) bool { return r.Question == q.ID }); at >= 0 {
			r = s.Outcome.Answer.Replies[at]
		}
		if len(s.Ask.Questions) > 1 {
			if i > 0 {
				b.gap()
			}
			b.put(Bold, "  ", strings.TrimSpace(line(q.Header)+"  "+line(q.Text)))
		} else if t.Whole && q.Text != "" && q.Text != s.Ask.Title && q.Text != s.Ask.Prompt {
			b.put(Plain, "  ", shown(q.Text))
			b.gap()
		}
		t.options(b, g, q, r)
		if !queue.Blank(r.Text) {
			b.put(Good, "  t   ", quoted(r.Text))
		}
	}
	if s.Ask.Confirm && s.Outcome.Answered() {
		b.put(Good, "  y   ", strings.TrimSuffix("confirmed: "+shown(s.Ask.ConfirmMessage), ": "))
	}
	if c := s.Outcome.Answer.Comment; !queue.Blank(c) {
		b.put(Plain, "  a   ", shown(c))
	}
}

func (t SessionText) options(b *textBlock, g Glyphs, q queue.Question, r queue.Reply) {
	on, off := g.MarkOn, g.MarkOff
	if q.Radio() {
		on, off = g.RadioOn, g.RadioOff
	}
	for i, o := range q.Options {
		digit, mark, style := " ", off, Plain
		if i < 9 {
			digit = fmt.Sprint(i + 1)
		}
		if slices.Contains(r.Selected, o.ID) {
			mark, style = on, Good
		}
		star, room := "", 0
		if o.Recommended {
			if star = g.StarWord; b.w < 60 {
				star = g.Star
			}
			room = Width(star) + 2
		}
		label := "  " + digit + " " + mark + " "
		b.w -= room
		b.put(style, label, line(o.Label)).right = star
		b.w += room
		indent := strings.Repeat(" ", Width(label))
		if t.Whole && !queue.Blank(o.Description) {
			b.put(Plain, indent, shown(o.Description))
		}
		if n := r.Notes[o.ID]; !queue.Blank(n) {
			b.put(Plain, indent+g.Note+" ", shown(n))
		}
	}
}

// unsent tells what was typed into the form and never sent.
func (t SessionText) unsent(b *textBlock) {
	said := map[string]bool{}
	for _, d := range t.Drafts {
		for _, text := range d.Unsent(t.Session) {
			if said[text] {
				continue
			}
			if len(said) == 0 {
				b.gap()
			}
			b.put(Bold, "You typed, not sent: ", quoted(text))
			said[text] = true
		}
	}
}

// quoted is text in quotes, the last of which never stands alone on a line.
func quoted(text string) string { return "“" + strings.TrimRight(shown(text), " \t\n") + "”" }

func oddSession(s queue.Session) bool {
	texts := []string{s.Ask.Title, s.Ask.Prompt}
	for _, q := range s.Ask.Questions {
		texts = append(texts, q.Header, q.Text)
		for _, o := range q.Options {
			texts = append(texts, o.Label, o.Description, o.Note)
		}
	}
	return slices.ContainsFunc(texts, func(t string) bool { _, odd := queue.Visible(t); return odd })
}

// Quote is the question and its answer on one line, for a word to its agent.
func Quote(s queue.Session) string {
	return "“" + line(s.Ask.Title) + "” → " + s.Summary()
}

// Slug is a title as a part of a file name: letters and digits joined by dashes; other where nothing is left of it.
func Slug(title, other string) string {
	const most = 40
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	slug := ""
	for _, w := range words {
		if len(slug)+len(w)+1 > most {
			break
		}
		slug += "-" + w
	}
	if slug == "" {
		return other
	}
	return slug[1:]
}
