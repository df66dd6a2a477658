package say

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAddresseeIsSaidWithOnePlace(t *testing.T) {
	require.Equal(t, "to shop · claude, tmux 0:0", addressee{Name: "shop · claude %70", Pane: "%70", Where: "0:0"}.String())
	require.Equal(t, "to shop · claude %70", addressee{Name: "shop · claude %70", Pane: "%70"}.String())
}
