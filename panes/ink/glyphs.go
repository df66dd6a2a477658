package ink

// Glyphs holds the signs of the screens: one set for UTF-8, one for the rest.
type Glyphs struct {
	RadioOn, RadioOff, MarkOn, MarkOff   string
	Cursor, Star, Note, Enter            string
	StarLong                             [2]string // where there is room: the sign, and the words behind it
	Fuse, Rule, Divider, TeeDown, TeeUp  string
	TeeLeft, Up, Down, Done, Ellipsis    string
	Left, Right, Arrow, Prompt, Dot, Bar string
	GoesOn                               string // marks a row that continues the line of code above it: one cell

	ASCII bool // nothing else is drawn of what we say: see plainOf
}

// Unicode is the set for UTF-8 locales.
var Unicode = Glyphs{
	RadioOn: "●", RadioOff: "○", MarkOn: "■", MarkOff: "□",
	Cursor: "▸", Star: "★", StarLong: [2]string{"★", " recommended"}, Note: "✎", Enter: "⏎",
	Fuse: "━", Rule: "─", Divider: "│", TeeDown: "┬", TeeUp: "┴", TeeLeft: "┤",
	Up: "▲", Down: "▼", Done: "✓", Ellipsis: "…",
	Left: "‹", Right: "›", Arrow: "→", Prompt: "›", Dot: "·", Bar: "│", GoesOn: "↳",
}

// ASCII is the set where the locale is not UTF-8 or the terminal has no such glyphs (TERM=linux).
var ASCII = Glyphs{
	RadioOn: "(*)", RadioOff: "( )", MarkOn: "[x]", MarkOff: "[ ]",
	Cursor: ">", Star: "rec", StarLong: [2]string{"recommended"}, Note: "#", Enter: "Enter",
	Fuse: "=", Rule: "-", Divider: "|", TeeDown: "+", TeeUp: "+", TeeLeft: "+",
	Up: "^", Down: "v", Done: "ok", Ellipsis: "...",
	Left: "<", Right: ">", Arrow: "->", Prompt: ">", Dot: "-", Bar: "|", GoesOn: ">",
	ASCII: true,
}

// plainOf maps the typography of our own sentences to ASCII, cell for cell; other characters of agents are drawn as the
// terminal can.
var plainOf = map[rune]rune{
	'·': '-', '…': '.', '“': '"', '”': '"', '‘': '\'', '’': '\'', '–': '-', '—': '-', '×': 'x', '\u00a0': ' ',
	'←': '<', '→': '>', '↑': '^', '↓': 'v', '│': '|', '─': '-', '✓': 'v', '✎': '#', '▲': '^', '▼': 'v', '↳': '>',
}
