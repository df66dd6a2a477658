package say

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatWaitsIsCountedWithWhatWaitsForNobody(t *testing.T) {
	assert.Equal(t, "nothing else is waiting", Waiting(0, 0))
	assert.Equal(t, "1 waiting", Waiting(1, 0))
	assert.Equal(t, "1 waiting (agent gone)", Waiting(1, 1))
	assert.Equal(t, "3 waiting", Waiting(3, 0))
	assert.Equal(t, "3 waiting (1 gone)", Waiting(3, 1))
}

func TestQuittingSaysWhatStays(t *testing.T) {
	assert.Equal(t, "1 question stays in the queue", Stay(1))
	assert.Equal(t, "4 questions stay in the queue", Stay(4))
}

func TestAStepThatLeadsNowhereSaysWhy(t *testing.T) {
	for _, c := range []struct {
		n, listed, waiting int
		find, message      string
		aside              Tail
	}{
		{1, 5, 5, "", "", Tail{"this is the last of 5", "the last of 5", "the last", ""}},
		{-1, 5, 5, "", "", Tail{"this is the first of 5", "the first of 5", "the first", ""}},
		{1, 2, 5, "which", "", Tail{"this is the last of 2 that match", "the last of 2 that match", "the last", ""}},
		{1, 0, 5, "zebra", "nothing matches /zebra", nil},
		{1, 1, 1, "", "nothing else is waiting", nil},
		{1, 0, 0, "", "nothing else is waiting", nil},
	} {
		message, aside := NoStep(c.n, c.listed, c.waiting, c.find)
		assert.Equal(t, c.message, message, "%+v", c)
		assert.Equal(t, c.aside, aside, "%+v", c)
	}
}

func TestPastedTextIsToldWhereItMayGo(t *testing.T) {
	assert.Equal(t, "paste goes into text: press t first", PasteWhere([]string{"t"}, true))
	assert.Equal(t, "paste goes into text: press t, n or a first", PasteWhere([]string{"t", "n", "a"}, true))
	assert.Equal(t, "paste goes into text", PasteWhere([]string{"t"}, false))
	assert.Equal(t, "paste goes into text", PasteWhere(nil, true))
}
