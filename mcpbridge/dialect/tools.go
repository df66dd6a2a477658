package dialect

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

// Tool names a tool that is offered to a model. Its texts are read at their first use, as most processes of this
// program offer no tools. The schemas are JSON Schema (draft 2020-12), written by hand.
type Tool struct{ Name, Title string }

// served holds a folder for each tool, with its description and both schemas. Models read these texts, so a change of a
// text changes how agents behave:
//
//   - The descriptions carry the decision policy (docs/contract.md, provide_choice). That of requestUserChoice has the
//     prompt rule of its seed: at least two options, one recommended, one question at a time.
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

// Description returns the tool's description for a model.
func (t Tool) Description() string { return servedText("tools/" + t.Name + "/description.md") }

// Input returns the schema of the tool's arguments.
func (t Tool) Input() json.RawMessage {
	return json.RawMessage(servedText("tools/" + t.Name + "/input.json"))
}

// Output returns the schema of the tool's structured result.
func (t Tool) Output() json.RawMessage {
	shared := strings.NewReplacer(failureHere, properties("failure"), teamHere, properties("team"),
		messagesHere, properties("messages"))
	return json.RawMessage(shared.Replace(servedText("tools/" + t.Name + "/output.json")))
}

// properties returns the properties of a shared file, ready to insert into a schema.
func properties(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(servedText("tools/"+name+".json"), "{\n    "), "\n}")
}

// servedText returns a served file without the newline at its end. It panics if the file is missing; every test of this
// package would show that.
func servedText(path string) string {
	raw, err := served.ReadFile(path)
	if err != nil {
		panic(fmt.Sprintf("a tool's text is missing: %v", err))
	}
	return strings.TrimSuffix(string(raw), "\n")
}
