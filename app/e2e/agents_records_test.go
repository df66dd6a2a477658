//go:build agents

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// What the log says of each approval, compared with what Claude's transcript says of each call.
//
//	choicetui log --json ─► one record for each approval, in the order in which they were asked ─┐
//	Claude's transcript  ─► one decision for each call, in the order in which they were made    ─┴─► must agree

// What became of a call, in the words of the comparison.
const (
	tookOurs   = "by our hook"
	there      = "in claude"
	stopped    = "refused in claude"
	notCertain = "perhaps"
)

// records returns what the log says of the approvals with a title.
func (w *world) records(title string) (all []string) {
	w.Helper()
	var order []string
	events := map[string]string{}
	elsewhere := map[string]string{"": there, "interrupted": stopped, "perhaps": notCertain}
	newestFirst := slices.Collect(strings.Lines(w.output("log", "--json")))
	for _, line := range slices.Backward(newestFirst) {
		var e struct {
			Session string `json:"session_id"`
			Title   string
			Event   string
			Detail  string
			Outcome *struct {
				Status string
				By     string
				Code   string `json:"reason_code"`
			}
		}
		if json.Unmarshal([]byte(line), &e) != nil || !strings.HasPrefix(e.Title, title) {
			continue
		}
		switch {
		case e.Event == "asked":
			order = append(order, e.Session)
		case e.Outcome != nil && e.Outcome.Status == "answered_elsewhere":
			events[e.Session] = elsewhere[e.Outcome.Code]
		case e.Event == "collected" && events[e.Session] == "":
			events[e.Session] = tookOurs
			if e.Detail != "" {
				events[e.Session] = notCertain
			}
		case e.Event == "expired" && e.Detail == "answered in claude before":
			events[e.Session] = there
		case e.Event == "expired":
			events[e.Session] = e.Detail
		}
	}
	for _, id := range order {
		all = append(all, events[id])
	}
	return all
}

// decisions returns what Claude's transcript says of the calls of a command.
func (w *world) decisions(command string) (all []string) {
	files, _ := filepath.Glob(filepath.Join(w.dir, "home", ".claude", "projects", "*", "*.jsonl"))
	var order []string
	by := map[string]string{}
	for _, file := range files {
		raw, _ := os.ReadFile(file)
		for line := range bytes.Lines(raw) {
			var said struct {
				Type    string
				Message struct {
					Content []struct {
						Type, ID string
						Input    struct{ Command string }
						Call     string `json:"tool_use_id"`
					}
				}
				Decision struct{ Source string } `json:"permissionDecision"`
			}
			if json.Unmarshal(line, &said) != nil {
				continue
			}
			for _, p := range said.Message.Content {
				switch {
				case said.Type == "assistant" && p.Type == "tool_use" && p.Input.Command == command:
					order = append(order, p.ID)
				case said.Type == "user" && p.Type == "tool_result" && said.Decision.Source == "hook":
					by[p.Call] = tookOurs
				case said.Type == "user" && p.Type == "tool_result" && strings.HasSuffix(said.Decision.Source, "rary"):
					by[p.Call] = there
				case said.Type == "user" && p.Type == "tool_result":
					by[p.Call] = stopped
				}
			}
		}
	}
	for _, id := range order {
		all = append(all, by[id])
	}
	return all
}

// recordsAgree waits until each approval of a command has a record that says what Claude's transcript says of its call.
// At most so many may be uncertain.
func recordsAgree(command string, calls, perhaps int) step {
	return step{fmt.Sprintf("recordsAgree(%q, %d, %d)", command, calls, perhaps), func(w *world) error {
		var err error
		wait(agentPatience, func() bool {
			err = agree(w.records(claudeRun+": "+command), w.decisions(command), calls, perhaps)
			return err == nil
		})
		return err
	}}
}

func agree(records, decisions []string, calls, perhaps int) error {
	if len(records) != calls || len(decisions) != calls {
		return fmt.Errorf("%d approvals, %d calls", len(records), len(decisions))
	}
	var wrong []string
	for i, record := range records {
		switch {
		case record == decisions[i]:
		case record == stopped && decisions[i] == there || record == there && decisions[i] == stopped:
			// an answer that lost against one in Claude is recorded without telling which
		case record == notCertain && perhaps > 0:
			perhaps--
		default:
			wrong = append(wrong, fmt.Sprintf("%d: the record says %q, claude %q", i+1, record, decisions[i]))
		}
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "\n"))
	}
	return nil
}

