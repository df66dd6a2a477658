package ink

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAKeyTooLongForItsColumnIsLeftOut(t *testing.T) {
	require.Equal(t, "^G", KeyCell("^G"))
	require.Equal(t, "F5", KeyCell("F5"))
	require.Empty(t, KeyCell("Alt-q"))
}
