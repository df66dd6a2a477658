package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Completion in the shell offers nothing if the queue or a file cannot be read.

const (
	inOrder     = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	moreFollows = inOrder | cobra.ShellCompDirectiveNoSpace // no space follows, because more can be typed
)

// completeFlag registers the completion of a flag's value.
func completeFlag(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // the command has no such flag: a mistake in this program
	}
}

// completeSessions offers the ids of the pending questions, each with its title.
func completeSessions(sh *shell) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, inOrder
		}
		q, err := sh.openExisting()
		if err != nil {
			return nil, inOrder
		}
		pending, _, err := sh.pendingQuestions(cmd.Context(), q)
		if err != nil {
			return nil, inOrder
		}
		var ids []cobra.Completion
		for _, w := range pending {
			ids = append(ids, cobra.CompletionWithDesc(w.ID, say.Title(w.Ask)))
		}
		return ids, inOrder
	}
}

// completeOptions offers the options of the command's session that the flag does not name yet, each with its label. If
// the session has several questions, the question's id precedes the option. after follows each option's id.
func completeOptions(sh *shell, after string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, inOrder
		}
		_, s, err := sh.findSession(cmd.Context(), args[0])
		if err != nil {
			return nil, inOrder
		}
		before := typed[:strings.LastIndex(typed, ",")+1]
		var ids []cobra.Completion
		for _, q := range s.Ask.Shown().Questions {
			in := ""
			if len(s.Ask.Questions) > 1 {
				in = q.ID + "="
			}
			if strings.Contains(before, "=") { // the flag already names a question: offer only its options
				if !strings.HasPrefix(before, in) {
					continue
				}
				in = ""
			}
			named := strings.Split(before[strings.IndexByte(before, '=')+1:], ",")
			for _, o := range q.Options {
				if !slices.Contains(named, o.ID) {
					ids = append(ids, cobra.CompletionWithDesc(before+in+o.ID+after, say.OneLine(o.Label)))
				}
			}
		}
		return ids, moreFollows
	}
}

// completeSetting offers the names of the settings, then the values of the named setting.
func completeSetting(sh *shell) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		switch len(args) {
		case 0:
			return settingNames(cmd.Context(), sh, typed), inOrder
		case 1:
			return settingValues(args[0])
		}
		return nil, inOrder
	}
}

// settingNames returns the names of all settings that begin as typed. For a setting with a value for each name it adds
// the known names.
func settingNames(ctx context.Context, sh *shell, typed string) (all []cobra.Completion) {
	for _, row := range config.Table {
		var names []cobra.Completion
		switch row.Kind {
		case config.KeysByName:
			for _, b := range action.Keys {
				names = append(names, cobra.CompletionWithDesc(row.Key+"."+string(b.Name), b.Help))
			}
		case config.PathsByName:
			for _, name := range row.Names {
				names = append(names, cobra.CompletionWithDesc(row.Key+"."+name, row.Help))
			}
		case config.SecondsByName:
			for _, o := range knownAgents(ctx, sh) {
				names = append(names, cobra.CompletionWithDesc(row.Key+"."+o.ClientName(), row.Help))
			}
		}
		if len(names) == 0 || !strings.HasPrefix(typed, row.Key+".") {
			names = []cobra.Completion{cobra.CompletionWithDesc(row.Key, row.About())}
		}
		all = append(all, names...)
	}
	return all
}

// settingValues returns the values that are offered for a setting.
func settingValues(key string) (values []cobra.Completion, how cobra.ShellCompDirective) {
	at := slices.IndexFunc(config.Table, func(r config.Row) bool {
		return r.Key == key || (r.Kind == config.SecondsByName && strings.HasPrefix(key, r.Key+"."))
	})
	switch {
	case at < 0:
		return nil, inOrder
	case key == "queue":
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	for _, v := range config.Table[at].Offered() {
		about := ""
		if n, err := strconv.Atoi(v); err == nil && n >= 60 {
			about = say.Spoken(time.Duration(n)*time.Second, time.Hour)
		}
		values = append(values, cobra.CompletionWithDesc(v, about))
	}
	return values, inOrder
}

// completeAgents offers the clients and directories of the agents that asked lately.
func completeAgents(sh *shell) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
		for _, o := range knownAgents(cmd.Context(), sh) {
			for _, name := range []string{say.OneLine(o.ClientName()), say.OneLine(o.Dir())} {
				if name != "" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		return names, inOrder
	}
}

// lastAsked is the number of settled questions among whose agents a completion looks.
const lastAsked = 256

// knownAgents returns the agents of the pending and of the last settled questions, each client and directory once.
func knownAgents(ctx context.Context, sh *shell) (known []queue.Origin) {
	q, err := sh.openExisting()
	if err != nil {
		return nil
	}
	sessions, _, err := q.Store.Live(ctx)
	if err != nil {
		return nil
	}
	archived, _, err := q.Store.History(ctx, "", lastAsked, queue.Outline)
	if err != nil {
		return nil
	}
	for _, s := range append(sessions, archived...) {
		same := func(o queue.Origin) bool { return o.Client == s.Origin.Client && o.Cwd == s.Origin.Cwd }
		if s.Origin.Client != "" && !slices.ContainsFunc(known, same) {
			known = append(known, s.Origin)
		}
	}
	return known
}
