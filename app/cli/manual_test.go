package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/choicetui/choicetui/config"
)

// writtenManual runs the command that README and the release run, and returns the directory with the pages.
func writtenManual(t *testing.T, env ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "man")
	cmd := exec.CommandContext(t.Context(), "go", "run", "-tags", "man", "./app/cli/man", dir, "v1.2.3")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), append(env, "SOURCE_DATE_EPOCH=1763769600")...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

// plainRoff returns the words of a page without the markup of roff.
func plainRoff(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	return strings.NewReplacer(`\-`, "-", `\fB`, "", `\fI`, "", `\fP`, "", `\fR`, "", `\&`, "", `\\`, `\`, `\(aq`, "'").
		Replace(string(raw))
}

func TestEveryCommandHasAPageInTheManualWithItsFlags(t *testing.T) {
	t.Parallel()
	dir := writtenManual(t)
	sh := &shell{in: strings.NewReader(""), out: io.Discard, err: io.Discard, now: time.Now}
	root := newRoot(sh)
	root.InitDefaultCompletionCmd()
	var pages []string
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		pages = append(pages, name+".1")
		text := plainRoff(t, filepath.Join(dir, name+".1"))
		assert.Contains(t, text, name+" - "+cmd.Short)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			assert.Equal(t, !f.Hidden, strings.Contains(text, "--"+f.Name), name+" "+f.Name)
		})
		assert.Equal(t, cmd.Name() != "demo", strings.Contains(text, "--queue"), name)
		for _, child := range cmd.Commands() {
			if child.IsAvailableCommand() {
				assert.Contains(t, text, name+"-"+child.Name()+"(1)")
				look(child)
			}
		}
	}
	look(root)
	there, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	for i := range there {
		there[i] = filepath.Base(there[i])
	}
	slices.Sort(pages)
	require.Equal(t, pages, there)

	main := plainRoff(t, filepath.Join(dir, "choicetui.1"))
	assert.Contains(t, main, `"Nov 2025" "choicetui v1.2.3"`)
	for _, row := range config.Table {
		assert.Contains(t, main, row.Key)
	}
	for _, f := range append(environmentVars(), exitCodes...) {
		assert.Contains(t, main, f.means)
	}
	readWithoutAWarning(t, dir)
}

// A cask installs only the files that it names, so it must name every page.
func TestTheHomebrewCaskNamesEveryPageOfTheManual(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", ".goreleaser.yaml"))
	require.NoError(t, err)
	var release struct {
		Casks []struct {
			Pages []string `yaml:"manpages"`
		} `yaml:"homebrew_casks"`
	}
	require.NoError(t, yaml.Unmarshal(raw, &release))
	require.Len(t, release.Casks, 1)
	written, err := filepath.Glob(filepath.Join(writtenManual(t), "*.1"))
	require.NoError(t, err)
	var pages []string
	for _, page := range written {
		pages = append(pages, "man/"+filepath.Base(page)+".gz")
	}
	assert.ElementsMatch(t, pages, release.Casks[0].Pages)
}

// readWithoutAWarning checks the pages with the programs that show manual pages, if they are installed.
func readWithoutAWarning(t *testing.T, dir string) {
	readers := [][]string{{"man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"}, {"mandoc", "-T", "lint", "-W", "warning"}}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	require.NoError(t, err)
	for _, reader := range readers {
		if _, err := exec.LookPath(reader[0]); err != nil {
			t.Logf("the pages were not read by %s, which is not here", reader[0])
			continue
		}
		for _, page := range pages {
			cmd := exec.CommandContext(t.Context(), reader[0], append(slices.Clone(reader[1:]), page)...)
			var said strings.Builder
			cmd.Stderr = &said
			out, err := cmd.Output()
			if reader[0] == "mandoc" {
				said.Write(out)
			}
			assert.NoError(t, err, page)
			assert.Empty(t, said.String(), page)
		}
	}
}

func TestTheManualIsTheSameBytesForEveryPersonWhoWritesIt(t *testing.T) {
	one := writtenManual(t)
	other := writtenManual(t, "CHOICETUI_QUEUE=/elsewhere", "XDG_CONFIG_HOME=/elsewhere", "TZ=Asia/Tokyo", "LANG=C")
	pages, err := filepath.Glob(filepath.Join(one, "*.1"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		want, err := os.ReadFile(page)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(other, filepath.Base(page)))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got))
	}
}

func TestTheProgramLinksNeitherTheManualNorASchemaCompiler(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", ".")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	require.NoError(t, err)
	assert.Contains(t, string(out), "github.com/spf13/cobra\n")
	assert.NotContains(t, string(out), "cobra/doc")
	assert.NotContains(t, string(out), "santhosh-tekuri", "a third of each start")
}
