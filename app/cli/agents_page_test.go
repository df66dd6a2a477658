package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// The tables and lists of docs/agents.md are written from the values of the agents, and from a file about.md in each
// home for what only words say:
//
//	# id                 begins an agent; a home may have several
//	package: name        its package of npm, as .ci/clients pins it
//	pane: none           no pane of it can be found
//	doing: words         where it is read what it was doing; none: its value has a reader that reads nothing of it
//	prompts: words       begins a row of its own prompts, and is the first cell
//	answered: words      the other cells of the row; not may be left out
//	how: words
//	not: words
//	- paragraph          a limit that a person has to know
//
// A line that begins with two blanks continues the one before.

// about holds what an agent's about.md says.
type about struct {
	pkg, pane, doing string
	rows             []promptRow
	limits           []string
}

// promptRow is a row of the table of the agents' own prompts.
type promptRow struct{ agent, answered, how, not string }

// none is what a line says of what an agent does not have.
const none = "none"

// kits lists the folders beside the homes.
var kits = []string{"agent", "agenttest", "prompt", "transcript"}

// readAbout reads an about.md. The error names the line that it does not understand.
func readAbout(text string) (all map[string]*about, err error) {
	all = map[string]*about{}
	var now *about
	var last *string
	for i, line := range strings.Split(text, "\n") {
		key, words, _ := strings.Cut(line, ": ")
		id, begins := strings.CutPrefix(line, "# ")
		rest, continues := strings.CutPrefix(line, "  ")
		limit, limits := strings.CutPrefix(line, "- ")
		switch {
		case line == "":
			last = nil
			continue
		case begins && all[id] == nil:
			now, last = &about{}, nil
			all[id] = now
			continue
		case continues && last != nil:
			*last += " " + rest
			continue
		case now == nil:
			return nil, fmt.Errorf("line %d: %q is before the first agent", i+1, line)
		case limits:
			now.limits = append(now.limits, limit)
			last = &now.limits[len(now.limits)-1]
			continue
		case key == "prompts":
			now.rows = append(now.rows, promptRow{})
		}
		if last = now.field(key); last == nil || *last != "" || words == "" {
			return nil, fmt.Errorf("line %d: %q is none of the lines that it may have", i+1, line)
		}
		*last = words
	}
	for id, a := range all {
		for _, r := range a.rows {
			if r.answered == "" || r.how == "" {
				return nil, fmt.Errorf("%s: the row %q lacks answered or how", id, r.agent)
			}
		}
	}
	return all, nil
}

// field returns the place for the words of a key; nil: there is no such key, or no row that it could belong to.
func (a *about) field(key string) *string {
	switch key {
	case "package":
		return &a.pkg
	case "pane":
		return &a.pane
	case "doing":
		return &a.doing
	}
	if len(a.rows) == 0 {
		return nil
	}
	row := &a.rows[len(a.rows)-1]
	return map[string]*string{"prompts": &row.agent, "answered": &row.answered, "how": &row.how, "not": &row.not}[key]
}

// abouts returns what the homes say of their agents, by id. Each home and each agent has to have such words.
func abouts(t *testing.T) map[string]*about {
	t.Helper()
	dir := filepath.Join("..", "..", "mcpbridge", "agents")
	folders, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := map[string]*about{}
	for _, folder := range folders {
		if !folder.IsDir() || slices.Contains(kits, folder.Name()) {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, folder.Name(), "about.md"))
		require.NoError(t, err, "the home %s needs an about.md; docs/new-agent.md says what goes into it", folder.Name())
		said, err := readAbout(string(raw))
		require.NoError(t, err, "mcpbridge/agents/%s/about.md", folder.Name())
		for id, a := range said {
			require.NotEmpty(t, agents.Of(id).Name, "mcpbridge/agents/%s/about.md: there is no agent %q", folder.Name(), id)
			require.Nil(t, all[id], "%s is in two files", id)
			all[id] = a
		}
	}
	for _, a := range agents.All() {
		require.NotNil(t, all[a.ID], "no about.md has a part “# %s” for %s", a.ID, a.Name)
	}
	return all
}

// pinned returns the versions of the packages with which .ci/clients tries agents, by their names.
func pinned(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", ".ci", "clients"))
	require.NoError(t, err)
	list := regexp.MustCompile(`(?s)\nagents=\((.*?)\)`).FindStringSubmatch(string(raw))
	require.NotNil(t, list)
	versions := map[string]string{}
	for _, name := range strings.Fields(list[1]) {
		at := strings.LastIndex(name, "@")
		versions[name[:at]] = name[at+1:]
	}
	return versions
}

