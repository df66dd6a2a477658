package dialect

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

// Tool names a tool that is offered to models. Its texts are read at their first use, because most processes of this
// program offer no tools. The schemas are JSON Schema (draft 2020-12), written by hand.
type Tool struct{ Name, Title string }

// served contains a folder for each tool, with its description and its two schemas. Models read these texts, so a
// change of them changes how agents behave:
//
//   - The descriptions say when to ask (docs/contract.md, provide_choice). The description of requestUserChoice has the
//     rule of the tool that it imitates: at least two options, one recommended, one question at a time.
//   - provide_choice requires nothing at the top level of its input: a poll needs none of the fields that an ask needs.
//   - No output schema requires properties or forbids additional ones: a refusal has the same schema as a result.
//   - The result of poll_selection has the format of the tool that asked, so its output schema allows all of them.
//
//go:embed tools
var served embed.FS

// failureHere marks the place in an output schema where the properties of tools/failure.json are inserted. Most outputs
// have them.
const failureHere = `"$ref": "../failure.json"`

// messagesHere marks the place for the properties of tools/messages.json. All outputs have them.
const messagesHere = `"$ref": "../messages.json"`

// teamHere marks the place for the properties of tools/team.json. The outputs of questions that can go to the team have
// them.
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

// properties returns the properties of a shared schema file, ready to be inserted into a schema.
func properties(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(servedText("tools/"+name+".json"), "{\n    "), "\n}")
}

// servedText returns a file of served without the newline at its end. It panics if the file is missing, which every
// test of this package would show.
func servedText(path string) string {
	raw, err := served.ReadFile(path)
	if err != nil {
		panic(fmt.Sprintf("a tool's text is missing: %v", err))
	}
	return strings.TrimSuffix(string(raw), "\n")
}
