package history

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// ends returns the two ends of the rule. Where there is no room for both, what was found comes first.
func (l *listing) ends(g ink.Glyphs, w int) (name, right string) {
	const rule = 9 // cells of rule and gaps that stay
	name, right = l.name(g), l.right(g)
	if ink.Width(name+right)+rule <= w || l.find == "" {
		return name, right
	}
	if name = "history"; ink.Width(name+right)+rule > w {
		right = l.found()
	}
	return name, right
}

// name returns the left end of the rule: the number of settled sessions, as far as it is known.
func (l *listing) name(g ink.Glyphs) string {
	n, known := l.settled()
	if !known {
		return "history"
	}
	return "history " + g.Dot + " " + say.Number(n) + " " + say.Noun(n, "question")
}

// right returns the right end of the rule: the search words and the number of matches, or how many sessions have been
// read so far.
func (l *listing) right(g ink.Glyphs) string {
	f, find := l.filling(), l.find
	said := "/" + say.OneLine(find) + " " + g.Dot + " " + l.found()
	switch {
	case f.fault != "":
		return "! not all is read: " + say.OneLine(f.fault)
	case find == "" && l.toEnd:
		return "reading" + g.Ellipsis + " " + say.Number(f.read)
	case find == "":
		return ""
	case f.busy:
		return said + ", searching" + g.Ellipsis + " " + say.Number(f.read)
	}
	return said
}

// found counts the matches; a plus says that there may be more.
func (l *listing) found() string {
	f := l.filling()
	if !f.done && !f.busy {
		return say.Number(len(f.entries)) + "+ found"
	}
	return say.Number(len(f.entries)) + " found"
}

// empty returns the words shown in place of entries.
func (l *listing) empty(g ink.Glyphs) string {
	f, find := l.feed, l.find
	switch {
	case f.fault != "":
		return "! the history cannot be read: " + say.OneLine(f.fault)
	case find != "" && (f.busy || l.soon != nil):
		return "searching" + g.Ellipsis
	case f.busy:
		return "reading" + g.Ellipsis
	case find != "":
		return "No earlier question has “" + say.OneLine(find) + "” in it."
	}
	return "Nothing answered yet. What you answer is listed here."
}
