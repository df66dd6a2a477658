package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
)

// forAgentsCommand groups the commands for people who write prompts and tools.
func forAgentsCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "for-agents",
		Short: "Print prompts and schemas for agents",
		Long: `for-agents prints what you need to write prompts and tools for agents that ask
through choicetui.`,
		Example: `  choicetui for-agents prompt >> AGENTS.md
  choicetui for-agents schema provide_choice`,
		Args: nothingBut("extract, prompt or schema, not "),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(extractCommand(sh), promptCommand(sh), schemaCommand(sh))
	return cmd
}

func schemaCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "schema [TOOL]",
		Short: "Print a tool's input and output schemas",
		Long: `schema prints what an agent may send to a tool of choicetui's MCP server, and
what it gets back: one JSON object with the tool's description and both JSON
Schemas, exactly as they are served. Without a tool it lists the tools.`,
		Example: `  choicetui for-agents schema
  choicetui for-agents schema provide_choice`,
		Args:              atMostOneTool,
		ValidArgsFunction: completeTools,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listTools(sh.out, asJSON)
			}
			return printSchema(sh.out, args[0])
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON, with every schema")
	return cmd
}

// toolSchema is a tool as `schema` prints it.
type toolSchema struct {
	Tool        string          `json:"tool"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output"`
}

// tools returns all tools of the MCP server, in the order of the documentation.
func tools() []dialect.Tool {
	var all []dialect.Tool
	for _, d := range dialect.All() {
		all = append(all, d.Tool)
	}
	return append(all, dialect.NextMessage, dialect.SubmitSummary)
}

func schemaOf(t dialect.Tool) toolSchema {
	return toolSchema{Tool: t.Name, Description: t.Description(), Input: t.Input(), Output: t.Output()}
}

func listTools(out io.Writer, asJSON bool) error {
	var all []toolSchema
	for _, t := range tools() {
		all = append(all, schemaOf(t))
	}
	return printAs(out, asJSON, all, func(p *page) {
		for _, t := range tools() {
			p.line("%s  %s", column(t.Name, 18), t.Title)
		}
	})
}

// printSchema prints the schema of a tool. Upper case, - and _ in its name do not matter: request_user_choice finds
// requestUserChoice.
func printSchema(out io.Writer, name string) error {
	plain := func(s string) string { return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s)) }
	all := tools()
	i := slices.IndexFunc(all, func(t dialect.Tool) bool { return plain(t.Name) == plain(name) })
	if i < 0 {
		var names []string
		for _, t := range all {
			names = append(names, t.Name)
		}
		return &failure{say: "there is no tool " + quoted(name),
			hint: cmp.Or(didYouMean(name, names, "choicetui for-agents schema ", ""),
				"the tools are "+strings.Join(names, ", "))}
	}
	return printJSON(out, schemaOf(all[i]), "  ")
}

func atMostOneTool(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	return &failure{say: cmd.CommandPath() + " takes one tool, not also " + quoted(args[1]),
		hint: cmd.CommandPath() + " lists the tools"}
}

func completeTools(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, t := range tools() {
		if len(args) == 0 {
			names = append(names, cobra.CompletionWithDesc(t.Name, t.Title))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func promptCommand(sh *shell) *cobra.Command {
	names := slices.Sorted(maps.Keys(dialect.Prompts))
	return &cobra.Command{
		Use:   "prompt [FORMAT]",
		Short: "Print instructions for a model without MCP",
		Long: `prompt prints text for an agent's prompt or skill file: what to ask and when,
the format, and an example. Pipe the model's reply into choicetui ask.

Formats: ` + foldText(strings.Join(names, ", "), 71) + `.
The default is ` + dialect.ModelText + `.`,
		Example:   `  choicetui for-agents prompt >> AGENTS.md`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			name := dialect.ModelText
			if len(args) > 0 {
				name = args[0]
			}
			text, ok := dialect.Prompts[name]
			if !ok {
				return &failure{say: "there is no format " + quoted(name),
					hint: cmp.Or(didYouMean(name, names, "choicetui for-agents prompt ", ""),
						"one of "+strings.Join(names, ", "))}
			}
			_, err := fmt.Fprint(sh.out, text)
			return err
		},
	}
}

func extractCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "extract [FILE]",
		Short: "Print the question in a model's text, without asking it",
		Long: `extract is for people who write prompts. It prints the question in a model's
text in normal form, and the text without it, as {"choice": …, "choices": …,
"text": "…"}. choice is a user_choice and choices a form of several; both are
null if the text contains no question.`,
		Example: `  choicetui for-agents extract reply.md`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			input, done, err := openInput(sh.in, args)
			if err != nil {
				return err
			}
			defer done()
			raw, err := readAll(input)
			if err != nil {
				return err
			}
			return printJSON(sh.out, dialect.Extract(string(raw)), "  ")
		},
	}
}
