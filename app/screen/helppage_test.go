package screen

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHelpIsNarrowedWhileTypingAndEscShowsAllAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.press("?", "/")
	b.write("q")
	assert.NotNil(t, b.frame.page(), "a letter is text in the find line, not a key")
	b.write("uit")
	assert.Contains(t, b.picture(), "quit (drafts saved)")
	assert.NotContains(t, b.picture(), "a note on this option")
	b.press("enter")
	assert.Contains(t, b.picture(), "/quit · 3 found")
	b.press("esc")
	assert.Contains(t, b.picture(), "a note on this option", "the first Esc shows all again")
	b.press("esc")
	assert.Nil(t, b.frame.page(), "the second leaves")
}
