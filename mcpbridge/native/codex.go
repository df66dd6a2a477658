package native

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

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
	// Changes holds the diffs of a file change, which the thread announced before the request; nil: not known.
	Changes json.RawMessage
}

// Codex reads a request of a Codex session. ok is false if the request is left to Codex's own screens. Render returns
// the response as a JSON-RPC message.
func Codex(r CodexRequest) (Asked, bool) {
	read := codexReaders[r.Method]
	if read == nil || !isReadable(r.Params) || !isReadable(r.ID) {
		return Asked{}, false
	}
	o, ok := readObject(r.Params)
	if !ok {
		return Asked{}, false
	}
	asked, ok := r.newAsked(o)
	if !ok {
		return Asked{}, false
	}
	return read(codexAsk{object: o, CodexRequest: r}, asked)
}

// codexReaders maps the methods of the requests that are asked here to the functions that read them.
var codexReaders = map[string]func(codexAsk, Asked) (Asked, bool){
	methodQuestion: codexAsk.readQuestion, methodCommand: codexAsk.readCommand, CodexFiles: codexAsk.readFileChange,
	methodPermissions: codexAsk.readPermissions, methodForm: codexAsk.readForm,
}

// codexAsk holds a request and its parameters while they are read.
type codexAsk struct {
	object
	CodexRequest
}

// newAsked returns an Asked with the origin of the request. A request without an item of the thread is named after its
// turn.
func (r CodexRequest) newAsked(o object) (Asked, bool) {
	thread, isThread := o.text("threadId")
	item, isItem := o.text("itemId")
	turn, isTurn := o.text("turnId")
	if !isThread || !isItem || !isTurn || queue.Blank(thread) || len(r.ID) == 0 {
		return Asked{}, false
	}
	if item == "" {
		item = turn
	}
	id := string(bytes.Trim(r.ID, `"`))
	return Asked{Where: inCodex, Origin: queue.Origin{Client: clientCodex, Cwd: r.Cwd, Thread: thread, PID: r.Server,
		CallID: id, Source: fmt.Sprintf("codex:%s/%s/%s", thread, item, id)}}, true
}

// response returns the JSON-RPC message that answers the request.
func (r CodexRequest) response(result object) []byte {
	return object{{"id", r.ID}, {"result", result.json()}}.json()
}

// readQuestion reads a question of the model. autoResolutionMs limits how long Codex waits for the answer. Codex has no
// response for "declined", so without an answer or words nothing is sent.
func (c codexAsk) readQuestion(asked Asked) (Asked, bool) {
	list, isList := c.list("questions")
	qs, ok := readQuestions(list, readCodexQuestion)
	within, isBound := readBound[int64](c.object, "autoResolutionMs")
	if !isList || !ok || !isBound {
		return Asked{}, false
	}
	if within != nil {
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

// readCodexQuestion reads one question and its id in Codex. ok is false for a question about a secret, because the
// queue is stored on disk.
func readCodexQuestion(o object) (q queue.Question, id string, ok bool) {
	id, isID := o.text("id")
	secret, isFlag := o.flag("isSecret")
	other, isOther := o.flag("isOther")
	text, isText := o.text("question")
	header, isHeader := o.text("header")
	isRead := isID && isFlag && isOther && isText && isHeader && id != "" && !queue.Blank(text)
	rest := o.without("isSecret")
	isHidden := secret || len(rest.without(hidingFields...)) != len(rest)
	if !isRead || isHidden {
		return q, id, false
	}
	q = queue.Question{Header: firstLine(header), Text: text, Mode: queue.ModeText}
	list, isList := o.list("options")
	if _, there := o.value("options"); there && !isList {
		return q, id, false
	}
	for _, raw := range list {
		option, ok := readOption(raw)
		if !ok {
			return q, id, false
		}
		q.Options = append(q.Options, option)
	}
	switch {
	case len(list) > 0 && other:
		q.Mode, q.Max = queue.ModeHybrid, 1
	case len(list) > 0:
		q.Mode, q.Min, q.Max = queue.ModeSingle, 1, 1
	}
	return q, id, true
}
