//go:build linux

package term

import (
	"bufio"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatWasTypedAndNotReadIsDroppedAlsoAnUnfinishedLine(t *testing.T) {
	person, terminal, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { person.Close(); terminal.Close() })
	lines := make(chan string, 3)
	go func() {
		for sc := bufio.NewScanner(terminal); sc.Scan(); {
			lines <- sc.Text()
		}
	}()
	_, err = person.WriteString("a")
	require.NoError(t, err)
	time.Sleep(20 * time.Millisecond) // it is under way to the terminal's line
	DropTyped(terminal)
	_, err = person.WriteString("b\n")
	require.NoError(t, err)
	assert.Equal(t, "b", <-lines)
}
