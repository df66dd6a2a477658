package markdown

// Mark says how one byte of a text is drawn.
type Mark uint8

// Marks; a byte may have several.
const (
	Bold Mark = 1 << iota
	Italic
	Strike
	Dim
	Good
	Danger
)

// TabStop replaces a tab.
const TabStop = "    "

// Piece is a text of one line with the marks of each byte.
type Piece struct {
	Text  string
	Marks []Mark
}
