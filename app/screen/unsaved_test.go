package screen

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestAnAnswerThatTheDiskDidNotConfirmIsNotSaidToBeSent(t *testing.T) {
	b := newBench(t, 80, 24)
	b.rig.Disk.Doubt = errors.New("input/output error")
	s := b.ask(database(), shop())
	b.calm()
	b.Key(event("enter"))
	b.desk.Work()
	b.drainDesk() // a write that failed rings nobody: its result is here before the watch sees it
	b.settle()
	for range 3 {
		require.Equal(t, s.ID, b.shown(), "though the watch has seen it settled")
		require.Contains(t, b.footer(), "not saved yet, trying again: not confirmed by the disk")
		require.NotContains(t, b.picture(), "sent")
		b.clock.Pass(desk.RetryIn)
		b.tick()
		b.settle()
	}
	b.rig.Disk.Doubt = nil
	b.clock.Pass(desk.RetryIn)
	b.tick()
	b.settle()
	require.Nil(t, b.form())
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop · claude: sent")
	require.EqualValues(t, 2, b.get(s.ID).Revision)
}

func TestTheKeyThatQuitsSaysThatAnAnswerIsNotSaved(t *testing.T) {
	b := newBench(t, 80, 24)
	b.rig.Disk.Err = errors.New("no space left on device")
	s := b.ask(database(), shop())
	b.calm()
	b.press("enter")
	b.clock.Pass(time.Second)
	b.press("q")
	require.Equal(t, "an answer is not saved yet; q again quits without saving it", b.said())
	require.EqualError(t, b.nameUnsaved(nil), "the answer to "+s.ID+" was not saved: no space left on device")
	signal := term.Signal{Sig: unix.SIGTERM}
	require.ErrorAs(t, b.nameUnsaved(signal), &signal)
	require.ErrorContains(t, b.nameUnsaved(signal), "was not saved")
}

func TestNothingIsSaidOfAnAnswerThatIsStoredAtTheEnd(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.calm()
	b.Key(event("enter")) // not stored yet
	require.ErrorContains(t, b.nameUnsaved(nil), "the disk does not respond")
	b.desk.Work()
	b.drainDesk()
	require.NoError(t, b.nameUnsaved(nil))
}

func TestANoteGoesWithACancelAndStaysInHistory(t *testing.T) {
	b := newBench(t, 80, 30)
	b.ask(database(), shop())
	b.clock.Pass(time.Second)
	b.press("n")
	b.write("only the managed one")
	b.press("enter")
	b.press("x")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Empty(t, b.desk.Waiting(), b.picture())
	b.press("h", "enter")
	assert.Contains(t, b.picture(), "✎ only the managed one")
	assert.NotContains(t, b.picture(), "not sent")
}
