package dialect

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// actionPending is provide_choice's word for "no outcome yet", handed off or merely still waiting.
const actionPending = "pending_terminal_launch"

type provideResult struct {
	ActionStatus string           `json:"action_status"`
	SessionID    string           `json:"session_id"`
	Selection    provideSelection `json:"selection"`
	SettledBy    string           `json:"settled_by,omitempty"`
	Person       string           `json:"person,omitempty"`
	Reason       string           `json:"reason,omitempty"`
	ReasonCode   string           `json:"reason_code,omitempty"`
	Advice       []string         `json:"advice,omitempty"`
	Deprecated   []string         `json:"deprecated,omitempty"`
	Discussion   *summarization   `json:"summarization_request,omitempty"`

	Team *queue.Resolution `json:"team,omitempty"`
}

type provideSelection struct {
	SelectedIDs       []string          `json:"selected_ids"` // never null
	CustomInput       string            `json:"custom_input,omitempty"`
	OptionAnnotations map[string]string `json:"option_annotations,omitempty"`
	GlobalAnnotation  string            `json:"global_annotation,omitempty"`
	Transport         string            `json:"transport"`
	URL               string            `json:"url,omitempty"`
	Summary           string            `json:"summary"`
}

func renderProvideChoice(s queue.Session, d Delivery) Result {
	if s.Outcome == nil {
		return renderPending(s, d)
	}
	o := s.Outcome
	out := provideResult{
		ActionStatus: o.Status, SessionID: s.ID, SettledBy: o.By, Person: o.Person,
		Reason: o.Reason, ReasonCode: o.ReasonCode,
		Advice: Advise(s.Origin.Dialect, s.Ask), Deprecated: d.Deprecated, Team: o.Team,
		Selection: provideSelection{
			SelectedIDs: []string{}, GlobalAnnotation: o.Answer.Comment,
			Transport: TransportTerminal, Summary: s.Summary(),
		},
	}
	if o.Surface == queue.SurfaceWeb {
		out.Selection.Transport = TransportWeb
	}
	if len(o.Answer.Replies) > 0 {
		reply := o.Answer.Replies[0]
		out.Selection.SelectedIDs = append(out.Selection.SelectedIDs, reply.Selected...)
		out.Selection.CustomInput, out.Selection.OptionAnnotations = reply.Text, reply.Notes
	}
	if said := moreDetail(s) + putOff(s); said != "" { // some clients show the model the structured content alone
		out.Selection.Summary = said
	}
	if d.Joined != "" {
		out.Selection.Summary += " (" + d.Joined + ")"
		if out.Reason == "" {
			out.Reason = d.Joined
		}
	}
	raw := compact(out)
	text := spoken(s, out.Selection.Summary) + "\n" + string(raw) + adviceLines(out.Advice, out.Deprecated)
	return Result{Text: text, Structured: raw}
}

// spoken returns the first line of the text, for a model that reads no further.
func spoken(s queue.Session, summary string) string {
	switch o := s.Outcome; {
	case o.Answered():
		if said := asTheTeamSaid(o); said != "" {
			return "The person answered: " + summary + "\n" + said
		}
		return "The person answered: " + summary
	case o.Status == queue.StatusTimeout:
		if len(o.Answer.Replies) > 0 {
			return "Nobody answered in time: " + summary
		}
		return "Nobody answered in time and nothing was chosen (" + summary + "). Do not choose for the person."
	case o.Status == queue.StatusCancelled:
		if moreDetail(s) == "" {
			summary += "."
		}
		return "Nothing was chosen: " + summary + " Do not go on with any of the options."
	default:
		return "Nothing was chosen: " + summary + " Do not choose for the person."
	}
}

func renderPending(s queue.Session, d Delivery) Result {
	again := fmt.Sprintf(`call provide_choice again with {"session_id": %q}; do not choose yourself`, s.ID)
	summary := "No answer yet" + left(s, d.Now) + ": " + again
	url, transport := "", TransportTerminal
	switch {
	case d.Page != "":
		url, transport = d.Page, TransportWeb
		summary = "Waits for the person" + left(s, d.Now) + onPage(d) + ", then " + again
	case d.Attach != "" && s.Attached == nil:
		url = d.Attach
		summary = fmt.Sprintf("Waits for the person%s: run `%s` in a terminal to put the question on screen "+
			"(it works once, a retry is a new ask), then %s", left(s, d.Now), d.Attach, again)
	case s.Attached != nil:
		summary = "No answer yet" + left(s, d.Now) + ", its form was opened in a terminal: " + again
	}
	if d.Joined != "" {
		summary += " (" + d.Joined + ")"
	}
	out := provideResult{
		ActionStatus: actionPending, SessionID: s.ID, Deprecated: d.Deprecated,
		Selection: provideSelection{SelectedIDs: []string{}, Transport: transport, URL: url, Summary: summary},
	}
	if m := summarize(s, d); m != nil {
		out.Selection.Summary, out.Discussion = m.sentence(), m
		raw := compact(out)
		out.Discussion = m.inText()
		return Result{Text: m.text(compact(out)) + adviceLines(nil, d.Deprecated), Structured: raw}
	}
	raw := compact(out)
	return Result{Text: summary + "\n" + string(raw) + adviceLines(nil, d.Deprecated), Structured: raw}
}

// left says how long the person still has, as part of a sentence.
func left(s queue.Session, now time.Time) string {
	if s.Deadline.IsZero() {
		return withTeam(s)
	}
	return fmt.Sprintf(", %s left", max(s.Deadline.Sub(now), 0).Round(time.Second))
}
