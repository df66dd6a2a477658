package list

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/panes/say"
)

func TestANarrowedQueueSaysWhatMatches(t *testing.T) {
	assert.Equal(t, [2]string{"/which · 3 of 5 waiting", "/which 3 of 5"}, found("/which", 3, 5, "·"))
	assert.Equal(t, "nothing matches /zebra", say.NothingFound("zebra"))
	assert.Equal(t, "nothing matches /a<U+202E>b", say.NothingFound("a\u202eb"))
	assert.Empty(t, say.NothingFound(""))
}
