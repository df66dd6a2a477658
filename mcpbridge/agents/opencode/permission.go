package opencode

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// A request for a permission of opencode, Kilo or MiMo Code has the name of the permission, patterns that show how the
// agent classified the action, and metadata with the action itself. A change is there up to three times: as a diff for
// people, whose indents and line ends may be left out, as the patch of one file (filediff), and as one patch for each
// of several files (files). It is shown once, as exactly as it is given.

// openPermission reads a request: what is not in parts yet is in rest.
type openPermission struct {
	parts    []queue.Part
	rest     wire.Object
	reason   string
	patterns []string
}

// readPermission reads a request of opencode in full. dir is the directory in which the agent works.
func readPermission(o wire.Object, dir string) (x prompt.Draft, ok bool) {
	tool, isText := o.Text("permission")
	patterns, isList := o.Texts("patterns")
	if !isText || !isList || queue.Blank(tool) {
		return x, false
	}
	metadata := wire.Object{}
	if raw, there := o.Value("metadata"); there {
		if metadata, ok = wire.Read(raw); !ok {
			return x, false
		}
	}
	p := openPermission{rest: metadata, patterns: patterns}
	if !p.readChange() || !p.readOne(queue.PartCommand, "command") || !p.readOne(queue.PartAddress, "url") {
		return x, false
	}
	p.readFile()
	label := prompt.LabelWith
	if len(p.parts) == 0 {
		label = ""
	}
	repeated := p.repeatsPatterns(metadata)
	more, ok := prompt.FieldParts(label, nil, p.rest)
	if !ok {
		return x, false
	}
	p.parts = append(p.parts, more...)
	if !repeated && len(patterns) > 0 {
		label = prompt.LabelWith + " patterns"
		if len(p.parts) == 0 {
			label = ""
		}
		p.parts = append(p.parts, queue.Part{Kind: queue.PartText, Label: label, Text: prompt.ListLines(patterns)})
	}
	rawPatterns, _ := o.Get("patterns")
	x.Approval.Request = prompt.Hash(metadata.With("patterns", rawPatterns).JSON())
	x.Approval.Tool, x.Approval.Parts, x.Reason = tool, p.parts, p.reason
	x.Title = prompt.ApprovalTitle(tool, prompt.FirstLine(p.title(dir)))
	return x, len(x.Approval.Parts) > 0 // a request without metadata and patterns has none
}

// readOddPermission reads a request that has another form than it should: all that it asks for is shown field by field.
func readOddPermission(o wire.Object) (x prompt.Draft, ok bool) {
	asked := prompt.NonNullMembers(o.Without("id", "sessionID", "always", "tool", "time"))
	x.Approval.Tool, x.Odd = cmp.Or(o.Words("permission"), "a permission"), true
	x.Approval.Request = prompt.Hash(asked.JSON())
	x.Title = prompt.ApprovalTitle(prompt.FirstLine(x.Approval.Tool), "")
	x.Approval.Parts, ok = prompt.FieldParts("", nil, asked.Without("permission"))
	if len(x.Approval.Parts) == 0 {
		x.Approval.Parts = []queue.Part{{Kind: queue.PartText, Text: prompt.NoInput}}
	}
	return x, ok
}

// readOne moves one text of the request from rest into a part. ok is false if the value is no text.
func (p *openPermission) readOne(kind, name string) (ok bool) {
	text, ok := p.rest.Text(name)
	if !ok || queue.Blank(text) {
		return ok
	}
	p.parts = append(p.parts, queue.Part{Kind: kind, Text: text})
	p.rest = p.rest.Without(name)
	if why, isText := p.rest.Text("description"); isText && kind == queue.PartCommand && !queue.Blank(why) {
		p.reason, p.rest = why, p.rest.Without("description")
	}
	return true
}

// readFile moves the path of a request that is about a file, and does not change it, from rest into a part.
func (p *openPermission) readFile() {
	path, isText := p.rest.Text("filepath")
	if !isText || queue.Blank(path) || strings.Contains(path, ", ") {
		return
	}
	p.parts = append(p.parts, queue.Part{Kind: queue.PartFile, Label: path, Text: "use it"})
	p.rest = p.rest.Without("filepath")
}

// readChange moves the change of files from rest into parts. ok is false if it is no text.
func (p *openPermission) readChange() (ok bool) {
	diff, isText := p.rest.Text("diff")
	path, isPath := p.rest.Text("filepath")
	if !isText || !isPath {
		return false
	}
	if queue.Blank(diff) || p.readFiles(diff, path) {
		return true
	}
	text := cleanPatch(diff, path)
	if one, isObject := p.rest.Child("filediff"); isObject {
		patch, isText := one.Text("patch")
		if patch = cleanPatch(patch, path); isText && sameChange(text, patch) {
			text = patch
			p.rest = p.rest.Without("filediff")
			if left := fileDiffRest(one, path, patch); len(left) > 0 {
				p.rest = p.rest.With("filediff", left.JSON())
			}
		}
	}
	p.parts = append(p.parts, queue.Part{Kind: queue.PartDiff, Label: path, Text: text})
	p.rest = p.rest.Without("diff", "filepath")
	return true
}

// fileDiffRest returns the members of a file's patch that say more than the shown patch does.
func fileDiffRest(one wire.Object, path, patch string) wire.Object {
	rest := one.Without("patch")
	if file, _ := one.Text("file"); file == path {
		rest = rest.Without("file")
	}
	for name, sign := range map[string]string{"additions": "+", "deletions": "-"} {
		if n, isCount := numberIn(one, name); isCount && n == countLines(patch, sign) {
			rest = rest.Without(name)
		}
	}
	return rest
}

