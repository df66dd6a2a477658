package say_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/say"
)

func TestWhyNoPaneIsSurelyAnAgentsOwnIsSaidAsFarAsItIsKnown(t *testing.T) {
	for want, is := range map[string]struct {
		program string
		fit     int
	}{
		"its hub daemon may serve several agents":                      {"", 0},
		"no terminal here runs cline in its directory":                 {"cline", 0},
		"cline runs in one terminal, but perhaps not in its directory": {"cline", 1},
		"cline may run in its directory in 3 terminals":                {"cline", 3},
	} {
		require.Equal(t, "its pane is not certain: "+want, say.NoPaneIsSure("hub daemon", is.program, is.fit))
	}
}