// agentsMarkdown returns the generated parts of docs/agents.md.
func agentsMarkdown(t *testing.T) map[string]string {
	t.Helper()
	said, versions := abouts(t), pinned(t)
	var table, prompts, doing, limits strings.Builder
	table.WriteString("| agent | connected by | asks here, and waits | own prompts answered here | what it was doing | " +
		"lines | tried live |\n|---|---|---|---|---|---|---|\n")
	prompts.WriteString("| agent | what is answered here | how | what is not |\n|---|---|---|---|\n")
	doings := map[string][]string{}
	var order []string
	for _, a := range agents.All() {
		words := said[a.ID]
		waits, _, _ := strings.Cut(strings.TrimSuffix(a.Timeout, "."), ". ") // the rest is for who connects it by hand
		tried := "not tried"
		if words.pkg != "" {
			require.NotEmpty(t, versions[words.pkg], ".ci/clients does not pin %s, the package of %s", words.pkg, a.Name)
			tried = versions[words.pkg]
		}
		fmt.Fprintf(&table, "| **%s** | %s | %s | %s | %s | %s | %s |\n", a.Name, connectedBy(a), waits,
			promptsOf(a), doingOf(a, words), linesOf(a, words), tried)
		for _, r := range words.rows {
			fmt.Fprintf(&prompts, "| %s | %s | %s | %s |\n", r.agent, r.answered, r.how, r.not)
		}
		require.Equal(t, a.Sessions.Reader != nil, words.doing != "",
			"about.md of %s has a line “doing: …” if its value has a reader, and only then", a.Name)
		if doings[words.doing] == nil {
			order = append(order, words.doing)
		}
		doings[words.doing] = append(doings[words.doing], a.Name)
		if a.ByHand != "" {
			words.limits = append(words.limits, a.ByHand)
		}
		switch len(words.limits) {
		case 0:
		case 1:
			fmt.Fprintf(&limits, "- **%s**: %s\n", a.Name, words.limits[0])
		default:
			fmt.Fprintf(&limits, "- **%s**\n  - %s\n", a.Name, strings.Join(words.limits, "\n  - "))
		}
	}
	for _, from := range order {
		if from != "" && from != none {
			fmt.Fprintf(&doing, "- %s: %s.\n", strings.Join(doings[from], ", "), from)
		}
	}
	return map[string]string{"agents": table.String(), "prompts": prompts.String(), "doing": doing.String(),
		"limits": limits.String()}
}

// connectedBy says what connects an agent where setup does not.
func connectedBy(a agent.Agent) string {
	switch {
	case a.Command != "":
		return "`" + a.Filled("choicetui").Command + "`"
	case a.Server.Format == agent.YAML:
		return "lines that you add to `" + a.File + "`"
	}
	return "`" + a.File + "`"
}

// promptsOf lists an agent's own prompts that are answered here.
func promptsOf(a agent.Agent) string {
	all := slices.DeleteFunc(a.Brings(), func(what string) bool { return what == agent.OwnPane })
	if a.Watch != nil {
		all = append(all, "its own prompts from its server")
	}
	if a.Native.Brings != "" {
		all = append(all, "with `--native`, "+strings.TrimSuffix(a.Native.Brings, ","))
	}
	return cmp.Or(strings.Join(all, "; "), "–")
}

// doingOf names the source of what an agent was doing.
func doingOf(a agent.Agent, words *about) string {
	switch {
	case words.doing == none || words.doing == "" && words.pane == none:
		return "–"
	case a.Sessions.Ask != nil:
		return "plugin"
	case a.Sessions.Reader != nil:
		return "transcript"
	}
	return "pane"
}

// linesOf names the ways of a line to an agent.
func linesOf(a agent.Agent, words *about) string {
	var ways []string
	if a.Sessions.Ask != nil { // its plugin takes lines too
		ways = append(ways, "plugin")
	}
	if a.Lines != nil {
		ways = append(ways, "server")
	}
	if words.pane != none {
		ways = append(ways, "pane")
	}
	return cmp.Or(strings.Join(ways, ", "), "–")
}

func TestEachPinnedAgentIsTriedInTheTableOfAgents(t *testing.T) {
	said := abouts(t)
	for name := range pinned(t) {
		if strings.HasSuffix(name, "-acp") { // an editor's adapter, no agent
			continue
		}
		assert.True(t, slices.ContainsFunc(agents.All(), func(a agent.Agent) bool { return said[a.ID].pkg == name }),
			"no about.md has the line “package: %s”", name)
	}
}

func TestAnAboutFileIsReadStrictly(t *testing.T) {
	all, err := readAbout("# one\n\npackage: p\ndoing: a\n  b\n\nprompts: X\nanswered: c\nhow: d\n\n- e: f\n  g\n- h\n\n# two\n")
	require.NoError(t, err)
	require.Equal(t, map[string]*about{"two": {}, "one": {pkg: "p", doing: "a b", limits: []string{"e: f g", "h"},
		rows: []promptRow{{agent: "X", answered: "c", how: "d"}}}}, all)
	for name, text := range map[string]string{
		"before an agent": "package: p\n", "unknown": "# one\nwhat: ever\n", "prose": "# one\nIt is fine.\n",
		"twice": "# one\ndoing: a\ndoing: b\n", "no row": "# one\nanswered: a\n", "empty": "# one\ndoing: \n",
		"half a row": "# one\nprompts: X\nhow: d\n", "an agent twice": "# one\n# one\n", "continues nothing": "# one\n\n  b\n",
	} {
		_, err := readAbout(text)
		require.Error(t, err, name)
	}
}

// A page that is read in one go is short. Each limit is on the bytes or lines of a page.
func TestPagesThatAreReadInOneGoAreShort(t *testing.T) {
	for _, page := range []struct {
		name         string
		bytes, lines int
	}{{"agents.md", 20_000, 0}, {"new-agent.md", 0, 60}} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "docs", page.name))
		require.NoError(t, err)
		if page.bytes > 0 {
			assert.LessOrEqual(t, len(raw), page.bytes, "the bytes of docs/%s", page.name)
		}
		if page.lines > 0 {
			assert.LessOrEqual(t, strings.Count(string(raw), "\n"), page.lines, "the lines of docs/%s", page.name)
		}
	}
}
