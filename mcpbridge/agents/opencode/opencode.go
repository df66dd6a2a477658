package opencode

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// opencode runs a plugin of ours, a single file (plugin.js). The plugin
// sends the prompts of opencode as lines of JSON and passes the replies to opencode. The agent's own prompt stays on
// its screen, and the first answer counts.
//
// Kilo and MiMo Code load the same plugin. Since opencode 2 it runs in a service that many screens share.
const (
	client = "opencode"
	second = 2 // the generation from which on the plugin runs in a shared service
)

// clients lists the agents that load the plugin, with the names that it gives them.
var clients = []string{client, "kilo", "mimo"}

// The types of the lines of JSON from the plugin and to it.
const (
	LineQuestion   = "question"   // opencode asks a question
	LinePermission = "permission" // opencode asks for a permission
	LineClosed     = "closed"     // opencode has its answer, wherever it was given
	LineDone       = "done"       // opencode took a reply, or did not take it
	LinePerson     = "line"       // to the plugin: a line of the person for a session, or a wish to read one
	LineRead       = "read"       // the messages of a session
)

// Line holds one line of JSON from the plugin. A line of the person, which the fields Lines and LinePerson are about,
// is a message to the agent.
type Line struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	Directory string `json:"directory,omitempty"`
	Taken     bool   `json:"taken,omitempty"`
	// Client is the name of the agent, one of opencodes. Older plugins leave it empty, and mean the first.
	Client      string          `json:"client,omitempty"`
	Generation  int             `json:"generation,omitempty"`  // the major version of opencode; zero: 1
	Interrupted bool            `json:"interrupted,omitempty"` // closed because the person stopped the agent
	Lines       bool            `json:"lines,omitempty"`       // the plugin takes lines for the session that asks
	Reads       bool            `json:"reads,omitempty"`       // the plugin tells the messages of such a session
	Properties  json.RawMessage `json:"properties,omitempty"`  // the prompt in opencode's own format
	cut         bool            // the line was too long, so that Properties is missing
}

// ReadLine reads a line of JSON from the plugin. ok is false if it is not valid. Of a line that is too long, what comes
// before its long value is read.
func ReadLine(raw []byte) (l Line, ok bool) {
	if json.Unmarshal(raw, &l) == nil {
		return l, l.ID != ""
	}
	if len(raw) < prompt.MaxWhole {
		return Line{}, false
	}
	head, _, _ := wire.ReadMembers(raw)
	l = Line{cut: true}
	err := json.Unmarshal(head.Without("properties").JSON(), &l)
	return l, err == nil && l.ID != ""
}

