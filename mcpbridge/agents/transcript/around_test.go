package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/stretchr/testify/require"
)

func TestAChangeHasTenLinesOfItsFileAroundIt(t *testing.T) {
	dir := t.TempDir()
	var lines []string
	for n := range 40 {
		lines = append(lines, fmt.Sprintf("line %d", n+1))
	}
	path := agenttest.Written(t, filepath.Join(dir, "a"), strings.Join(lines, "\n")+"\n")
	context := func(from, to int) (b string) {
		for _, l := range lines[from-1 : to] {
			b += " " + l + "\n"
		}
		return b
	}
	whole := "+" + strings.Join(lines[:19], "\n+") + "\n+line twenty\n+" + strings.Join(lines[20:], "\n+")
	for _, c := range []struct{ name, diff, want string }{
		{"in the middle", "-line 20\n+line twenty", context(10, 19) + "-line 20\n+line twenty\n" + context(21, 30)},
		{"within a line", "-ine 20\n+INE 20", context(10, 19) + "-line 20\n+lINE 20\n" + context(21, 30)},
		{"removed within a line", "-ine 20", context(10, 19) + "-line 20\n+l\n" + context(21, 30)},
		{"at the beginning", "-line 1\n-line 2\n+x", "-line 1\n-line 2\n+x\n" + context(3, 12)},
		{"at the end", "-line 40\n+x", context(30, 39) + "-line 40\n+x\n"},
		{"with lines around it", "@@ -19,3 +19,3 @@\n line 19\n-line 20\n+x\n line 21",
			context(9, 18) + " line 19\n-line 20\n+x\n line 21\n" + context(22, 31)},
		{"the whole file", whole, context(10, 19) + "-line 20\n+line twenty\n" + context(21, 30)},
	} {
		if c.name == "at the beginning" { // line 1 is also in line 10, but not with line 2 below it
			require.Equal(t, 1, strings.Count(strings.Join(lines, "\n"), "line 1\nline 2"))
		}
		shown, ok := Around(path, c.diff)
		require.True(t, ok, c.name)
		require.Equal(t, c.want, shown, c.name)
	}
	for _, diff := range []string{"-line 2\n+x", "-line 99\n+x", "", "@@"} {
		_, ok := Around(path, diff)
		require.False(t, ok, "%q is not there exactly once", diff)
	}
	for _, diff := range []string{"@@ -3,0 +4 @@\n+x", "@@ cell a is replaced by @@\n+x"} {
		_, ok := Around(path, diff)
		require.False(t, ok, "%q does not replace the whole file", diff)
	}
}

func TestOnlyAFileOfThisUserIsReadForALine(t *testing.T) {
	dir := t.TempDir()
	secret := agenttest.Written(t, filepath.Join(dir, "elsewhere", "secret"), "one\n")
	link := filepath.Join(dir, "here", "link")
	require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o700))
	require.NoError(t, os.Symlink(secret, link))
	long := agenttest.Written(t, filepath.Join(dir, "long"), "one\n"+strings.Repeat("x\n", MostBytes))
	for _, path := range []string{link, long, dir, "relative", "/dev/null", filepath.Join(dir, "none")} {
		_, ok := Around(path, "-one\n+two")
		require.False(t, ok, path)
	}
}
