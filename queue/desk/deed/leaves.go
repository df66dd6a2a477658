package deed

// Names of faces in LeavesOut.
const (
	Screen = "screen"
	Page   = "page"
)

// notYet is the reason where a face could have an action, and nobody has written it.
const notYet = "the page does not do it yet"

// LeavesOut lists by face the actions of the table that it does not have, with the reason.
var LeavesOut = map[string]map[Action]string{
	Screen: {},
	Page: {
		Editor:     "its text fields are the browser's",
		EditorHere: "its text fields are the browser's",
		AskTeam:    notYet,
		Fetch:      notYet,
		Wait:       notYet,
		GoOn:       notYet,
	},
}
