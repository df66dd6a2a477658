package prompt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// Codex sends each of its requests to all clients of its app-server: to its own screens and to this program. The first
// answer counts. The server tells all other clients that the request is resolved.
const (
	clientCodex = "codex"
	inCodex     = "in codex"

	methodQuestion = "item/tool/requestUserInput"
)

// CodexRequest holds a request of the app-server to its clients.
type CodexRequest struct {
	Method string
	ID     json.RawMessage // the id as it was received, a number or a string
	Params json.RawMessage
	Cwd    string // the directory of the request's thread; empty: not known
	Server int    // the process id of the app-server
	Cut    bool   // the request was too long, so that Params is not whole
	// Changes holds the diffs of a file change, which the thread announced before the request; nil: not known.
	Changes json.RawMessage
}

// Codex reads a request of a Codex session. ok is false if it is no prompt, or names no thread. Render returns the
// response as a JSON-RPC message.
func Codex(r CodexRequest) (Asked, bool) {
	read := codexReaders[r.Method]
	if read == nil || !utf8.Valid(r.ID) {
		return Asked{}, false
	}
	o, again, err := wire.ReadMembers(bytes.ToValidUTF8(r.Params, []byte("\ufffd")))
	asked, ok := r.newAsked(o)
	if !ok {
		return Asked{}, false
	}
	asked.Render = renderNothing
	bare := asked
	switch {
	case r.Cut:
		asked.Unfit = queue.UnfitLarge
	case err != nil, len(again) > 0, !utf8.Valid(r.Params), wire.HasHalves(r.Params):
		asked.Unfit = queue.UnfitShown
	default:
		if asked, ok = read(codexAsk{Object: o, CodexRequest: r}, asked); !ok {
			asked.Unfit = queue.UnfitShown
		}
	}
	return asked.fitOr(bare, codexTitles[r.Method]), true
}

// CodexLater returns a question that does not stop Codex, which can be answered only there. r has the thread's
// directory and server.
func CodexLater(r CodexRequest, thread, item, title string) Asked {
	if queue.Blank(title) {
		title = "a question"
	}
	source := fmt.Sprintf("codex:%s/%s/%s", shortName(thread), shortName(item), hashOf([]byte(title)))
	return Asked{Unfit: queue.UnfitAnswer, Ask: queue.Ask{Title: title}, Where: inCodex, Render: renderNothing,
		Within: queue.MaxTimeout,
		Origin: queue.Origin{Client: clientCodex, Cwd: r.Cwd, Thread: thread, PID: r.Server, Source: source}}
}

// codexSessionCovers says what an allowance for the session covers.
const codexSessionCovers = "Codex will not ask again for the same until this session ends."

// codexTitles says what a request is about that cannot be asked here.
var codexTitles = map[string]string{methodQuestion: "a question", methodCommand: "a command", CodexFiles: "a change",
	methodPermissions: "more permissions", methodForm: "a form"}

// codexReaders maps the methods of the requests that are asked here to the functions that read them.
var codexReaders = map[string]func(codexAsk, Asked) (Asked, bool){
	methodQuestion: codexAsk.readQuestion, methodCommand: codexAsk.readCommand, CodexFiles: codexAsk.readFileChange,
	methodPermissions: codexAsk.readPermissions, methodForm: codexAsk.readForm,
}

// codexAsk holds a request and its parameters while they are read.
type codexAsk struct {
	wire.Object
	CodexRequest
}

// newAsked returns an Asked with the origin of the request. A request without an item of the thread is named after its
// turn.
func (r CodexRequest) newAsked(o wire.Object) (Asked, bool) {
	thread, isThread := o.Text("threadId")
	item := cmp.Or(o.Words("itemId"), o.Words("turnId"))
	if !isThread || queue.Blank(thread) || len(r.ID) == 0 {
		return Asked{}, false
	}
	id := string(bytes.Trim(r.ID, `"`))
	return Asked{Where: inCodex, Origin: queue.Origin{Client: clientCodex, Cwd: r.Cwd, Thread: thread, PID: r.Server,
		CallID: id, Source: fmt.Sprintf("codex:%s/%s/%s", shortName(thread), shortName(item), shortName(id))}}, true
}

// response returns the JSON-RPC message that answers the request.
func (r CodexRequest) response(result wire.Object) []byte {
	return wire.Object{wire.Named("id", r.ID), wire.Named("result", result)}.JSON()
}

// readQuestion reads a question of the model. autoResolutionMs limits how long Codex waits for the answer. Codex has no
// response for "declined", so without an answer or words nothing is sent.
func (c codexAsk) readQuestion(asked Asked) (Asked, bool) {
	list, isList := questionList(c.Object)
	if !isList {
		return unfit(queue.UnfitShown)
	}
	qs, why := readQuestions(list, distinct(readCodexQuestion))
	if why != "" {
		return unfit(why)
	}
	if within, ok := readBound[int64](c.Object, "autoResolutionMs"); ok && within != nil {
		asked.Within = max(time.Duration(*within)*time.Millisecond, time.Second)
	}
	asked.Ask = qs.ask
	asked.Render = func(s queue.Session) []byte {
		given, ok := qs.answersOrWords(s)
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
	q, labels, why = readQuestion(o.Without("custom", "multiSelect"), "")
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
