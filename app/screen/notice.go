package screen

import (
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

// saidFor is how long the Enter line says what was just sent, or until the next key.
const saidFor = 3 * time.Second

// notice is what the Enter line says beside what Enter would do.
type notice struct {
	message string    // in its place until the next key, which is what caused it
	aside   say.Tail  // behind it until the next key
	said    time.Time // until when what was just sent stands there, where the rule has no room
	leaving time.Time // when the key that quits was pressed first; zero: it was not
}

// clear takes away what the last key has caused.
func (n *notice) clear() { n.message, n.aside, n.said = "", nil, time.Time{} }
