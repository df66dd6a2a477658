package say

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestEverySurfaceOfAPersonHasWordsForEveryFace(t *testing.T) {
	for _, surface := range []string{queue.SurfaceDashboard, queue.SurfaceAttach, queue.SurfaceWeb,
		queue.SurfaceCLI} {
		for _, f := range []Face{FaceHistory, FaceScreen, FaceCommand, FaceLines} {
			require.NotEmpty(t, Through(surface, f), surface)
		}
	}
	require.Equal(t, "elsewhere", Through(queue.SurfaceMCP, FaceScreen))
	require.Empty(t, Through(queue.SurfaceMCP, FaceLines))
	require.Equal(t, "by a person, with choicetui attach", Settler(queue.Outcome{By: queue.ByHuman,
		Surface: queue.SurfaceAttach}))
}

func TestTheHomeDirectoryIsWrittenAsATilde(t *testing.T) {
	for dir, want := range map[string]string{"/home/me": "~", "/home/me/shop": "~/shop", "/home/meg": "/home/meg",
		"": ""} {
		require.Equal(t, want, Tilde(dir, "/home/me"))
	}
	require.Equal(t, "/srv", Tilde("/srv", ""), "no home is known")
}
