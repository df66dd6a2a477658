package question

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

func TestWhyAnApprovalIsMarkedIsSaidInOneSentence(t *testing.T) {
	a := &queue.Approval{Marks: []string{queue.MarkDestroys, queue.MarkOutside, queue.MarkNetwork}}
	require.Equal(t, "it may destroy something, reaches outside the project and talks to other machines", say.Marked(a))
	require.Empty(t, say.Marked(nil))
	require.Empty(t, say.Marked(&queue.Approval{}))
	require.Equal(t, []string{"! it talks to other machines ! " + say.HiddenCharacters, "! network ! " + say.HiddenCharacters,
		"! network ! <U+…>"}, warnings(&queue.Approval{Marks: []string{queue.MarkNetwork}}, true))
}
