package say

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAMarkIsSaidInAWholeSentence(t *testing.T) {
	require.Equal(t, "This may destroy something.", NativeConfirm([]string{queue.MarkDestroys}))
	require.Equal(t, "This may destroy something, reaches outside the project and talks to other machines.",
		NativeConfirm([]string{queue.MarkDestroys, queue.MarkOutside, queue.MarkNetwork}))
	require.Empty(t, NativeConfirm(nil))
}
