package setup

import (
	"bytes"
	"path/filepath"

	"github.com/choicetui/choicetui/app/connect"
)

// Own says where what an agent asks by itself goes.
type Own int

// Where it may go.
const (
	OwnUnknown  Own = iota // nothing brings it here from this agent, or its settings cannot be read
	OwnHere                // it comes here: all of it, or what connect.Native.Brings
	OwnThere               // it stays at the agent: what brings it here is not there, or not whole
	OwnMistrust            // what brings it here is there, and waits until the person trusts it at the agent
	OwnOff                 // what brings it here is there, and the agent's settings switch all hooks off
)

// OwnAsks says where what an agent asks by itself goes, by its settings.
func OwnAsks(h Host, c connect.Client) Own {
	state := OwnUnknown
	also := c.Also
	if c.Native.File != "" {
		also = append(also[:len(also):len(also)], c.Native.Target)
	}
	for _, t := range also {
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
			case !s.Listed, s.Path[0] != "hooks": // else it brings nothing here
			case !holds(doc, s):
				return OwnThere
			default:
				state = OwnHere
			}
		}
	}
	if state == OwnHere && HooksOff(h, c).Setting != "" {
		return OwnOff
	}
	if state == OwnHere && !isTrusted(h, c) {
		return OwnMistrust
	}
	return state
}

// isTrusted reports whether an agent may run the hooks of its file, as far as its settings say: it notes the person's
// consent below the name of that file. Whether a hook was changed since is for the agent to say.
func isTrusted(h Host, c connect.Client) bool {
	f, err := ReadFile(h.path(c.Server))
	if c.Native.Trust == "" || err != nil {
		return true
	}
	hooks := h.path(c.Native.Target)
	real, err := filepath.EvalSymlinks(hooks)
	return bytes.Contains(f.Text, []byte(hooks+c.Native.Trust)) ||
		err == nil && bytes.Contains(f.Text, []byte(real+c.Native.Trust))
}
