package reading

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestABlankOfACommandThatIsNoneIsShown(t *testing.T) {
	t.Parallel()
	lines := Approval(&queue.Approval{Tool: "Bash", Parts: []queue.Part{
		{Kind: queue.PartCommand, Text: "ls\u00a0-l\r\nrm x"}}}, "", 40)
	require.Equal(t, "ls<U+00A0>-l<U+000D>", lines[0].String())
}
