package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/widen/contractserver"
	"github.com/choicetui/choicetui/queue"
)

// olderProgram names a choicetui of an earlier commit, which .ci/clients builds.
const olderProgram = "CHOICETUI_OLDER"

// olderBinary returns the path of that program, and skips the test where there is none.
func olderBinary(t *testing.T) string {
	t.Helper()
	older := os.Getenv(olderProgram)
	if older == "" {
		t.Skip(olderProgram + " names no older choicetui; .ci/clients builds one")
	}
	return older
}

// TestAnOlderProgramWorksOnTheSameQueue has agents ask with one version and a person answer with the other: bridges run
// for days, and a dashboard is opened anew each morning.
func TestAnOlderProgramWorksOnTheSameQueue(t *testing.T) {
	older := olderBinary(t)
	for name, versions := range map[string]func(r *room) (asks, answers *room){
		"an older bridge":    func(r *room) (asks, answers *room) { return r.with(older), r },
		"an older dashboard": func(r *room) (asks, answers *room) { return r, r.with(older) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			asks, answers := versions(r)
			p := answers.tmux().dashboard(120, 40)
			q := queue.New(r.store())

			call := asks.connect("claude-code").ask(which())
			p.meet("Which database?", "SQLite")
			p.press("2", "Enter")
			require.Equal(t, "sqlite", call.answer().selection()["selected_ids"].([]any)[0])

			hook := asks.hook(ofClaude(t, "permission_once").stdin)
			s := r.asked(q)
			p.allowsOnce("npm test")
			require.Equal(t, string(ofClaude(t, "permission_once").stdout), hook.wait().out)
			r.ended(q, s.ID)
		})
	}
	t.Run("an older dashboard and an approval beside Claude's own dialog", func(t *testing.T) {
		r := newRoom(t)
		b := r.besideClaude()
		p := r.with(older).tmux().dashboard(120, 40)
		q := queue.New(r.store())
		s := r.asked(q)
		p.meet("npm test")
		_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: queue.Presume{Where: "in claude"}})
		require.NoError(t, err)
		p.allowsOnce("npm test")
		require.Equal(t, string(b.stdout), b.hook.wait().out)
		b.writes(tookAnswer)
		_, received := r.ended(q, s.ID).Received()
		require.True(t, received)
	})
}

// with returns the same machine with another choicetui on it.
func (r *room) with(bin string) *room {
	other := *r
	other.bin = bin
	return &other
}

// allowsOnce answers an approval. Behind a mark Enter waits longer there than elsewhere.
func (p *pane) allowsOnce(what string) {
	p.Helper()
	p.meet(what)
	p.press("y")
	time.Sleep(paused)
	p.press("Enter")
}

// TestAnOlderProgramAsksTheTeamOnTheSameQueue has one version ask the team and the other answer. Older programs keep
// beside the queue whom they have to tell, and archive an answer at once.
func TestAnOlderProgramAsksTheTeamOnTheSameQueue(t *testing.T) {
	older := olderBinary(t)
	for name, oldAsks := range map[string]bool{"an older dashboard asks": true, "an older bridge and a newer dashboard": false} {
		t.Run(name, func(t *testing.T) {
			r, server := withServer(t)
			asks, agents := r, r.with(older)
			if oldAsks {
				asks, agents = r.with(older), r
			}
			p := asks.tmux().dashboard(110, 34)
			call := agents.connect("claude-code").ask(which())
			if oldAsks {
				p.asksTeamInOlder("Which database?")
			} else {
				p.asksTeam()
			}
			p.press("Enter")
			p.meet("With the team since")
			records := filepath.Join(r.dir, "state", "choicetui", "widen")
			if oldAsks {
				require.DirExists(t, records)
				p.quit()
				r.tmux().dashboard(110, 34).see("With the team since")
			}
			s := r.only()
			require.Zero(t, r.with(older).run("answer", s.ID, "--select", "sqlite").code)
			require.Equal(t, "sqlite", call.answer().selection()["selected_ids"].([]any)[0])
			until(t, "the team is told", func() bool { return len(server.Requests(contractserver.Resolve)) == 1 })
			require.Len(t, server.Requests(contractserver.Widen), 1)
			require.NoDirExists(t, records)
			time.Sleep(11 * time.Second) // the courier looks again
			require.Len(t, server.Requests(contractserver.Resolve), 1)
		})
	}
}

// asksTeamInOlder has the person ask the team in a dashboard of 235b0e4, up to the choice between waiting and parking.
// There each part is a page of its own.
func (p *pane) asksTeamInOlder(question string) {
	p.Helper()
	p.meet(question, "w ask the team")
	p.opens("w", "on with Alice Johnson, Bob Smith, Carol Lee, Dana Park")
	p.press("Enter")
	p.meet("Who is asked:", "They read:")
	p.press("y")
	p.see("send to Alice Johnson")
	time.Sleep(paused)
	p.press("Enter")
	p.meet("4 people asked", "wait for the team")
}
