package dialect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	jsonBlock = regexp.MustCompile("(?s)([^\n]*)\n```json\n(.*?)\n```")
	marker    = regexp.MustCompile(`^<!-- example: (\w+) (input|output) -->$`)
)

func document(t *testing.T, name ...string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, name...)...))
	require.NoError(t, err)
	return string(raw)
}

// offered returns every tool.
func offered() (tools []Tool) {
	for _, d := range All() {
		tools = append(tools, d.Tool)
	}
	return append(tools, NextMessage, SubmitSummary)
}

// TestDocumentsExamplesAreWhatTheToolsTakeAndGive checks every JSON block of the documents. The line above a block says
// which format it has.
func TestDocumentsExamplesAreWhatTheToolsTakeAndGive(t *testing.T) {
	for file, text := range map[string]string{
		"README.md": document(t, "README.md"), "docs/contract.md": document(t, "docs", "contract.md"),
	} {
		seen := map[string]bool{}
		for _, block := range jsonBlock.FindAllStringSubmatch(text, -1) {
			said := marker.FindStringSubmatch(block[1])
			require.NotNil(t, said, "%s: a JSON block without `<!-- example: TOOL input -->` above it: %.60s", file, block[2])
			checkExample(t, said[1], said[2], []byte(block[2]))
			seen[said[1]+" "+said[2]] = true
		}
		if file == "docs/contract.md" { // README shows a single example and links to the contract
			for _, d := range asking {
				require.True(t, seen[d.Tool.Name+" input"], "%s: %s", file, d.Tool.Name)
			}
		}
		require.Equal(t, strings.Count(text, "```json"), len(jsonBlock.FindAllString(text, -1)), file)
	}
}

// checkExample validates one example against its schema and parses it. A good example gets no advice.
func checkExample(t *testing.T, name, way string, example []byte) {
	t.Helper()
	if name == ModelText {
		req, err := Extract(string(example)).Request()
		require.NoError(t, err)
		require.NotEmpty(t, req.Ask.Questions)
		return
	}
	tools := offered()
	i := slices.IndexFunc(tools, func(tool Tool) bool { return tool.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	if way == "output" {
		require.NoError(t, compile(t, tools[i].Output()).Validate(plain(t, example)), string(example))
		return
	}
	require.NoError(t, compile(t, tools[i].Input()).Validate(plain(t, example)), string(example))
	if name == NextMessage.Name {
		_, err := ParseNextMessage(example)
		require.NoError(t, err)
		return
	}
	if name == SubmitSummary.Name {
		_, err := ParseSubmitSummary(example)
		require.NoError(t, err)
		return
	}
	req, err := For(name).Parse(json.RawMessage(example))
	require.NoError(t, err)
	if req.Poll == nil {
		require.Empty(t, Advise(name, req.Ask), "an example is a good one")
	}
}

// A field that is added to a schema is named in the tool's section of the contract too, or in the one on every call.
func TestTheContractNamesEveryField(t *testing.T) {
	sections := map[string]string{}
	for _, s := range regexp.MustCompile(`(?m)^##+ `).Split(document(t, "docs", "contract.md"), -1) {
		title, body, _ := strings.Cut(s, "\n")
		sections[title[strings.LastIndexByte(title, ' ')+1:]] = body
	}
	every := sections["call"]
	require.NotEmpty(t, every)
	for _, tool := range offered() {
		section := sections[tool.Name]
		require.NotEmpty(t, section, tool.Name)
		named := section + every
		if tool.Name == namePoll { // its results have the formats of the other tools
			named += sections[nameProvideChoice] + sections[nameUserChoice] + sections[nameHITL] + sections[nameQuestions]
		}
		for _, schema := range []json.RawMessage{tool.Input(), tool.Output()} {
			for _, field := range fieldsOf(t, schema) {
				assert.True(t, strings.Contains(named, "`"+field+"`") || strings.Contains(named, "."+field+"`"),
					"%s: %s", tool.Name, field)
			}
		}
	}
}

// fieldsOf returns the names of all properties in a schema, however deep.
func fieldsOf(t *testing.T, schema json.RawMessage) (names []string) {
	t.Helper()
	var node struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Items      json.RawMessage            `json:"items"`
	}
	require.NoError(t, json.Unmarshal(schema, &node))
	for name, property := range node.Properties {
		names = append(append(names, name), fieldsOf(t, property)...)
	}
	if len(node.Items) > 0 {
		names = append(names, fieldsOf(t, node.Items)...)
	}
	return names
}