// numberIn returns the whole number under a name.
func numberIn(o wire.Object, name string) (n int, ok bool) {
	raw, there := o.Value(name)
	return n, there && json.Unmarshal(raw, &n) == nil
}

// countLines counts the lines of a change with a sign.
func countLines(patch, sign string) (n int) {
	for line := range strings.Lines(patch) {
		if strings.HasPrefix(line, sign) {
			n++
		}
	}
	return n
}

// readFiles moves the patches of several files from rest into parts, with the diff that repeats them. done is false if
// there are none, or if one says more than can be shown so.
func (p *openPermission) readFiles(diff, path string) (done bool) {
	list, isList := p.rest.List("files")
	if !isList || len(list) == 0 {
		return false
	}
	var parts []queue.Part
	together := ""
	for _, raw := range list {
		one, ok := readFilePatch(raw)
		if !ok {
			return false
		}
		parts = append(parts, one...)
		together += one[0].Text + "\n"
	}
	if !sameChange(cleanPatch(diff, ""), withoutNotes(together)) {
		return false
	}
	p.parts = append(p.parts, parts...)
	p.rest = p.rest.Without("files", "diff")
	if path == strings.Join(p.patterns, ", ") {
		p.rest = p.rest.Without("filepath")
	}
	return true
}

// readFilePatch returns the patch of one of several files as parts of an approval, the change first.
func readFilePatch(raw json.RawMessage) (parts []queue.Part, ok bool) {
	o, isObject := wire.Read(raw)
	path, isPath := o.Text("filePath")
	relative, isRelative := o.Text("relativePath")
	does, isType := o.Text("type")
	patch, isPatch := o.Text("patch")
	to, isMove := o.Text("movePath")
	known := []string{"filePath", "type", "patch", "movePath"}
	patch = cleanPatch(patch, path)
	if relative != "" && (endsWithPath(path, relative) || endsWithPath(to, relative)) {
		known = append(known, "relativePath")
	}
	rest := fileDiffRest(o.Without(known...), "", patch)
	if !isObject || !isPath || !isRelative || !isType || !isPatch || !isMove || queue.Blank(path) || len(rest) > 0 ||
		!slices.Contains([]string{"add", "update", "delete", "move"}, does) {
		return nil, false
	}
	if does == "delete" {
		patch += "\n" + strings.TrimSuffix(prompt.RemovedFile, "\n")
	}
	parts = []queue.Part{{Kind: queue.PartDiff, Label: path, Text: patch}}
	if to != "" && to != path {
		parts = append(parts, prompt.MovedHere(to, path))
	}
	return parts, true
}

// cleanPatch returns a patch without the headings that carry nothing: the name of the file, which is its label already,
// and a line of signs. An empty path leaves the names of all files out.
func cleanPatch(patch, path string) string {
	var b strings.Builder
	inHead := true
	for line := range strings.Lines(patch) {
		bare := strings.TrimRight(line, "\t\r\n")
		switch {
		case strings.HasPrefix(bare, "@@"):
			inHead = false
		case strings.HasPrefix(bare, "Index: "):
			inHead = true
		}
		name, isName := headName(bare)
		if inHead && (bare == "" || strings.Trim(bare, "=") == "" || isName && (path == "" || name == path)) {
			continue
		}
		b.WriteString(line)
	}
	if text := strings.TrimSuffix(b.String(), "\n"); !queue.Blank(text) {
		return text
	}
	return prompt.NoLineDiffers
}

// headName returns the name of the file that a heading of a patch names.
func headName(line string) (name string, ok bool) {
	for _, begins := range []string{"Index: ", "--- ", "+++ "} {
		if name, ok = strings.CutPrefix(line, begins); ok {
			return name, true
		}
	}
	return "", false
}

// withoutNotes returns a change without the lines in which choicetui says something about it.
func withoutNotes(text string) string {
	for _, note := range []string{prompt.RemovedFile, prompt.NoLineDiffers + "\n"} {
		text = strings.ReplaceAll(text, note, "")
	}
	return text
}

// sameChange reports whether two patches have the same lines but for indents and line ends. The agent leaves those out
// in a diff for people.
func sameChange(a, b string) bool {
	bare := func(text string) (lines []string) {
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, " \t\r\n"); line != "" && line != prompt.NoLineDiffers {
				lines = append(lines, line[:1]+strings.TrimLeft(line[1:], " \t"))
			}
		}
		return lines
	}
	return slices.Equal(bare(a), bare(b))
}

// repeatsPatterns reports whether the patterns of the request say nothing more than its parts and its metadata.
func (p *openPermission) repeatsPatterns(metadata wire.Object) bool {
	for _, pattern := range p.patterns {
		isThere := slices.ContainsFunc(p.parts, func(part queue.Part) bool {
			return part.Text == pattern || part.Label != "" && endsWithPath(part.Label, pattern)
		}) || slices.ContainsFunc(metadata, func(m wire.Member) bool {
			text, isText := wire.ReadText(m.Raw)
			return isText && text == pattern && m.Key != "description"
		})
		if !isThere {
			return false
		}
	}
	return len(p.patterns) > 0
}

// endsWithPath reports whether a path is the other one, or ends with it.
func endsWithPath(path, end string) bool { return path == end || strings.HasSuffix(path, "/"+end) }

// title returns the words behind the name of the permission: the file that is changed, below dir without dir, else what
// the agent classified it as.
func (p *openPermission) title(dir string) string {
	var paths []string
	for _, part := range p.parts {
		if prompt.NamesFile(part) {
			path := part.Label
			if below, err := filepath.Rel(dir, path); err == nil && filepath.IsAbs(path) && filepath.IsLocal(below) {
				path = below
			}
			path, _ = queue.ShownName(path)
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		return strings.Join(paths, ", ")
	}
	return strings.Join(p.patterns, ", ")
}
