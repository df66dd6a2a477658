package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
)

const (
	// inputSilence is how long a hook waits for more input after the last byte while no object is complete. Some
	// programs that run hooks never close their end.
	inputSilence = 5 * time.Second
	// inputWithin is how long a hook reads its input in all. The agent's own prompt waits as long.
	inputWithin = 10 * time.Second
)

// Reasons why the input of a hook cannot be read.
var (
	errNoInput    = errors.New("it was empty")
	errHalfObject = errors.New("it ended before its JSON object did")
	errStalled    = errors.New("its JSON object did not become complete in time")
	errNotObject  = errors.New("it is not a JSON object")
	errNameTwice  = errors.New("it has a name twice")
	errNotLine    = errors.New("a line of its plugin is not JSON")
	errLargeInput = errors.New("it is larger than 16 MiB")
)

// readHookInput reads the first JSON object of a hook's input, or of a larger one its first prompt.MaxWhole bytes. It
// does not wait for the end of the input. The error is one of those above, that of reading, or the cause of ctx.
func readHookInput(ctx context.Context, in io.Reader) (raw []byte, err error) {
	type piece struct {
		raw []byte
		err error
	}
	ctx, cancel := context.WithTimeoutCause(ctx, inputWithin, errStalled)
	defer cancel()
	pieces := make(chan piece)
	go func() {
		for {
			buffer := make([]byte, 64<<10)
			n, err := in.Read(buffer)
			select {
			case pieces <- piece{buffer[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	silence := time.NewTimer(inputSilence)
	defer silence.Stop()
	var object wire.Scanner
	for {
		select {
		case p := <-pieces:
			end, found := object.Scan(p.raw)
			raw = append(raw, p.raw[:end]...)
			switch {
			case object.Other():
				return raw, errNotObject
			case found, len(raw) >= prompt.MaxWhole:
				return raw, nil
			case errors.Is(p.err, io.EOF) && !object.Began():
				return raw, errNoInput
			case errors.Is(p.err, io.EOF):
				return raw, errHalfObject
			case p.err != nil:
				return raw, p.err
			}
			silence.Reset(inputSilence)
		case <-silence.C:
			return raw, errStalled
		case <-ctx.Done():
			return raw, context.Cause(ctx)
		}
	}
}

// eventInText finds the name of the event in input that is not valid JSON.
var eventInText = regexp.MustCompile(`"(?:hook_event_name|hookEventName|hookName)"\s*:\s*"(\w{1,40})"`)

// noteUnread notes that the hook could not read its input, for doctor. It reports no error: the agent shows its own
// prompt in any case.
func (r *hookRun) noteUnread(agent string, why error) {
	event := ""
	if found := eventInText.FindSubmatch(r.raw[:min(len(r.raw), 64<<10)]); found != nil {
		event = string(found[1])
	}
	noteUnread(agent, event, why, r.sh.now())
}

// noteUnread notes input of an agent that could not be read. event may be empty.
func noteUnread(agent, event string, why error, now time.Time) {
	if path, err := unreadPath(); err == nil {
		_ = prompt.NoteUnread(path, prompt.Unread{Agent: agent, Event: event, At: now, Reason: why.Error()})
	}
}

// unreadPath returns the file with the notes of what hooks could not read.
func unreadPath() (string, error) {
	dir, err := config.StateDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "unread.json"), os.MkdirAll(dir, 0o700)
}

// followUnfit makes a prompt that cannot be asked here a notice, in a process of its own: the hook ends at once, since
// most agents show their own prompt only after that.
func (r *hookRun) followUnfit(ctx context.Context, asked prompt.Asked) {
	q, err := r.sh.openExisting()
	if err != nil || !besideDialog(asked) && !prompt.Dashboard(ctx, q) {
		return
	}
	if r.asksElsewhere(ctx) {
		return
	}
	if r.tells { // its own dialog shows the prompt now
		r.tell()
		return
	}
	n := r.of.Hook.Following.UnfitNotice(asked, r.raw, r.pid(), r.sh.now())
	n.Agent = r.of.ID
	n.Notice.Unasked = r.isHeadless()
	r.startNative(noticeArg, n.From(processOrigin()))
}

// noteIfUnread notes input that is not JSON although its braces match, and input that is so large that nobody can say
// what it asks for. asks means that a prompt was found in it.
func (r *hookRun) noteIfUnread(agent string, asks bool) {
	if asks {
		return
	}
	if len(r.raw) >= prompt.MaxWhole {
		r.noteUnread(agent, errLargeInput)
		return
	}
	_, again, err := wire.ReadMembers(r.raw)
	switch {
	case !json.Valid(r.raw) && !wire.IsTooDeep(err):
		r.noteUnread(agent, errNotObject)
	case len(again) > 0:
		r.noteUnread(agent, errNameTwice)
	}
}
