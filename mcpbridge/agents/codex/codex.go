package codex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// Codex sends each of its requests to all clients of its app-server: to its own screens and to this program. The first
// answer counts. The server tells all other clients that the request is resolved.
const (
	client = "codex"
	where  = "in codex"

	methodQuestion = "item/tool/requestUserInput"
)

// Request holds a request of the app-server to its clients.
type Request struct {
	Method string
	ID     json.RawMessage // the id as it was received, a number or a string
	Params json.RawMessage
	Cwd    string // the directory of the request's thread; empty: not known
	Server int    // the process id of the app-server
	Cut    bool   // the request was too long, so that Params is not whole
	// Changes holds the diffs of a file change, which the thread announced before the request; nil: not known.
	Changes json.RawMessage
}

// ReadRequest reads a request of a Codex session. ok is false if it is no prompt, or names no thread. Render returns
// the response as a JSON-RPC message.
func ReadRequest(r Request) (prompt.Asked, bool) {
	read := readers[r.Method]
	if read == nil || !utf8.Valid(r.ID) {
		return prompt.Asked{}, false
	}
	o, again, err := wire.ReadMembers(bytes.ToValidUTF8(r.Params, []byte("\ufffd")))
	asked, ok := r.newAsked(o)
	if !ok {
		return prompt.Asked{}, false
	}
	asked.Render = prompt.RenderNothing
	bare := asked
	switch {
	case r.Cut:
		asked.Unfit = queue.UnfitLarge
	case err != nil, len(again) > 0, !utf8.Valid(r.Params), wire.HasHalves(r.Params):
		asked.Unfit = queue.UnfitShown
	default:
		if asked, ok = read(codexAsk{Object: o, Request: r}, asked); !ok {
			asked.Unfit = queue.UnfitShown
		}
	}
	return asked.FitOr(bare, titles[r.Method]), true
}

// Later returns a question that does not stop Codex, which can be answered only there. r has the thread's
// directory and server.
func Later(r Request, thread, item, title string) prompt.Asked {
	if queue.Blank(title) {
		title = "a question"
	}
	source := sourceOf(thread, item, prompt.Hash([]byte(title)))
	return prompt.Asked{Unfit: queue.UnfitAnswer, Ask: queue.Ask{Title: title}, Where: where,
		Render: prompt.RenderNothing, Within: queue.MaxTimeout,
		Origin: queue.Origin{Client: client, Cwd: r.Cwd, Thread: thread, PID: r.Server, Source: source}}
}

// titles says what a request is about that cannot be asked here.
var titles = map[string]string{methodQuestion: "a question", methodCommand: "a command", MethodFiles: "a change",
	methodPermissions: "more permissions", methodForm: "a form"}

// readers maps the methods of the requests that are asked here to the functions that read them.
var readers = map[string]func(codexAsk, prompt.Asked) (prompt.Asked, bool){
	methodQuestion: codexAsk.readQuestion, methodCommand: codexAsk.readCommand, MethodFiles: codexAsk.readFileChange,
	methodPermissions: codexAsk.readPermissions, methodForm: codexAsk.readForm,
}

// codexAsk holds a request and its parameters while they are read.
type codexAsk struct {
	wire.Object
	Request
}

// newAsked returns an Asked with the origin of the request. A request without an item of the thread is named after its
// turn.
func (r Request) newAsked(o wire.Object) (prompt.Asked, bool) {
	thread, isThread := o.Text("threadId")
	item := cmp.Or(o.Words("itemId"), o.Words("turnId"))
	if !isThread || queue.Blank(thread) || len(r.ID) == 0 {
		return prompt.Asked{}, false
	}
	id := string(bytes.Trim(r.ID, `"`))
	return prompt.Asked{Where: where, Origin: queue.Origin{Client: client, Cwd: r.Cwd, Thread: thread, PID: r.Server,
		CallID: id, Source: sourceOf(thread, item, id)}}, true
}

// sourceOf returns the source of a prompt.
func sourceOf(thread, item, id string) string {
	return fmt.Sprintf("codex:%s/%s/%s", prompt.ShortName(thread), prompt.ShortName(item), prompt.ShortName(id))
}

// response returns the JSON-RPC message that answers the request.
func (r Request) response(result wire.Object) []byte {
	return wire.Object{wire.Named("id", r.ID), wire.Named("result", result)}.JSON()
}

// readQuestion reads a question of the model. autoResolutionMs limits how long Codex waits for the answer. Codex has no
// response for "declined", so without an answer or words nothing is sent.
func (c codexAsk) readQuestion(asked prompt.Asked) (prompt.Asked, bool) {
	list, isList := prompt.QuestionList(c.Object)
	if !isList {
		return prompt.Unfit(queue.UnfitShown)
	}
	qs, why := prompt.ReadQuestions(list, prompt.Distinct(readCodexQuestion))
	if why != "" {
		return prompt.Unfit(why)
	}
	if within, ok := prompt.ReadLimit[int64](c.Object, "autoResolutionMs"); ok && within != nil {
		asked.Within = max(time.Duration(*within)*time.Millisecond, time.Second)
	}
	asked.Ask = qs.Ask
	asked.Render = func(s queue.Session) []byte {
		given, ok := qs.AnswersOrWords(s)
		if !ok {
			return nil
		}
		return c.response(answersByID(qs, given))
	}
	return asked, true
}

// readCodexQuestion reads one question, its id in Codex, and the labels of its options. A question about a secret is
// not asked, because the queue is stored on disk.
func readCodexQuestion(o wire.Object) (q queue.Question, id string, labels []string, why queue.Unfit) {
	raw, _ := o.Value("id")
	id, isID := wire.ReadExactText(raw)
	if !isID || id == "" {
		return q, id, nil, queue.UnfitAnswer // its answer would have no name
	}
	q, labels, why = prompt.ReadQuestion(o.Without("custom", "multiSelect"), "")
	other, isFlag := o.Flag("isOther")
	switch {
	case why != "":
		return q, id, nil, why
	case !isFlag:
		return q, id, nil, queue.UnfitShown
	case len(q.Options) > 0 && !other:
		q.Mode, q.Min, q.Max = queue.ModeSingle, 1, 1
	}
	return q, id, labels, ""
}
