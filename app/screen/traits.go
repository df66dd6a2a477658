package screen

import "github.com/choicetui/choicetui/panes/keys"

// traits say how the screen treats a room in its present place.
type traits struct {
	covers bool // opened as a page it only covers the one that is open, which comes back when it closes
	ruled  bool // its lowest rule is the screen's, which shows notices and the last event there
	backs  bool // the key that quits goes one level back first
}

// traitsOf has the places that differ from the others. The line that is typed over the rule of a page is another place
// than the page, so there the rule is not the screen's. Every page goes back first, also those that are not here.
var traitsOf = map[keys.Place]traits{
	keys.PlaceHelp:     {covers: true},
	keys.PlacePeek:     {covers: true},
	keys.PlaceStats:    {covers: true, ruled: true},
	keys.PlaceHistory:  {ruled: true},
	keys.PlaceSettings: {backs: true},
	keys.PlaceOver:     {backs: true},

	keys.PlaceLetter:     {ruled: true},
	keys.PlaceTeamChoice: {ruled: true},
	keys.PlaceTeamWait:   {ruled: true},
	keys.PlaceTeamReview: {ruled: true},
	keys.PlaceRound:      {ruled: true},
}
