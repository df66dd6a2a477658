package screen

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPastedTextIsToldWhereItMayGo(t *testing.T) {
	assert.Equal(t, "paste goes into text: press t first", pasteWhere([]string{"t"}, true))
	assert.Equal(t, "paste goes into text: press t, n or a first", pasteWhere([]string{"t", "n", "a"}, true))
	assert.Equal(t, "paste goes into text", pasteWhere([]string{"t"}, false))
	assert.Equal(t, "paste goes into text", pasteWhere(nil, true))
}
