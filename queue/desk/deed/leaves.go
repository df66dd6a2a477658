package deed

// Names of faces in LeavesOut.
const (
	Screen = "screen"
	Page   = "page"
	Lines  = "lines"
)

// Reasons that several actions share.
const (
	cursorless = "lines have numbers in place of a cursor"
	wordsOnly  = "a text is typed on its line, and the terminal edits that"
	afterWiden = "the conversation after widen asks for it"
	twoKeys    = "y and Enter are two keys"
	oneMark    = "a key marks one option"
)

// LeavesOut lists by face the actions of the table that it does not have, with the reason.
var LeavesOut = map[string]map[Action]string{
	Screen: {Agree: twoKeys, Choose: oneMark},
	Page: {
		Agree:      twoKeys,
		Choose:     oneMark,
		Editor:     "its text fields are the browser's",
		EditorHere: "its text fields are the browser's",
	},
	Lines: {
		Up: cursorless, Down: cursorless, First: cursorless, Last: cursorless, Mark: cursorless,
		Digit:     "a line of numbers replaces what was chosen",
		Confirm:   "the word yes confirms and sends",
		ChangeOne: "a number does it in the review",
		TabNext:   "Enter continues with the next question",
		Copy:      "what was typed is on the terminal, which copies it",
		Editor:    wordsOnly, EditorHere: wordsOnly, ReasonUp: wordsOnly, ReasonDown: wordsOnly,
		Wait: afterWiden, GoOn: afterWiden,
	},
}
