package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTextThatDidNotGoOutWithTheAnswerStaysInHistory(t *testing.T) {
	b := newBench(t, 80, 30)
	b.ask(database(), shop())
	b.clock.pass(time.Second)
	b.press("n")
	b.write("only the managed one")
	b.press("enter")
	b.press("x")
	b.clock.pass(time.Second)
	b.press("enter")
	require.Empty(t, b.desk.Waiting(), b.picture())
	b.press("h", "enter")
	assert.Contains(t, b.picture(), "You typed, not sent: “only the managed one”")
}
