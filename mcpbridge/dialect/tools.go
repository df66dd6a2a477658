package dialect

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

// served holds the text that a model reads of each tool: a folder of the tool's name with its description and both
// schemas. They are texts, not code, and a change in one of them is a change in how agents behave:
//
//   - The descriptions carry the decision policy (docs/contract.md, provide_choice), and
//     requestUserChoice's says what its seed's prompt rule says: at least two options, one recommended, one question
//     at a time.
//   - provide_choice requires nothing at the top level of its input: a poll needs none of the fields that an ask needs.
//   - No output forbids additional properties or requires any: a refusal has the same schema as a result.
//   - poll_selection's result is the asking tool's, so its output has room for all of them.
//
//go:embed tools
var served embed.FS

// failureHere marks the place in an output schema for the properties in tools/failure.json, which most outputs have.
const failureHere = `"$ref": "../failure.json"`

// messagesHere marks the place for the properties in tools/messages.json, which all outputs have.
const messagesHere = `"$ref": "../messages.json"`

// teamHere marks the place for the properties in tools/team.json, which the outputs of questions for the team have.
const teamHere = `"$ref": "../team.json"`

// Description is what a model reads of the tool.
func (t Tool) Description() string { return servedText("tools/" + t.Name + "/description.md") }

// Input is the schema of the tool's arguments.
func (t Tool) Input() json.RawMessage {
	return json.RawMessage(servedText("tools/" + t.Name + "/input.json"))
}

// Output is the schema of the tool's structured result.
func (t Tool) Output() json.RawMessage {
	shared := strings.NewReplacer(failureHere, properties("failure"), teamHere, properties("team"),
		messagesHere, properties("messages"))
	return json.RawMessage(shared.Replace(servedText("tools/" + t.Name + "/output.json")))
}

// properties returns the properties of a shared file, ready to insert into a schema.
func properties(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(servedText("tools/"+name+".json"), "{\n    "), "\n}")
}

// servedText is one of the served files without the newline at its end. It panics if the file is missing, which any
// test of this package shows.
func servedText(path string) string {
	raw, err := served.ReadFile(path)
	if err != nil {
		panic(fmt.Sprintf("a tool's text is missing: %v", err))
	}
	return strings.TrimSuffix(string(raw), "\n")
}
