package contractserver

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// WidenedAt is the time that the server reports for every widened question, so that transcripts are the same each time.
var WidenedAt = time.Date(2026, 4, 23, 16, 0, 0, 0, time.UTC)

// answer returns the right answer to a call.
func (s *Server) answer(call, subject string, body []byte) (status int, answer any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case call == Ready:
		return http.StatusOK, nil
	case call == Audience:
		return http.StatusOK, map[string]any{"members": s.members}
	case call == Widen:
		return s.widen(subject, body)
	case call == "", !s.widened[subject]:
		return http.StatusNotFound, map[string]string{"detail": "unknown"}
	case call == Discussion:
		return http.StatusOK, s.discussion(subject)
	}
	return s.end(call, subject, body)
}

func (s *Server) widen(decision string, body []byte) (int, any) {
	var asked struct {
		IDs   []json.RawMessage `json:"invited_user_ids"`
		Names []string          `json:"invited_names"`
	}
	if json.Unmarshal(body, &asked) != nil || len(asked.Names) == 0 || len(asked.IDs) > len(asked.Names) {
		return http.StatusUnprocessableEntity, map[string]string{"detail": "nobody is invited"}
	}
	s.widened[decision] = true
	return http.StatusOK, map[string]any{"decision_id": decision, "widened_at": WidenedAt,
		"slack_thread_url": Thread + decision, "invited_count": len(asked.Names), "team_slug": "of the contract"}
}

// discussion returns the whole discussion: this server does not cut at fifty.
func (s *Server) discussion(decision string) widen.Discussion {
	thread := Thread + decision
	d := widen.Discussion{Participants: []string{}, Messages: []string{}, ThreadURL: &thread}
	seen := map[string]bool{}
	for _, said := range [][]widen.Message{s.common, s.talk[decision]} {
		for _, m := range said {
			if !seen[m.Name] {
				d.Participants = append(d.Participants, m.Name)
			}
			seen[m.Name] = true
			d.Messages = append(d.Messages, "["+m.Name+"] "+m.Text)
		}
	}
	d.MessageCount = len(d.Messages)
	return d
}

func (s *Server) end(call, decision string, body []byte) (int, any) {
	var told struct {
		FinalAnswer *string        `json:"final_answer"`
		Summary     *queue.Summary `json:"summary_json"`
		Rationale   *string        `json:"rationale"`
	}
	bad := json.Unmarshal(body, &told) != nil || call == Resolve && (told.FinalAnswer == nil || told.Summary == nil) ||
		call == Defer && (told.Rationale == nil || *told.Rationale == "")
	switch {
	case bad:
		return http.StatusUnprocessableEntity, map[string]string{"detail": "incomplete"}
	case s.ended[decision] != "":
		return http.StatusConflict, map[string]string{"detail": "ended already"}
	}
	s.ended[decision] = call
	return http.StatusOK, map[string]string{"status": call}
}
