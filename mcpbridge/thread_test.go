package mcpbridge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheThreadThatEveryCallNamesIsKnownOfWhoAsks(t *testing.T) {
	long := strings.Repeat("x", 129)
	for meta, want := range map[string]string{
		`,"_meta":{"threadId":"01a2017a-bb6a-72a0-bb17-6b852ad5abe2","progressToken":1}`: "01a2017a-bb6a-72a0-bb17-6b852ad5abe2",
		`,"_meta":{"progressToken":1}`: "", `,"_meta":{"threadId":7}`: "", `,"_meta":{"threadId":""}`: "",
		`,"_meta":{"threadId":"-t %1"}`: "", `,"_meta":{"threadId":"` + long + `"}`: "", "": "",
	} {
		bubble(t, func(t *testing.T, r *rig) {
			r.start("codex-mcp-client")
			defer r.dashboard()()
			r.call(1, single, meta)
			require.Equal(t, want, r.only().Origin.Thread, meta)
		})
	}
}
