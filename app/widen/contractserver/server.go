// Package contractserver is a team's server for tests. It speaks the protocol that app/widen/httpapi is written for,
// and answers wrongly if a test asks for that. Only tests import it.
package contractserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Token is the token that the server accepts.
const Token = "token-of-the-contract"

// Thread is the beginning of the address of a team's discussion. The decision's id follows it.
const Thread = "https://slack.example/archives/C1/"

// The calls of the protocol, as Misbehave and Request name them.
const (
	Ready      = "ready"
	Audience   = "audience"
	Widen      = "widen"
	Discussion = "discussion"
	Resolve    = "resolve"
	Defer      = "defer"
)

// Order says in which wrong way the server answers one request.
type Order struct {
	Delay      time.Duration // the time until the server answers
	Status     int           // the status; 0: the right one
	RetryAfter string        // the header Retry-After; empty: no header
	Body       string        // the body; empty: the right one
	Half       bool          // only half of the right body is sent
	Hang       bool          // the server breaks the connection without an answer
}

// Request records a request that the server received.
type Request struct {
	Call, Decision string
	Body           json.RawMessage
}

// Server is a running server. All its methods may be called while it runs.
type Server struct {
	URL  string
	http *httptest.Server

	mu       sync.Mutex
	members  []queue.Member
	talk     map[string][]widen.Message
	common   []widen.Message // said about every decision
	orders   map[string][]Order
	requests []Request
	widened  map[string]bool
	ended    map[string]string // by decision: the call that ended it, Resolve or Defer
}

// New returns a running server with four people to ask.
func New() *Server {
	s := &Server{talk: map[string][]widen.Message{}, orders: map[string][]Order{}, widened: map[string]bool{},
		ended: map[string]string{}}
	s.SetMembers("Alice Johnson", "Bob Smith", "Carol Lee", "Dana Park")
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	return s
}

// Close stops the server.
func (s *Server) Close() { s.http.Close() }

// SetMembers sets the people of every mission, by display name; their ids are u1, u2, ….
func (s *Server) SetMembers(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.members = nil
	for i, name := range names {
		s.members = append(s.members, queue.Member{UserID: fmt.Sprint("u", i+1), Name: name})
	}
}

// Say adds a message of a person to the discussion of a decision, or of every decision if decision is empty.
func (s *Server) Say(decision, name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if decision == "" {
		s.common = append(s.common, widen.Message{Name: name, Text: text})
		return
	}
	s.talk[decision] = append(s.talk[decision], widen.Message{Name: name, Text: text})
}

// Misbehave makes the server answer the next requests of a call as these orders say, one order for each request.
func (s *Server) Misbehave(call string, orders ...Order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders[call] = append(s.orders[call], orders...)
}

// Forgive drops the remaining orders for a call.
func (s *Server) Forgive(call string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.orders, call)
}

// Requests returns the requests of a call so far, or all of them for an empty call.
func (s *Server) Requests(call string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.requests), func(r Request) bool { return call != "" && r.Call != call })
}

// Ended returns the call that ended a decision, Resolve or Defer; empty: it has not ended.
func (s *Server) Ended(decision string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended[decision]
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call, subject := callOf(r)
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	order := s.note(call, subject, body)
	time.Sleep(order.Delay)
	if order.Hang {
		panic(http.ErrAbortHandler)
	}
	status, answer := http.StatusUnauthorized, any(map[string]string{"detail": "no"})
	if r.Header.Get("Authorization") == "Bearer "+Token {
		status, answer = s.answer(call, subject, body)
	}
	text, _ := json.Marshal(answer)
	switch {
	case order.Half:
		text = text[:len(text)/2]
	case order.Body != "":
		text = []byte(order.Body)
	}
	if order.Status != 0 {
		status = order.Status
	}
	if order.RetryAfter != "" {
		w.Header().Set("Retry-After", order.RetryAfter)
	}
	if status >= 300 && status < 400 {
		w.Header().Set("Location", s.URL+"/elsewhere")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// note records a request, and returns the order for its answer.
func (s *Server) note(call, subject string, body []byte) (order Order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Call: call, Decision: subject, Body: body})
	if left := s.orders[call]; len(left) > 0 {
		order, s.orders[call] = left[0], left[1:]
	}
	return order
}

// callOf returns the call of a request, and its decision or mission.
func callOf(r *http.Request) (call, subject string) {
	parts := strings.Split(strings.Trim(r.URL.EscapedPath(), "/"), "/")
	if r.Method == http.MethodHead && r.URL.Path == "/" {
		return Ready, ""
	}
	if len(parts) != 5 || parts[0] != "api" || parts[1] != "v1" {
		return "", ""
	}
	subject, _ = url.PathUnescape(parts[3])
	switch r.Method + " " + parts[2] + " " + parts[4] {
	case "GET missions audience-default":
		return Audience, subject
	case "POST decision-points widen":
		return Widen, subject
	case "GET decision-points discussion":
		return Discussion, subject
	case "POST decision-points resolve":
		return Resolve, subject
	case "POST decision-points defer":
		return Defer, subject
	}
	return "", ""
}

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

// widen answers the call that asks the team about a decision.
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

// discussion returns the whole discussion. Other servers may return only the newest fifty messages.
func (s *Server) discussion(decision string) widen.Discussion {
	thread := Thread + decision
	d := widen.Discussion{Participants: []string{}, Messages: []string{}, ThreadURL: thread}
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

// end answers a call that ends a decision.
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