// countedWhileOpen watches until the model has played its script: while Claude shows its dialog for longer than a
// second and a half, an approval must be counted, and if no rule answers it, the dashboard must show it.
func countedWhileOpen(most time.Duration) step {
	return step{"countedWhileOpen", func(w *world) error {
		var open time.Time   // when the dialog was first seen without an approval that counts
		var hidden time.Time // when an approval was first seen that the dashboard does not show
		for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			if strings.Contains(w.panes[cli].screen(), "● GOT ") {
				return nil
			}
			shown := strings.Contains(w.panes[cli].screen(), "Do you want to proceed?")
			counted := slices.ContainsFunc(w.list(), func(l listed) bool { return l.Perhaps == "" })
			switch {
			case !shown || counted || slices.Contains(w.records(claudeRun), ""): // "": answered, and Claude is about to take it
				open = time.Time{}
			case open.IsZero():
				open = time.Now()
			case time.Since(open) > 1500*time.Millisecond:
				return errors.New("claude shows its dialog, and no approval counts")
			}
			switch nothing := strings.Contains(w.panes[dash].screen(), "nothing is waiting"); {
			case !counted || !nothing:
				hidden = time.Time{}
			case hidden.IsZero():
				hidden = time.Now()
			case time.Since(hidden) > 10*time.Second:
				return errors.New("an approval waits, and the dashboard does not show it")
			}
		}
		return errNever
	}}
}

// counts waits until so many approvals count, which are not perhaps over.
func counts(n int) step {
	return eventually(fmt.Sprintf("counts(%d)", n), promptly, func(w *world) bool {
		counted := 0
		for _, l := range w.list() {
			if l.Perhaps == "" {
				counted++
			}
		}
		return counted == n
	})
}

// inTurn answers so many prompts that are alike, in Claude and here in turn.
func inTurn(prompts int) step {
	return step{fmt.Sprintf("inTurn(%d)", prompts), func(w *world) error {
		last := ""
		for i := range prompts {
			asked := wait(agentPatience, func() bool {
				all := w.list()
				return len(all) == 1 && all[0].ID != last && all[0].Perhaps == "" &&
					strings.Contains(w.panes[cli].screen(), "Do you want to proceed?")
			})
			if !asked {
				return fmt.Errorf("prompt %d: %w", i+1, errNever)
			}
			last = w.list()[0].ID
			steps := []step{press(cli, "1")}
			if i%2 == 1 {
				steps = []step{press(dash, "y"), answers(dash, "⏎ Allow once", "Enter")}
			}
			for _, s := range steps {
				if err := s.do(w); err != nil {
					return fmt.Errorf("prompt %d: %w", i+1, err)
				}
			}
		}
		return nil
	}}
}

// races answers so many prompts in both places within 50 ms: allowed here, and refused in Claude.
func races(rounds int) step {
	return step{fmt.Sprintf("races(%d)", rounds), func(w *world) error {
		for i := range rounds {
			for _, s := range []step{says(cli, "play=run"), sees(cli, "Do you want to proceed?"),
				answers(dash, "touch made-by-claude", "y"), sees(dash, "⏎ Allow once"), stays(guarded)} {
				if err := s.do(w); err != nil {
					return fmt.Errorf("race %d: %s: %w", i+1, s.says, err)
				}
			}
			var both sync.WaitGroup
			both.Go(func() { w.panes[dash].press("Enter") })
			time.Sleep(time.Duration(i%6) * 10 * time.Millisecond)
			both.Go(func() { w.panes[cli].press("Escape") })
			both.Wait()
			for _, s := range []step{pending(0), loses(cli, "Do you want to proceed?"), stays(2 * time.Second)} {
				if err := s.do(w); err != nil {
					return fmt.Errorf("race %d: %s: %w", i+1, s.says, err)
				}
			}
		}
		return nil
	}}
}
