package mcpbridge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheThreadThatEveryCallNamesIsKnownOfWhoAsks(t *testing.T) {
	long, id := strings.Repeat("x", 129), "01a2017a-bb6a-72a0-bb17-6b852ad5abe2"
	for meta, want := range map[string]string{
		`{"threadId":"` + id + `","progressToken":1}`: id, `{"progressToken":1}`: "", `{"threadId":7}`: "",
		`{"threadId":""}`: "", `{"threadId":"-t %1"}`: "", `{"threadId":"` + long + `"}`: "",
	} {
		bubble(t, func(t *testing.T, r *rig) {
			r.start("codex-mcp-client")
			defer r.dashboard()()
			r.call(1, single, `,"_meta":`+meta)
			require.Equal(t, want, r.only().Origin.Thread, meta)
		})
	}
}
