package portal

import "github.com/choicetui/choicetui/panes/say"

// consultView holds the page for asking the team, or the page with what the team said.
type consultView struct {
	Name, Agent, Fault string
	Parts              []consultPart // while asking
	Waits              string        // the words for what the page waits for
	Review             []say.Headed
}

// addView is a checkbox for a text that can be added to what the team reads.
type addView struct {
	ID, Does   string
	Label, Key string
	On         bool
}

type consultPart struct {
	say.TeamPart
	On    bool
	Names *fieldView // of PartNames
	Adds  []addView  // of PartLetter
}
