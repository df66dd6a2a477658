package prompt

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// linkedProject makes a project whose links lead to several places, and returns the directory above it, without links.
func linkedProject(t *testing.T) string {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, dir := range []string{"proj/sub", "home/sub"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(top, "proj/sub/own"), []byte("x\n"), 0o600))
	require.NoError(t, unix.Mkfifo(filepath.Join(top, "home/pipe"), 0o600))
	for link, to := range map[string]string{
		"proj/link.txt": "/etc/passwd", "proj/out": filepath.Join(top, "home"), "proj/near": "../home/sub",
		"proj/none": filepath.Join(top, "home/new.txt"), "proj/round": "round", "proj/a": "b", "proj/b": "a",
		"proj/inside": "sub/own", "proj/pipe": "../home/pipe", "via": "proj",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(top, link)))
	}
	return top
}

func TestALinkShowsWhereItLeadsAndIsMarkedByThat(t *testing.T) {
	t.Parallel()
	top := linkedProject(t)
	proj, outside := filepath.Join(top, "proj"), true
	for _, c := range []struct {
		path, leads string
		marked      bool
	}{
		{proj + "/link.txt", "/etc/passwd", outside},
		{"link.txt", "/etc/passwd", outside},
		{"./sub/../link.txt", "/etc/passwd", outside},
		{"out/.bashrc", top + "/home/.bashrc", outside},
		{"out/new/deep/file", top + "/home/new/deep/file", outside},
		{"near/x", top + "/home/sub/x", outside},
		{"none", top + "/home/new.txt", outside},
		{"pipe", top + "/home/pipe", outside},
		{"inside", proj + "/sub/own", false},
		{"sub/own", "", false},
		{"sub/new", "", false},
		{proj + "/../home/.bashrc", "", outside},
		{"../home/.bashrc", "", outside},
		{"round", queue.LeadsNowhere, outside},
		{"a/x", queue.LeadsNowhere, outside},
		{"near/../x", queue.LeadsNowhere, outside}, // home/x, or x where `..` is taken away first
		{"sub/own/x", "", false},
		{"x\x00y", queue.LeadsNowhere, outside},
		{"link.txt ", "", false},
	} {
		for _, dir := range []string{proj, top + "/via"} {
			input, err := json.Marshal(map[string]string{"file_path": c.path, "content": "x\n"})
			require.NoError(t, err)
			event, err := json.Marshal(map[string]any{"session_id": "s", "hook_event_name": "PermissionRequest",
				"tool_name": "Write", "tool_input": json.RawMessage(input), "cwd": dir})
			require.NoError(t, err)
			asked, ok := Claude(event, token)
			require.True(t, ok, "%q", c.path)
			a := asked.Ask.Approval
			require.Equal(t, c.path, a.Parts[0].Label, "the label is the agent's own")
			if c.path != "x\x00y" {
				require.Equal(t, c.leads, a.Parts[0].Leads, "%q in %s", c.path, dir)
			}
			// A path that is written with the real name of a directory that is named by a link counts as outside it.
			if dir == proj || !filepath.IsAbs(c.path) {
				require.Equal(t, c.marked, len(a.Marks) > 0, "%q in %s: %v", c.path, dir, a.Marks)
			}
		}
	}
}

func TestAPermissionOfCodexForALinkShowsWhereItLeads(t *testing.T) {
	t.Parallel()
	top := linkedProject(t)
	profile, ok := wire.Read([]byte(`{"fileSystem":{"write":["` + top + `/proj/out","` + top + `/proj/sub",":root"]}}`))
	require.True(t, ok)
	grants, ok := codexAsk{}.readGrants(profile, top+"/proj")
	require.True(t, ok)
	require.Equal(t, "Write "+top+"/proj/out → "+top+"/home", grants[0].option.Label)
	require.Equal(t, []string{queue.MarkOutside, "", queue.MarkOutside}, []string{grants[0].mark, grants[1].mark, grants[2].mark})
	require.Equal(t, "Write "+top+"/proj/sub", grants[1].option.Label)
	require.Equal(t, "Write :root", grants[2].option.Label)
}

func TestManyLinksTakeNoTime(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "0"), 0o700))
	for n := range 60 { // each is two steps into the one before
		one, before := filepath.Join(dir, string(rune('A'+n))), string(rune('A'+n-1))
		if n == 0 {
			before = "0"
		}
		require.NoError(t, os.Symlink(before+"/../"+before, one))
	}
	start := time.Now()
	_, err = realPath(filepath.Join(dir, string(rune('A'+59)), "x"))
	require.Error(t, err)
	require.Less(t, time.Since(start), looksWithin)
	_, err = realPath("relative")
	require.Error(t, err)
}