// Reply holds one line to the plugin, with the request that it posts to opencode.
type Reply struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`   // LineQuestion, LinePermission or LinePerson
	Action string          `json:"action"` // reply, reject, say or read
	Body   json.RawMessage `json:"body"`
}

// Read reads a prompt of opencode. ok is false if it is no prompt. Render returns a Reply as a line.
func Read(l Line) (prompt.Asked, bool) {
	client := cmp.Or(l.Client, client)
	if l.Type != LineQuestion && l.Type != LinePermission || !slices.Contains(clients, client) {
		return prompt.Asked{}, false
	}
	o, again, err := wire.ReadMembers(l.Properties)
	session := o.Words("sessionID")
	origin := queue.Origin{Client: client, Cwd: l.Directory, Thread: session, CallID: l.ID,
		Source: client + ":" + prompt.ShortName(session) + "/" + prompt.ShortName(l.ID)}
	bare := prompt.Asked{Origin: origin, Where: "in " + client, Shared: l.Generation >= second,
		Render: prompt.RenderNothing}
	asked := bare
	switch {
	case l.cut:
		asked.Unfit = queue.UnfitLarge
	case err != nil, len(again) > 0, wire.HasHalves(l.Properties), o.Words("id") != l.ID:
		asked.Unfit = queue.UnfitShown
	case l.Type == LineQuestion:
		asked = readQuestion(asked, o)
	default:
		asked = askPermission(asked, o)
	}
	return asked.FitOr(bare, titles[l.Type]), true
}

// titles says what a prompt is about that cannot be asked here.
var titles = map[string]string{LineQuestion: "a question", LinePermission: "a permission"}

// readQuestion asks opencode's own questions. If the person declines, they are rejected; if the person gives words,
// the words are the answer, because a rejection cannot carry them.
func readQuestion(asked prompt.Asked, o wire.Object) prompt.Asked {
	list, isList := prompt.QuestionList(o)
	if !isList {
		asked.Unfit = queue.UnfitShown
		return asked
	}
	qs, why := prompt.ReadQuestions(list, prompt.KeyedByText("multiple"))
	if asked.Unfit = why; why != "" {
		return asked
	}
	asked.Ask = qs.Ask
	asked.Render = func(s queue.Session) []byte {
		answers, ok := qs.AnswersOrWords(s)
		switch {
		case ok:
			return replyLine(asked, LineQuestion, "reply", wire.Object{wire.Named("answers", answers)})
		case prompt.CancelledHere(s):
			return replyLine(asked, LineQuestion, "reject", wire.Object{})
		}
		return nil
	}
	return asked
}

// replyLine returns a Reply to a prompt as a line of JSON.
func replyLine(asked prompt.Asked, kind, action string, body wire.Object) []byte {
	return append(wire.Encode(Reply{ID: asked.Origin.CallID, Kind: kind, Action: action, Body: body.JSON()}), '\n')
}

// askPermission asks whether opencode may do something.
func askPermission(asked prompt.Asked, o wire.Object) prompt.Asked {
	what, ok := readPermission(o, asked.Origin.Cwd)
	if !ok {
		what, ok = readOddPermission(o)
	}
	if !ok {
		asked.Unfit = queue.UnfitShown
		return asked
	}
	what.Approval.Dir = asked.Origin.Cwd
	options := []queue.Option{{ID: prompt.OptionOnce, Label: prompt.AllowOnce, Act: queue.ActOnce}}
	rules, _ := o.Texts("always")
	if len(strings.Join(rules, ", ")) > prompt.MostOffer {
		what.Approval.LeftOut, rules = prompt.LeftOut(1, 0, asked.Where), nil
	}
	if len(rules) > 0 {
		var all []string
		for _, rule := range rules {
			words := prompt.Uses(what.Approval.Tool, rule)
			if what.Approval.Parts[0].Kind == queue.PartCommand {
				words = prompt.Commands(rule)
			}
			all = append(all, words)
		}
		lasts, until := asked.Shared, ", until "+asked.Origin.Client+" starts again" // opencode 2 stores these rules
		if lasts {
			until = ", in every session"
		}
		options = append(options, queue.Option{ID: prompt.OptionAlways,
			Label: "Allow " + strings.Join(all, ", and ") + until, Act: queue.ActAlways,
			Exact: !lasts && len(rules) == 1 && prompt.IsExactly(rules[0], prompt.OneCommand(what.Approval.Parts)) &&
				!strings.ContainsAny(what.Approval.Tool, prompt.Wildcards)})
	}
	options = append(options, queue.Option{ID: prompt.OptionRefuse, Label: prompt.Refuse, Act: queue.ActRefuse})
	asked.Ask = what.NewAsk(options)
	asked.Render = func(s queue.Session) []byte {
		rejected := func(words string) []byte {
			return replyLine(asked, LinePermission, "reply",
				wire.Object{wire.Named("reply", "reject"), wire.Named("message", words)})
		}
		if words := prompt.RefusalText(s); words != "" {
			return rejected(words)
		}
		r, answered := prompt.AnsweredFirst(s)
		if !answered || len(r.Selected) != 1 {
			return nil
		}
		if r.Selected[0] == prompt.OptionRefuse {
			return rejected(prompt.RefusalReason(s.Outcome.Answer))
		}
		return replyLine(asked, LinePermission, "reply", wire.Object{wire.Named("reply", r.Selected[0])})
	}
	return asked
}
