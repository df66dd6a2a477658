package setup

import (
	"bytes"

	"github.com/choicetui/choicetui/app/connect"
)

// Own says where what an agent asks by itself goes.
type Own int

// Where it may go.
const (
	OwnUnknown Own = iota // nothing brings it here from this agent, or its settings cannot be read
	OwnHere               // all of it comes here
	OwnThere              // it stays at the agent: what brings it here is not there, or not whole
)

// OwnAsks says where what an agent asks by itself goes, by its settings.
func OwnAsks(h Host, c connect.Client) Own {
	state := OwnUnknown
	for _, t := range c.Also {
		f, err := ReadFile(h.path(t))
		if err != nil {
			return OwnUnknown
		}
		if t.Whole != "" {
			if state = OwnThere; bytes.Equal(f.Text, []byte(t.Whole)) {
				state = OwnHere
			}
			continue
		}
		doc, err := langs[t.Format].decode(bytes.TrimPrefix(f.Text, mark))
		if err != nil {
			return OwnUnknown
		}
		for _, s := range t.Sets {
			switch {
			case !s.Listed:
			case !holds(doc, s):
				return OwnThere
			default:
				state = OwnHere
			}
		}
	}
	return state
}
