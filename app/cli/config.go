package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Sources of the queue's place, in addition to the settings file and the default.
const (
	fromFlag config.Source = "flag"
	fromEnv  config.Source = "environment"
)

func configCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show and change settings",
		Long: `config prints the path of the settings file, and every setting with its value
and where that comes from: a line of the file, the default, a flag or the
environment. If the file is broken, the defaults apply. The file may name
another queue, so commands that need one then need --queue as well.

Exit codes: 0 fine, 1 the file is broken (printed with line and column).`,
		Example: `  choicetui config
  choicetui config set timeout_seconds 10m
  choicetui config set keys.note N
  choicetui config keys    all actions and their keys`,
		Args: nothingElse,
		RunE: func(*cobra.Command, []string) error { return showConfig(sh, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object {path, problems, values}")
	cmd.AddCommand(configSetCommand(sh), configKeysCommand(sh))
	return cmd
}

func configSetCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Change one setting",
		Long: `set changes one setting and leaves the rest of the file alone. Write values as
you would say them (on, off, 5m, a word), or as JSON.`,
		Example: `  choicetui config set theme mono
  choicetui config set notify.bell off
  choicetui config set soft_limits.` + agents.Example + ` 4m`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return &failure{say: "config set takes a key and a value",
				hint: "for example: choicetui config set timeout_seconds 10m"}
		},
		ValidArgsFunction: completeSetting(sh),
		RunE:              func(_ *cobra.Command, args []string) error { return setConfig(sh, args[0], args[1]) },
	}
}

func configKeysCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "List all actions of the dashboard and their keys",
		Long: `keys prints the actions of the dashboard with their keys. The setting keys
changes them; all but cancel and enter can also be unbound.`,
		Args: nothingElse,
		RunE: func(*cobra.Command, []string) error { return showKeys(sh, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	return cmd
}

// showConfig prints the settings, and what is wrong with their file.
func showConfig(sh *shell, asJSON bool) error {
	file := sh.settings()
	values := effectiveValues(sh, file)
	problems, broken := problemsOf(file)
	if err := printAs(sh.out, asJSON, struct {
		Path     string           `json:"path"`
		Problems []config.Problem `json:"problems"`
		Values   []config.Value   `json:"values"`
	}{file.Path(), problems, values}, func(p *page) { configTable(p, file.Path(), values) }); err != nil {
		return err
	}
	if broken {
		return &failure{say: file.Err().Error(),
			hint: "the values above are the defaults; " +
				"choicetui config set refuses to touch the file until it is repaired"}
	}
	if !asJSON {
		for _, p := range problems {
			sh.note("warning: %s", say.OneLine(p.Error()))
		}
	}
	return nil
}

// configTable prints the settings with their values, and where each value comes from.
func configTable(p *page, path string, values []config.Value) {
	p.line("%s", path)
	keys, texts := make([]string, len(values)), make([]string, len(values))
	for i, v := range values {
		var one bytes.Buffer
		if json.Compact(&one, v.Value) != nil {
			one.Write(v.Value)
		}
		keys[i], texts[i] = v.Key, one.String()
	}
	const mostCells = 40
	key, text := widest(mostCells, keys...), widest(mostCells, texts...)
	for i, v := range values {
		shown := say.OneLine(texts[i])
		if ink.Width(shown) <= text { // a longer value is shown in full, because the person wants to read it
			shown = column(texts[i], text)
		}
		p.line("  %s  %s  %s", column(v.Key, key), shown, sourceWords(v))
	}
}

// sourceWords says where a value comes from.
func sourceWords(v config.Value) string {
	switch v.From {
	case config.FromFile:
		return fmt.Sprintf("line %d", v.Line)
	case config.Unknown:
		if near := didYouMean(v.Key, settingKeys(), "", ""); near != "" {
			return fmt.Sprintf("line %d, unused: %s", v.Line, near)
		}
		return fmt.Sprintf("line %d, unused", v.Line)
	case fromFlag:
		return "--queue"
	case fromEnv:
		return "$CHOICETUI_QUEUE"
	default:
		return string(v.From)
	}
}

// effectiveValues returns all settings with the values in force. The queue's place is the one that this command would
// use.
func effectiveValues(sh *shell, file *config.File) []config.Value {
	values := file.Effective()
	for i := range values {
		v := &values[i]
		if v.Key != "queue" {
			continue
		}
		named := file.Settings().Queue
		switch {
		case sh.queue != "":
			*v, named = config.Value{Key: v.Key, From: fromFlag}, sh.queue
		case os.Getenv("CHOICETUI_QUEUE") != "":
			*v, named = config.Value{Key: v.Key, From: fromEnv}, os.Getenv("CHOICETUI_QUEUE")
		}
		sh.muteSettings() // config reports the file's problems on its own
		dir, err := sh.queuePlace()
		if err != nil { // the place cannot be resolved: show it as it is written
			dir = config.HideLogin(named)
		}
		v.Value, _ = json.Marshal(dir)
	}
	return values
}

// problemsOf lists the problems of the settings file, and of the person's own keys, which only the key table can check.
func problemsOf(file *config.File) (list []config.Problem, broken bool) {
	list = []config.Problem{}
	var bad *config.Invalid
	if errors.As(file.Err(), &bad) {
		list, broken = append(list, bad.Problems...), bad.Broken
	}
	places := map[string]config.Value{}
	for _, v := range file.Effective() {
		places[v.Key] = v
	}
	_, unfit := action.New(file.Settings().Keys, ink.Width)
	for _, words := range unfit {
		key, _, _ := strings.Cut(words, " ")
		at := places[strings.TrimSuffix(key, ":")]
		list = append(list, config.Problem{
			Path: file.Path(), Line: at.Line, Column: at.Column, Key: at.Key, Wrong: words,
		})
	}
	return list, broken
}

// setConfig changes one setting in the file and prints its new value.
func setConfig(sh *shell, key, value string) error {
	file := sh.settings()
	var refused error
	err := file.Update(func(s *config.Settings) {
		before := s.Clone()
		if refused = s.SetTyped(key, value); refused == nil && strings.HasPrefix(key, "keys.") {
			refused = checkBinding(*s, key)
		}
		if refused != nil {
			*s = before
		}
	})
	var bad *config.Invalid
	switch {
	case errors.As(refused, &bad):
		return &failure{say: "not changed: " + bad.Problems[0].Words(), hint: hintSetting(key, value)}
	case refused != nil:
		return refused
	case err != nil:
		return &failure{say: err.Error(), hint: "nothing was changed", cause: err}
	}
	var p page
	for _, v := range file.Effective() {
		if v.Key == key {
			p.line("%s  %s", v.Key, v.Value)
		}
	}
	return p.send(sh.out)
}

// hintSetting says what somebody may have meant who set a setting that does not exist, or to a value that it cannot
// have. It is empty if what is wrong says it already.
func hintSetting(key, value string) string {
	row, _, known := config.RowOf(key)
	if known {
		return didYouMean(value, row.Choices, "choicetui config set "+key+" ", "")
	}
	return cmp.Or(didYouMean(key, settingKeys(), "choicetui config set ", " "+value),
		"choicetui config lists the settings")
}

// settingKeys returns the names of all settings.
func settingKeys() (keys []string) {
	for _, row := range config.Table {
		keys = append(keys, row.Key)
	}
	return keys
}

// actionKeys returns the names of all settings for the key of an action.
func actionKeys() (keys []string) {
	for _, row := range action.Keys {
		keys = append(keys, "keys."+string(row.Name))
	}
	return keys
}

// checkBinding returns why the keys that s gives one action cannot be used; nil: they can.
func checkBinding(s config.Settings, key string) error {
	_, unfit := action.New(s.Keys, ink.Width)
	for _, words := range unfit {
		if about, _, _ := strings.Cut(words, " "); strings.TrimSuffix(about, ":") == key {
			hint := "choicetui config keys lists actions and keys"
			if !slices.Contains(actionKeys(), key) {
				hint = cmp.Or(didYouMean(key, actionKeys(), "", ""), hint)
			}
			return &failure{say: "not changed: " + words, hint: hint}
		}
	}
	return nil
}

// boundAction is one row of `config keys --json`.
type boundAction struct {
	Action string   `json:"action"`
	Keys   []string `json:"keys"`
	Help   string   `json:"help"`
}

// showKeys prints the actions of the dashboard with the keys that the settings give them.
func showKeys(sh *shell, asJSON bool) error {
	file := sh.settings()
	sh.warnSettings(file.Err())
	m, _ := action.New(file.Settings().Keys, ink.Width)
	var all []boundAction
	names, keys := make([]string, len(m)), make([]string, len(m))
	for i, b := range m {
		names[i], keys[i] = string(b.Name), strings.Join(b.Keys, " ")
		all = append(all, boundAction{names[i], append([]string{}, b.Keys...), b.Help})
	}
	return printAs(sh.out, asJSON, all, func(p *page) {
		const mostCells = 24
		name, key := widest(mostCells, names...), widest(mostCells, keys...)
		for i, b := range m {
			p.line("%s  %s  %s", column(names[i], name), column(keys[i], key), b.Help)
		}
	})
}
