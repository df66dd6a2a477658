package panes

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
)

// overNotice says how it ended, and that what was typed is kept, in lines of w cells.
func (f *Form) overNotice(w int) []string {
	o := say.OverOf(f.Session)
	words := "! " + o.Head + o.What
	if o.How != "" {
		words += " " + f.glyphs().Dot + " " + o.How
	}
	lines := ink.Wrap(words, w)
	if f.Typed() == "" {
		return lines
	}
	copies := say.Keyed("; ", f.rules.Keys.KeyOf(keys.PlaceOver, keys.ActCopy), " copies it")
	for _, kept := range []string{"  Your text was not sent. It is kept" + copies + ".", "  Your text is kept" + copies, "  Your text is kept"} {
		if ink.Width(kept) <= w || kept == "  Your text is kept" {
			return append(lines, kept)
		}
	}
	return lines
}

// overLine is the same in one line: what was answered is cut before the rest goes.
func (f *Form) overLine(w int) string {
	o := say.OverOf(f.Session)
	v := FootView{Line: "! " + o.Head + o.What, Parts: []ink.Part{{Text: o.What, Least: leastLabel}}}
	if f.Typed() != "" {
		v.Tails = append(v.Tails, ink.Tail{"your text is kept", "text kept", "kept"})
	}
	if f.odd() {
		v.Tails = append(v.Tails, ink.Tail{"! hidden characters, shown as <U+…>", "! hidden characters", "! <U+…>"})
	}
	v.Tails = append(v.Tails, ink.Tail{o.How, ""})
	return ink.FitLine(v.Line, v.Parts, v.Tails, w, f.glyphs())
}
