package prompt

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// Readers of tools that read and change files. Each agent has its own names for the same fields.

// ReadFile returns the reader of a tool that reads a file, whose path is under the first of these names that it has.
// first is the number that the tool gives to the first line.
func ReadFile(first int64, names ...string) func(wire.Object) (Shown, bool) {
	return func(o wire.Object) (s Shown, ok bool) {
		path, isText := o.Text(names...)
		if !isText || queue.Blank(path) {
			return s, false
		}
		var words string
		words, s.Names = readsWhich(o, first)
		s.Names = append(s.Names, names...)
		s.Parts = []queue.Part{{Kind: queue.PartFile, Label: path, Text: words}}
		return s, true
	}
}

// readsWhich says which lines of a file a tool reads, and in which fields it says so: `read lines 10 to 59`.
func readsWhich(o wire.Object, first int64) (words string, names []string) {
	var lines []int64
	if raw, there := o.Value("view_range"); there && json.Unmarshal(raw, &lines) == nil && len(lines) == 2 &&
		lines[0] > 0 && lines[1] >= lines[0] {
		return fmt.Sprintf("read lines %d to %d", lines[0], lines[1]), []string{"view_range"}
	}
	from, isFrom := countIn(o, "offset")
	from += 1 - first
	most, isMost := countIn(o, "limit")
	switch {
	case isFrom && isMost:
		return fmt.Sprintf("read lines %d to %d", from, from+most-1), []string{"offset", "limit"}
	case isMost:
		return fmt.Sprintf("read its first %d lines", most), []string{"limit"}
	case isFrom:
		return fmt.Sprintf("read it from line %d", from), []string{"offset"}
	}
	return "read it", nil
}

// mostCount limits a number that is read as a number of lines.
const mostCount = 1 << 40

// countIn returns the whole number under a name. ok is false if there is none, or if it is not above 0.
func countIn(o wire.Object, name string) (n int64, ok bool) {
	raw, there := o.Value(name)
	return n, there && json.Unmarshal(raw, &n) == nil && n > 0 && n < mostCount
}

// SearchFiles returns the reader of a tool that looks at the files below the directory under path, for what is under
// wanted.
func SearchFiles(does, path, wanted string) func(wire.Object) (Shown, bool) {
	return func(o wire.Object) (s Shown, ok bool) {
		dir, isDir := o.Text(path)
		if s.title, ok = o.Text(wanted); !ok || !isDir {
			return s, false
		}
		if !queue.Blank(dir) {
			s.Names = []string{path}
			s.Parts = []queue.Part{{Kind: queue.PartFile, Label: dir, Text: does}}
		}
		return s, true
	}
}

// EditNames holds the names that an agent gives the fields of a change of one file.
type EditNames struct{ Path, Before, After string }

// ReadWriteOf returns the reader of a tool that writes a whole file.
func ReadWriteOf(pathName, textName string) func(wire.Object) (Shown, bool) {
	return func(o wire.Object) (s Shown, ok bool) {
		path, isPath := o.Text(pathName)
		content, isText := o.Text(textName)
		_, there := o.Value(textName)
		s.Names = []string{pathName, textName}
		s.Parts = []queue.Part{{Kind: queue.PartDiff, Label: path, Text: DiffText("", content)}}
		return s, isPath && isText && there && !queue.Blank(path)
	}
}

// ReadEdit returns the reader of a tool that replaces one text in a file by another.
func ReadEdit(names EditNames) func(wire.Object) (Shown, bool) {
	return func(o wire.Object) (s Shown, ok bool) {
		path, isPath := o.Text(names.Path)
		s.Names = []string{names.Path, names.Before, names.After}
		s.Parts, ok = editParts(path, o, names)
		s.saySo(o, fieldEverywhere)
		return s, ok && isPath && !queue.Blank(path)
	}
}

// editParts returns a replacement of one text by another as parts of an approval.
func editParts(path string, edit wire.Object, names EditNames) (parts []queue.Part, ok bool) {
	before, isBefore := edit.Text(names.Before)
	after, isAfter := edit.Text(names.After)
	_, isFlag := edit.Flag(fieldEverywhere)
	return []queue.Part{{Kind: queue.PartDiff, Label: path, Text: DiffText(before, after)}},
		isBefore && isAfter && isFlag && before != after
}

// PlainEdit holds the names of Claude Code, which Qwen Code has too.
var PlainEdit = EditNames{Path: "file_path", Before: "old_string", After: "new_string"}

// ReadEdits returns the reader of a tool that makes a list of replacements in one file. flags are the fields of a
// replacement that have words of their own.
func ReadEdits(names EditNames, flags ...string) func(wire.Object) (Shown, bool) {
	known := append([]string{names.Before, names.After}, flags...)
	return func(o wire.Object) (s Shown, ok bool) {
		path, isPath := o.Text(names.Path)
		list, isList := o.List("edits")
		s.Names = []string{names.Path, "edits"}
		for _, raw := range list {
			edit, isObject := wire.Read(raw)
			if !isObject || len(edit.Without(known...)) > 0 {
				return s, false
			}
			parts, ok := editParts(path, edit, names)
			if !ok {
				return s, false
			}
			var every Shown
			every.saySo(edit, flags...)
			more, _ := FieldParts(LabelWith, every.sentences, nil)
			s.Parts = append(s.Parts, append(parts, more...)...)
		}
		return s, isPath && isList && len(list) > 0 && !queue.Blank(path)
	}
}

// ReadCell reads a change of one cell of a notebook. Its old text is not part of the request.
func ReadCell(o wire.Object) (s Shown, ok bool) {
	path, isPath := o.Text("notebook_path")
	cell, isCell := o.Text("cell_id")
	kind, isKind := o.Text("cell_type")
	mode, isMode := o.Text("edit_mode")
	source, isSource := o.Text("new_source")
	if !isPath || !isCell || !isKind || !isMode || !isSource || queue.Blank(path) {
		return s, false
	}
	s.Names = []string{"notebook_path", "cell_id", "cell_type", "edit_mode", "new_source"}
	text, which := "", "a "+cellKind(kind)+"cell"
	if cell != "" {
		which = cellKind(kind) + "cell " + NameIn(cell)
	}
	switch mode {
	case "", "replace":
		text = "@@ " + which + " is replaced by @@"
	case "insert":
		text = "@@ a " + cellKind(kind) + "cell is added at the beginning @@"
		if cell != "" {
			text = "@@ a " + cellKind(kind) + "cell is added behind cell " + NameIn(cell) + " @@"
		}
	case "delete":
		text = "@@ " + which + " is removed @@"
	default:
		return s, false
	}
	switch {
	case source != "": // a cell has no line break at its end, so one that is there is shown as an empty line
		text += "\n+" + strings.ReplaceAll(source, "\n", "\n+")
	case mode != "delete":
		text += "\n\\ an empty cell"
	}
	s.Parts = []queue.Part{{Kind: queue.PartDiff, Label: path, Text: text}}
	return s, true
}

// cellKind returns the kind of a cell with a blank behind it; empty: it is not named.
func cellKind(kind string) string {
	if kind == "" {
		return ""
	}
	return NameIn(kind) + " "
}

// MovedHere returns the part of an approval that says to which path a file is moved.
func MovedHere(to, from string) queue.Part {
	return queue.Part{Kind: queue.PartFile, Label: to, Text: "move " + NameIn(from) + " here"}
}

// NoLineDiffers takes the place of a diff in which the agent shows no line.
const NoLineDiffers = `\ the agent shows no line that differs`
