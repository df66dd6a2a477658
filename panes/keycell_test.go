package panes

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAKeyTooLongForItsColumnIsLeftOut(t *testing.T) {
	require.Equal(t, "^G", keyCell("^G"))
	require.Equal(t, "F5", keyCell("F5"))
	require.Empty(t, keyCell("Alt-q"))
}
