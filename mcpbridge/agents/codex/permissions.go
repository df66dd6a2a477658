package codex

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt/marks"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

const (
	methodPermissions = "item/permissions/requestApproval"

	toolPermissions = "permissions"
	mostGrants      = 6 // rows that can be granted one by one: with the decisions each row has a digit

	scopeTurn    = "turn"
	scopeSession = "session"
	idNetwork    = "network"
	useNetwork   = "Use the network"
)

// grant holds one permission that Codex asks for, to use a path or the network: its row, and its part of the response.
type grant struct {
	option queue.Option
	line   string // the same in the approval's part, where names are shown in another way
	list   string // the list of the response that it belongs to: entries, read or write; empty: it is the network
	raw    json.RawMessage
	mark   string // the mark that says why it must be confirmed (marks.go); empty: no confirmation is needed
}

// readPermissions reads a request for more than the sandbox allows. Each path, and the network, is a row that the
// person can grant on its own, for this turn or for the session. If there are more rows than digits, all of them are
// granted or none.
func (c codexAsk) readPermissions(asked prompt.Asked) (prompt.Asked, bool) {
	profile, isObject := c.Object.Child("permissions")
	dir, isDir := c.Text("cwd")
	reason, isText := c.Text("reason")
	grants, ok := c.readGrants(profile, dir)
	rest := prompt.NonNullMembers(c.Without(append([]string{"permissions", "environmentId"}, codexContextFields...)...))
	if !isObject || !isDir || !isText || !ok || len(rest) > 0 {
		return prompt.Asked{}, false
	}
	title := fmt.Sprintf("Codex wants %d more permissions", len(grants))
	var lines []string
	switch len(grants) {
	case 0:
		title, lines = "Codex wants no more permissions", []string{"none"}
	case 1:
		title = "Codex wants 1 more permission"
	}
	for _, g := range grants {
		lines = append(lines, g.line)
	}
	x := prompt.Draft{Title: title, Reason: reason,
		Approval: queue.Approval{Tool: toolPermissions, Dir: dir,
			Parts: []queue.Part{{Kind: queue.PartText, Text: strings.Join(lines, "\n")}}}}
	asked.Ask = x.NewAsk([]queue.Option{
		{ID: scopeTurn, Label: "Allow for this turn", Act: queue.ActOnce},
		{ID: scopeSession, Label: "Allow until this session ends", Act: queue.ActSession},
		{ID: prompt.OptionRefuse, Label: prompt.Refuse, Act: queue.ActRefuse}})
	addGrantRows(&asked.Ask.Questions[0], grants)
	markGrants(&asked.Ask, grants)
	asked.Render = func(s queue.Session) []byte { return c.renderGranted(s, profile, grants) }
	asked.Beside = c.permissionsRefusal
	return asked, true
}

// addGrantRows puts the rows before the decisions, unless there is only one row or there are too many.
func addGrantRows(q *queue.Question, grants []grant) {
	if len(grants) <= 1 || len(grants) > mostGrants {
		return
	}
	var rows []queue.Option
	for _, g := range grants {
		rows = append(rows, g.option)
	}
	q.Text, q.Mode, q.Max = "Which of these do you allow, and for how long?", queue.ModeMulti, len(rows)+1
	q.Options = append(rows, q.Options...)
}

// markGrants adds the marks of rows that reach outside the project or other machines, so that the person
// must confirm the approval.
func markGrants(a *queue.Ask, grants []grant) {
	for _, m := range []string{queue.MarkOutside, queue.MarkNetwork} {
		if slices.ContainsFunc(grants, func(g grant) bool { return g.mark == m }) {
			a.Approval.Marks = append(a.Approval.Marks, m)
		}
	}
	prompt.HeedMarks(a)
}

// readGrants returns the rows of a permission profile. ok is false if the profile has a part that cannot be shown as a
// row.
func (c codexAsk) readGrants(profile wire.Object, dir string) (list []grant, ok bool) {
	if len(prompt.NonNullMembers(profile.Without("network", "fileSystem"))) > 0 {
		return nil, false
	}
	if raw, there := profile.Value("network"); there {
		network, isObject := wire.Read(raw)
		enabled, isFlag := network.Flag("enabled")
		if !isObject || !isFlag || len(network.Without("enabled")) > 0 {
			return nil, false
		}
		if enabled {
			list = append(list, grant{raw: raw, mark: queue.MarkNetwork, line: useNetwork,
				option: queue.Option{ID: idNetwork, Label: useNetwork}})
		}
	}
	raw, there := profile.Value("fileSystem")
	if !there {
		return list, true
	}
	files, ok := wire.Read(raw)
	if !ok || len(prompt.NonNullMembers(files.Without("entries", "read", "write", "globScanMaxDepth"))) > 0 {
		return nil, false
	}
	paths, ok := c.readPathGrants(files, dir)
	return append(list, paths...), ok
}

