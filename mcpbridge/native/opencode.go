package native

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// opencode asks through a plugin of ours, one file that runs within it (app/connect/opencode.js). It sends what
// opencode asks as lines of JSON, and gives the replies to opencode. The agent's own prompt stays on its screen:
// whoever answers first has answered.
//
// Kilo and MiMo Code load the same plugin. From opencode 2 on it runs in a service that many screens share.
const (
	clientOpencode = "opencode"
	secondOpencode = 2
)

// opencodes are the agents that load the plugin, as it calls them.
var opencodes = []string{clientOpencode, "kilo", "mimo"}

// What a line of the plugin's is about.
const (
	LineQuestion   = "question"   // opencode asks a question
	LinePermission = "permission" // opencode asks for a permission
	LineClosed     = "closed"     // opencode has its answer, wherever it was given
	LineDone       = "done"       // a reply was taken, or not
	LinePerson     = "line"       // the person says something to a session
)

// Line is one line of the plugin's.
type Line struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	Directory string `json:"directory,omitempty"`
	Taken     bool   `json:"taken,omitempty"`
	// Client is one of opencodes; empty: an older plugin, and so the first of them.
	Client      string          `json:"client,omitempty"`
	Generation  int             `json:"generation,omitempty"`  // of opencode; zero: the first
	Interrupted bool            `json:"interrupted,omitempty"` // it is closed because the person stopped the agent
	Lines       bool            `json:"lines,omitempty"`       // the plugin takes lines for whoever asks this
	Properties  json.RawMessage `json:"properties,omitempty"`  // of what is asked, as opencode has it
}

// ReadLine reads a line of the plugin's; ok is false if it is not valid.
func ReadLine(raw []byte) (l Line, ok bool) {
	if !isReadable(raw) || json.Unmarshal(raw, &l) != nil || l.ID == "" {
		return Line{}, false
	}
	return l, true
}

// Reply is one line to the plugin: what it posts to opencode.
type Reply struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`   // LineQuestion, LinePermission or LinePerson
	Action string          `json:"action"` // reply, reject or say
	Body   json.RawMessage `json:"body"`
}

// Opencode reads what opencode asks; false where that stays with opencode. Render gives the Reply as a line.
func Opencode(l Line, w Words) (Asked, bool) {
	o, ok := readObject(l.Properties)
	if !ok {
		return Asked{}, false
	}
	session, isText := o.text("sessionID")
	if id, isID := o.text("id"); !isText || !isID || id != l.ID {
		return Asked{}, false
	}
	client := cmp.Or(l.Client, clientOpencode)
	if !slices.Contains(opencodes, client) {
		return Asked{}, false
	}
	origin := queue.Origin{Client: client, Cwd: l.Directory, Thread: session, CallID: l.ID,
		Source: client + ":" + session + "/" + l.ID}
	asked := Asked{Origin: origin, Where: "in " + client, Shared: l.Generation >= secondOpencode}
	switch l.Type {
	case LineQuestion:
		return opencodeQuestion(asked, o, w)
	case LinePermission:
		return opencodePermission(asked, o, w)
	}
	return Asked{}, false
}

// opencodeQuestion asks opencode's own question. A declined question is rejected. If the person gives words, the words
// are the answer, since a rejection carries no words.
func opencodeQuestion(asked Asked, o object, w Words) (Asked, bool) {
	list, isList := o.list("questions")
	qs, ok := readQuestions(list, keyedByText("multiple"))
	if !isList || !ok {
		return Asked{}, false
	}
	asked.Ask = qs.ask
	asked.Render = func(s queue.Session) []byte {
		answers, ok := qs.answersOrWords(s, w)
		switch {
		case ok:
			return replyLine(asked, LineQuestion, "reply", object{{"answers", encode(answers)}})
		case cancelledHere(s):
			return replyLine(asked, LineQuestion, "reject", object{})
		}
		return nil
	}
	return asked, true
}

func replyLine(asked Asked, kind, action string, body object) []byte {
	return append(encode(Reply{ID: asked.Origin.CallID, Kind: kind, Action: action, Body: body.json()}), '\n')
}

// opencodePermission is something that opencode wants to do.
func opencodePermission(asked Asked, o object, w Words) (Asked, bool) {
	what, ok := readPermission(o, w)
	if !ok {
		return Asked{}, false
	}
	what.approval.Dir = asked.Origin.Cwd
	options := []queue.Option{{ID: optionOnce, Label: w.Once, Act: queue.ActOnce}}
	if rules, ok := o.texts("always"); ok && len(rules) > 0 {
		all, lasts := strings.Join(rules, ", "), asked.Shared // opencode 2 keeps them
		options = append(options, queue.Option{ID: optionAlways, Label: w.Always(all),
			Description: w.AlwaysCovers(asked.Origin.Client, all, lasts), Act: queue.ActAlways,
			Exact: !lasts && len(rules) == 1 && isExactly(rules[0], oneCommand(what.approval.Parts)) &&
				!strings.ContainsAny(what.approval.Tool, wildcards)})
	}
	options = append(options, queue.Option{ID: optionRefuse, Label: w.Refuse, Act: queue.ActRefuse})
	asked.Ask = what.newAsk(w, options)
	asked.Render = func(s queue.Session) []byte {
		refuse := func(words string) []byte {
			return replyLine(asked, LinePermission, "reply",
				object{{"reply", encode("reject")}, {"message", encode(words)}})
		}
		if words := w.refusalText(s); words != "" {
			return refuse(words)
		}
		r, answered := answeredFirst(s)
		if !answered || len(r.Selected) != 1 {
			return nil
		}
		if r.Selected[0] == optionRefuse {
			return refuse(refusalReason(s.Outcome.Answer, w))
		}
		return replyLine(asked, LinePermission, "reply", object{{"reply", encode(r.Selected[0])}})
	}
	return asked, true
}

// readPermission reads opencode's whole request: the patterns show how opencode classified the action, the metadata
// shows the action itself.
func readPermission(o object, w Words) (x permissionDraft, ok bool) {
	tool, isText := o.text("permission")
	patterns, isList := o.texts("patterns")
	if !isText || !isList || queue.Blank(tool) {
		return x, false
	}
	metadata := object{}
	if raw, there := o.value("metadata"); there {
		if metadata, ok = readObject(raw); !ok {
			return x, false
		}
	}
	rest := metadata
	for _, known := range []struct{ kind, name, label string }{{queue.PartCommand, "command", ""},
		{queue.PartDiff, "diff", "filepath"}, {queue.PartAddress, "url", ""}} {
		text, isText := metadata.text(known.name)
		label, isLabel := metadata.text(known.label)
		if !isText || !isLabel {
			return x, false
		}
		if !queue.Blank(text) {
			x.approval.Parts = append(x.approval.Parts, queue.Part{Kind: known.kind, Label: label, Text: text})
			rest = rest.without(known.name, known.label)
		}
	}
	if len(x.approval.Parts) != 1 || len(patterns) != 1 || x.approval.Parts[0].Text != patterns[0] {
		raw, _ := o.get("patterns")
		rest = rest.with("patterns", raw)
	}
	wants, _ := o.get("patterns")
	x.approval.Request = hashOf(metadata.with("patterns", wants).json())
	more, ok := remainingInput(rest, w)
	x.approval.Tool, x.approval.Parts = tool, append(x.approval.Parts, more...)
	x.title = w.Title(tool, firstLine(strings.Join(patterns, ", ")))
	return x, ok && len(x.approval.Parts) > 0
}
