package deed

// Action is the name of one of the person's actions. The setting `keys` assigns keys to these names.
type Action string

// Actions on a question. The table in panes/keys also has the actions of other pages. It lacks Choose and Agree, which
// exist only in a face that reads whole lines.
const (
	Up          Action = "up"
	Down        Action = "down"
	First       Action = "first"
	Last        Action = "last"
	Enter       Action = "enter"
	Mark        Action = "mark"
	Digit       Action = "digit"
	Choose      Action = "choose"
	Recommended Action = "recommended"
	All         Action = "all"
	AllRec      Action = "all_recommended"
	Note        Action = "note"
	Comment     Action = "comment"
	Text        Action = "text"
	Find        Action = "find"
	Editor      Action = "editor"
	EditorHere  Action = "editor_typing"
	ReasonUp    Action = "reason_up"
	ReasonDown  Action = "reason_down"
	Back        Action = "back"
	Cancel      Action = "cancel"
	Detail      Action = "more_detail"
	Later       Action = "later"
	UndoLast    Action = "undo_last"
	Hide        Action = "hide"
	Hidden      Action = "show_hidden"
	Copy        Action = "copy"
	More        Action = "more_time"
	Less        Action = "less_time"
	TabNext     Action = "next_tab"
	TabBack     Action = "previous_tab"
	ChangeOne   Action = "change_one"
	StartOver   Action = "start_over"
	Confirm     Action = "confirm"
	Agree       Action = "agree"
	Decline     Action = "decline"
	Allow       Action = "allow"
	Refuse      Action = "refuse"
	Rule        Action = "make_rule"
	Alike       Action = "look_through"
	Next        Action = "next"
	Previous    Action = "previous"
	AskTeam     Action = "ask_team"
	Fetch       Action = "team_fetch"
	Wait        Action = "team_wait"
	GoOn        Action = "team_park"
	Defer       Action = "defer"
	Area        Action = "area"
	AreaBack    Action = "area_back"
	PromptToo   Action = "letter_prompt"
	BeforeToo   Action = "letter_before"
	Accept      Action = "team_accept"
)

// Names of faces in LeavesOut.
const (
	Screen  = "screen"
	Page    = "page"
	Lines   = "lines"
	Command = "command" // choicetui answer and choicetui cancel
)

// Reasons that several actions share.
const (
	cursorless = "lines have numbers in place of a cursor"
	wordsOnly  = "a text is typed on its line, and the terminal edits that"
	afterWiden = "the conversation after widen asks for it"
	twoKeys    = "y and Enter are two keys"
	oneMark    = "a key marks one option"
	allAtOnce  = "a command gives the whole answer at once"
	idsOnly    = "a command names options by their ids"
	oneReply   = "a command answers one question and ends"
	noLetter   = "lines do not show the letter, and nobody sends what they have not seen"
	withTeam   = "asking the team is a conversation, which a command does not have"
)

// LeavesOut lists, for each face, the actions of the table that the face does not have on purpose, with the reason.
var LeavesOut = map[string]map[Action]string{
	Screen: {
		Agree: twoKeys, Choose: oneMark,
		All: "space or a digit marks each option",
	},
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
		PromptToo: noLetter, BeforeToo: noLetter,
	},
	Command: {
		Up: allAtOnce, Down: allAtOnce, First: allAtOnce, Last: allAtOnce, Enter: allAtOnce, Mark: allAtOnce,
		Digit: allAtOnce, Recommended: idsOnly, All: idsOnly, AllRec: idsOnly, Find: allAtOnce,
		Editor:     "a file or standard input holds the text",
		EditorHere: "a file or standard input holds the text",
		ReasonUp:   allAtOnce, ReasonDown: allAtOnce, Back: allAtOnce,
		Detail: "the reason of a cancel says it",
		Later:  oneReply, UndoLast: oneReply, Hide: oneReply, Hidden: allAtOnce, Copy: oneReply, More: oneReply,
		Less: oneReply, TabNext: allAtOnce, TabBack: allAtOnce, ChangeOne: allAtOnce, StartOver: allAtOnce,
		Confirm: allAtOnce, Decline: allAtOnce, Allow: idsOnly, Refuse: idsOnly,
		Rule:  "a rule is made where all that it covers is on screen",
		Alike: oneReply, Next: oneReply, Previous: oneReply, AskTeam: withTeam, Fetch: withTeam,
		Wait: withTeam, GoOn: withTeam, Defer: withTeam, Area: allAtOnce, AreaBack: allAtOnce,
		PromptToo: withTeam, BeforeToo: withTeam, Accept: withTeam,
	},
}