// readPathGrants returns the rows of the file system. Codex writes the older lists read and write beside the newer list
// entries, which says more: then only entries is read.
func (c codexAsk) readPathGrants(files wire.Object, dir string) (list []grant, ok bool) {
	var paths []string
	names := []string{"read", "write"}
	if _, there := files.Value("entries"); there {
		names = []string{"entries"}
	}
	for _, name := range names {
		raw, there := files.Value(name)
		if !there {
			continue
		}
		entries, isList := wire.ReadList(raw)
		if !isList {
			return nil, false
		}
		for i, entry := range entries {
			access, path, ok := name, "", true
			if name == "entries" {
				access, path, ok = readEntry(entry)
			} else {
				path, ok = wire.ReadText(entry)
			}
			if !ok || queue.Blank(path) {
				return nil, false
			}
			verb := "Read "
			if access == "write" {
				verb = "Write "
			}
			shown, _ := queue.ShownName(path)
			g := grant{list: name, raw: entry, line: verb + prompt.NameIn(path)}
			g.option = queue.Option{ID: fmt.Sprintf("%s-%d", name, i+1), Label: verb + shown}
			if named := strings.HasPrefix(path, ":"); named && !strings.HasPrefix(path, ":project_roots") ||
				!named && marks.LeavesDir(path, dir) {
				g.mark = queue.MarkOutside
			}
			list, paths = append(list, g), append(paths, path)
		}
	}
	addPlaces(list, paths, dir)
	return list, true
}

// addPlaces adds to the rows of paths that are links where they lead. The names of places that Codex has, such as
// `:root`, are no paths.
func addPlaces(list []grant, paths []string, dir string) {
	for i, found := range prompt.LookUp(dir, paths) {
		if strings.HasPrefix(paths[i], ":") || found.Leads == "" {
			continue
		}
		to, _ := queue.ShownPlace(found.Leads)
		list[i].option.Label += " → " + to
		if found.Leads != queue.LeadsNowhere {
			to = prompt.NameIn(found.Leads)
		}
		list[i].line += " → " + to
		if found.Leaves {
			list[i].mark = queue.MarkOutside
		}
	}
}

// readEntry reads one entry: a path, a pattern, or a place that Codex names, such as its root, which is shown as
// `:root`. It refuses an entry that takes a permission away, because the person could not deselect its row.
func readEntry(raw json.RawMessage) (access, path string, ok bool) {
	o, isObject := wire.Read(raw)
	access, isAccess := o.Text("access")
	at, isPath := o.Child("path")
	kind, isKind := at.Text("type")
	isKnown := isObject && isAccess && isPath && isKind && len(o.Without("access", "path")) == 0
	if grants := access == "read" || access == "write"; !isKnown || !grants {
		return "", "", false
	}
	switch kind {
	case "path":
		path, ok = at.Text("path")
		return access, path, ok && len(at.Without("type", "path")) == 0
	case "glob_pattern":
		path, ok = at.Text("pattern")
		return access, path, ok && len(at.Without("type", "pattern")) == 0
	case "special":
		place, isPlace := at.Child("value")
		name, isName := place.Text("kind")
		below, isBelow := place.Text("subpath")
		if below != "" {
			below = "/" + below
		}
		return access, ":" + name + below, isPlace && isName && isBelow && name != "" && name != "unknown" &&
			len(prompt.NonNullMembers(place.Without("kind", "subpath"))) == 0 && len(at.Without("type", "value")) == 0
	}
	return "", "", false
}

// renderGranted returns the response with the permissions that the person granted. After a refusal it contains none;
// nil: the person decided nothing.
func (c codexAsk) renderGranted(s queue.Session, profile wire.Object, grants []grant) []byte {
	none := c.response(wire.Object{wire.Named("permissions", json.RawMessage("{}")), wire.Named("scope", scopeTurn)})
	if prompt.RefusalText(s) != "" {
		return none
	}
	r, answered := prompt.AnsweredFirst(s)
	scopes := slices.DeleteFunc(slices.Clone(r.Selected), func(id string) bool {
		return id != scopeTurn && id != scopeSession && id != prompt.OptionRefuse
	})
	switch {
	case !answered || len(scopes) != 1:
		return nil
	case scopes[0] == prompt.OptionRefuse:
		return none
	}
	all := !s.Ask.Grants()
	rows := takenPermissions(profile, grants, func(id string) bool { return all || slices.Contains(r.Selected, id) })
	return c.response(wire.Object{wire.Named("permissions", rows), wire.Named("scope", scopes[0])})
}

// takenPermissions returns the profile with only the rows that the person took, each unchanged.
func takenPermissions(profile wire.Object, grants []grant, isTaken func(id string) bool) (out wire.Object) {
	lists := map[string][]json.RawMessage{}
	for _, g := range grants {
		switch {
		case !isTaken(g.option.ID):
		case g.list == "":
			out = append(out, wire.Named("network", g.raw))
		default:
			lists[g.list] = append(lists[g.list], g.raw)
		}
	}
	var files wire.Object
	for _, name := range []string{"entries", "read", "write"} {
		if len(lists[name]) > 0 {
			files = append(files, wire.Named(name, lists[name]))
		}
	}
	if len(files) == 0 {
		return out
	}
	asked, _ := profile.Child("fileSystem")
	if depth, there := asked.Value("globScanMaxDepth"); there {
		files = append(files, wire.Named("globScanMaxDepth", depth))
	}
	return append(out, wire.Named("fileSystem", files))
}

// permissionsRefusal returns the person's words beside a refusal; empty: there are none, or the person did not refuse.
func (c codexAsk) permissionsRefusal(s queue.Session) string {
	if words := prompt.RefusalText(s); words != "" {
		return words
	}
	if r, _ := prompt.AnsweredFirst(s); slices.Contains(r.Selected, prompt.OptionRefuse) {
		return prompt.OwnWords(s.Outcome.Answer, prompt.OptionRefuse)
	}
	return ""
}
