package history

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// ruleEnds returns the words at both ends of the line at the top of the page. If there is no room for both, the number
// of matches comes first.
func (l *listing) ruleEnds(g ink.Glyphs, w int) (name, right string) {
	const rule = 9 // cells of the line that the words must leave free
	name, right = l.ruleName(g), l.ruleRight(g)
	if ink.Width(name+right)+rule <= w || l.find == "" {
		return name, right
	}
	if name = "history"; ink.Width(name+right)+rule > w {
		right = l.countFound()
	}
	return name, right
}

// ruleName returns the words at the left end of that line: the number of settled sessions, if it is known.
func (l *listing) ruleName(g ink.Glyphs) string {
	n, known := l.settled()
	if !known {
		return "history"
	}
	return "history " + g.Dot + " " + say.Number(n) + " " + say.Noun(n, "question")
}

// ruleRight returns the words at the right end of that line: the search words and the number of matches, or how many
// sessions have been read so far.
func (l *listing) ruleRight(g ink.Glyphs) string {
	f, find := l.filling(), l.find
	said := "/" + say.OneLine(find) + " " + g.Dot + " " + l.countFound()
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

// countFound returns the number of matches, with a plus if there may be more.
func (l *listing) countFound() string {
	f := l.filling()
	if !f.done && !f.busy {
		return say.Number(len(f.entries)) + "+ found"
	}
	return say.Number(len(f.entries)) + " found"
}

// wordsWhenEmpty returns the words that are shown if there are no entries.
func (l *listing) wordsWhenEmpty(g ink.Glyphs) string {
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
