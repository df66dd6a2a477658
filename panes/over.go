package panes

import (
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
	lines := Wrap(words, w)
	if f.Typed() == "" {
		return lines
	}
	copies := say.Keyed("; ", f.rules.Keys.KeyOf(keys.PlaceOver, keys.ActCopy), " copies it")
	for _, kept := range []string{"  Your text was not sent. It is kept" + copies + ".", "  Your text is kept" + copies, "  Your text is kept"} {
		if Width(kept) <= w || kept == "  Your text is kept" {
			return append(lines, kept)
		}
	}
	return lines
}

// overLine is the same in one line: what was answered is cut before the rest goes.
func (f *Form) overLine(w int) string {
	o := say.OverOf(f.Session)
	v := FootView{Line: "! " + o.Head + o.What, Parts: []Part{{Text: o.What, Least: leastLabel}}}
	if f.Typed() != "" {
		v.Tails = append(v.Tails, Tail{"your text is kept", "text kept", "kept"})
	}
	if f.odd() {
		v.Tails = append(v.Tails, Tail{"! hidden characters, shown as <U+…>", "! hidden characters", "! <U+…>"})
	}
	v.Tails = append(v.Tails, Tail{o.How, ""})
	return FitLine(v, w, f.glyphs())
}
