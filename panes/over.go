package panes

import (
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// over is how a session that is over while on screen ended, in parts; the rule above it has the time.
type over struct{ head, what, how string }

func (f *Form) over() over {
	s := f.Session
	o := s.Outcome
	reason := ""
	if !queue.Blank(o.Reason) {
		reason = "“" + line(o.Reason) + "”"
	}
	switch {
	case o.Status == queue.StatusTimeout && len(o.Answer.Replies) > 0:
		return over{"Timed out: ", s.Ask.Summary(o.Answer), "its defaults were sent"}
	case o.Status == queue.StatusTimeout:
		return over{"Timed out: ", "no answer", ""}
	case o.By == queue.ByCaller && reason == "":
		return over{"Withdrawn by ", Who(s.Origin), ""}
	case o.By == queue.ByCaller:
		return over{"Withdrawn: ", reason, "by " + Who(s.Origin)}
	case o.Status == queue.StatusCancelled && reason == "":
		return over{"Cancelled ", place(o.Surface), ""}
	case o.Status == queue.StatusCancelled:
		return over{"Cancelled: ", reason, place(o.Surface)}
	}
	return over{"Answered: ", s.Summary(), place(o.Surface)}
}

// overNotice says how it ended, and that what was typed is kept, in lines of w cells.
func (f *Form) overNotice(w int) []string {
	o := f.over()
	words := "! " + o.head + o.what
	if o.how != "" {
		words += " " + f.glyphs().Dot + " " + o.how
	}
	lines := Wrap(words, w)
	if f.Typed() == "" {
		return lines
	}
	copies := keyed("; ", f.rules.Keys.KeyOf(keys.PlaceOver, keys.ActCopy), " copies it")
	for _, kept := range []string{"  Your text was not sent. It is kept" + copies + ".", "  Your text is kept" + copies, "  Your text is kept"} {
		if Width(kept) <= w || kept == "  Your text is kept" {
			return append(lines, kept)
		}
	}
	return lines
}

// overLine is the same in one line: what was answered is cut before the rest goes.
func (f *Form) overLine(w int) string {
	o := f.over()
	v := FootView{Line: "! " + o.head + o.what, Parts: []Part{{Text: o.what, Least: leastLabel}}}
	if f.Typed() != "" {
		v.Tails = append(v.Tails, Tail{"your text is kept", "text kept", "kept"})
	}
	if f.odd() {
		v.Tails = append(v.Tails, Tail{"! hidden characters, shown as <U+…>", "! hidden characters", "! <U+…>"})
	}
	v.Tails = append(v.Tails, Tail{o.how, ""})
	return FitLine(v, w, f.glyphs())
}

// place says through what somebody settled a session.
func place(surface string) string {
	switch surface {
	case queue.SurfaceWeb:
		return "in the browser"
	case queue.SurfaceAttach:
		return "in the hand-off form"
	case queue.SurfaceCLI:
		return "on the command line"
	case queue.SurfaceDashboard:
		return "in another dashboard"
	}
	return "elsewhere"
}
