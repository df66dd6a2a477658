package prompt

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// opencode runs a plugin of ours, a single file (mcpbridge/agents/agent/opencode.js). The plugin
// sends the prompts of opencode as lines of JSON and passes the replies to opencode. The agent's own prompt stays on
// its screen, and the first answer counts.
//
// Kilo and MiMo Code load the same plugin. Since opencode 2 it runs in a service that many screens share.
const (
	clientOpencode = "opencode"
	secondOpencode = 2 // the generation from which on the plugin runs in a shared service
)

// opencodes lists the agents that load the plugin, with the names that it gives them.
var opencodes = []string{clientOpencode, "kilo", "mimo"}

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
	if len(raw) < MaxWhole {
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

// Opencode reads a prompt of opencode. ok is false if it is no prompt. Render returns a Reply as a line.
func Opencode(l Line) (Asked, bool) {
	client := cmp.Or(l.Client, clientOpencode)
	if l.Type != LineQuestion && l.Type != LinePermission || !slices.Contains(opencodes, client) {
		return Asked{}, false
	}
	o, again, err := wire.ReadMembers(l.Properties)
	session := o.Words("sessionID")
	origin := queue.Origin{Client: client, Cwd: l.Directory, Thread: session, CallID: l.ID,
		Source: client + ":" + shortName(session) + "/" + shortName(l.ID)}
	bare := Asked{Origin: origin, Where: "in " + client, Shared: l.Generation >= secondOpencode,
		Render: renderNothing}
	asked := bare
	switch {
	case l.cut:
		asked.Unfit = queue.UnfitLarge
	case err != nil, len(again) > 0, wire.HasHalves(l.Properties), o.Words("id") != l.ID:
		asked.Unfit = queue.UnfitShown
	case l.Type == LineQuestion:
		asked = opencodeQuestion(asked, o)
	default:
		asked = opencodePermission(asked, o)
	}
	return asked.fitOr(bare, opencodeTitles[l.Type]), true
}

// opencodeTitles says what a prompt is about that cannot be asked here.
var opencodeTitles = map[string]string{LineQuestion: "a question", LinePermission: "a permission"}

// opencodeQuestion asks opencode's own questions. If the person declines, they are rejected; if the person gives words,
// the words are the answer, because a rejection cannot carry them.
func opencodeQuestion(asked Asked, o wire.Object) Asked {
	list, isList := questionList(o)
	if !isList {
		asked.Unfit = queue.UnfitShown
		return asked
	}
	qs, why := readQuestions(list, keyedByText("multiple"))
	if asked.Unfit = why; why != "" {
		return asked
	}
	asked.Ask = qs.ask
	asked.Render = func(s queue.Session) []byte {
		answers, ok := qs.answersOrWords(s)
		switch {
		case ok:
			return replyLine(asked, LineQuestion, "reply", wire.Object{wire.Named("answers", answers)})
		case cancelledHere(s):
			return replyLine(asked, LineQuestion, "reject", wire.Object{})
		}
		return nil
	}
	return asked
}

// replyLine returns a Reply to a prompt as a line of JSON.
func replyLine(asked Asked, kind, action string, body wire.Object) []byte {
	return append(wire.Encode(Reply{ID: asked.Origin.CallID, Kind: kind, Action: action, Body: body.JSON()}), '\n')
}

// opencodePermission asks whether opencode may do something.
func opencodePermission(asked Asked, o wire.Object) Asked {
	what, ok := readPermission(o, asked.Origin.Cwd)
	if !ok {
		what, ok = readOddPermission(o)
	}
	if !ok {
		asked.Unfit = queue.UnfitShown
		return asked
	}
	what.approval.Dir = asked.Origin.Cwd
	options := []queue.Option{{ID: optionOnce, Label: allowOnce, Act: queue.ActOnce}}
	rules, _ := o.Texts("always")
	if len(strings.Join(rules, ", ")) > mostOffer {
		what.approval.LeftOut, rules = leftOut(1, asked.Where), nil
	}
	if len(rules) > 0 {
		all, lasts := strings.Join(rules, ", "), asked.Shared // opencode 2 stores these rules
		covers := asked.Origin.Client + " will not ask again for " + all + " until its next start."
		if lasts {
			covers = asked.Origin.Client + " will not ask again for " + all + ", also after its next start."
		}
		options = append(options, queue.Option{ID: optionAlways, Label: always + all,
			Description: covers, Act: queue.ActAlways,
			Exact: !lasts && len(rules) == 1 && isExactly(rules[0], oneCommand(what.approval.Parts)) &&
				!strings.ContainsAny(what.approval.Tool, wildcards)})
	}
	options = append(options, queue.Option{ID: optionRefuse, Label: refuse, Act: queue.ActRefuse})
	asked.Ask = what.newAsk(options)
	asked.Render = func(s queue.Session) []byte {
		rejected := func(words string) []byte {
			return replyLine(asked, LinePermission, "reply",
				wire.Object{wire.Named("reply", "reject"), wire.Named("message", words)})
		}
		if words := refusalText(s); words != "" {
			return rejected(words)
		}
		r, answered := answeredFirst(s)
		if !answered || len(r.Selected) != 1 {
			return nil
		}
		if r.Selected[0] == optionRefuse {
			return rejected(refusalReason(s.Outcome.Answer))
		}
		return replyLine(asked, LinePermission, "reply", wire.Object{wire.Named("reply", r.Selected[0])})
	}
	return asked
}
