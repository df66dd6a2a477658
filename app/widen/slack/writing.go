package slack

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	api "github.com/slack-go/slack"
	"github.com/slack-go/slack/slackutilsx"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	rules "github.com/choicetui/choicetui/queue/widen"
)

// Each message of this package carries a mark, by which a later try finds it: the decision's id, and which part of the
// conversation the message is.
const (
	markType     = "choicetui_decision"
	markDecision = "decision_id"
	markPart     = "part"
	ended        = "ended" // the part that tells the team the decision
)

// mostOfPart limits the characters of other people's words in one message: Slack cuts at 40,000, and one character may
// take five when it is escaped.
const mostOfPart = 7000

// Limits of the search for a thread.
const (
	pageSize  = 200
	mostPages = 5
	earlier   = time.Minute // how much earlier the search begins, because clocks differ
)

// mark returns the mark of one part of a decision's conversation.
func mark(decision, part string) api.SlackMetadata {
	return api.SlackMetadata{EventType: markType, EventPayload: map[string]any{markDecision: decision, markPart: part}}
}

// markOf returns the part of a decision's conversation that a message is; empty: it carries no mark of this decision.
func markOf(m api.Message, decision string) string {
	if m.Metadata.EventType != markType || m.Metadata.EventPayload[markDecision] != decision {
		return ""
	}
	part, _ := m.Metadata.EventPayload[markPart].(string)
	return part
}

// written returns a person's words, escaped for Slack so that nothing in them becomes a mention, a link or other
// markup.
func written(words string) string {
	shown, _ := queue.Visible(words)
	return slackutilsx.EscapeMessage(queue.Shorten(shown, mostOfPart, "…"))
}

// userID matches the id of a user of Slack.
var userID = regexp.MustCompile(`^[UW][A-Z0-9]{2,30}$`)

// letter returns the message that asks, and the further messages of its thread: the rest of a long question, and what
// the person added to it.
func letter(i widen.Invitation) (first string, rest []string) {
	var mentions []string
	for _, m := range i.Invited {
		if userID.MatchString(m.UserID) {
			mentions = append(mentions, "<@"+m.UserID+">")
		} else {
			mentions = append(mentions, written(say.OneLine(m.Name)))
		}
	}
	title, question := written(say.OneLine(i.Title)), parts(i.Below())
	first = strings.Join(mentions, " ") + " a decision needs you:\n*" + title + "*"
	if len(question) > 0 {
		if question[0] != title {
			first += "\n" + question[0]
		}
		rest = question[1:]
	}
	first += "\n_Reply in this thread. What you say here is read back to the person who decides._"
	return first, append(rest, parts(i.Prompt)...)
}

// parts cuts a text into pieces that are short enough for Slack. No piece is blank.
func parts(words string) (all []string) {
	shown, _ := queue.Visible(words)
	for piece := range slices.Chunk([]rune(shown), mostOfPart) {
		if words := string(piece); !queue.Blank(words) {
			all = append(all, slackutilsx.EscapeMessage(words))
		}
	}
	return all
}

// stamped matches the timestamp with which Slack names a message.
var stamped = regexp.MustCompile(`^[0-9]{10}\.[0-9]{6}$`)

// post writes a message, into a thread if one is given, and returns its timestamp. It is tried again only if Slack did
// not accept the message.
func (l link) post(ctx context.Context, text, thread string, m api.SlackMetadata) (string, error) {
	options := []api.MsgOption{api.MsgOptionText(text, false), api.MsgOptionMetadata(m), api.MsgOptionParse(false),
		api.MsgOptionLinkNames(false), api.MsgOptionDisableLinkUnfurl(), api.MsgOptionDisableMediaUnfurl()}
	if thread != "" {
		options = append(options, api.MsgOptionTS(thread))
	}
	stamp := ""
	err := l.retry(ctx, writes, func() (err error) {
		_, stamp, err = l.slack.PostMessageContext(ctx, l.channel, options...)
		return err
	})
	if err == nil && !stamped.MatchString(stamp) {
		err = &widen.Failure{Words: slackGarbled}
	}
	return stamp, err
}

// findThread returns the timestamp of the message with which an earlier try asked; empty: the channel has no such
// message.
func (l link) findThread(ctx context.Context, i widen.Invitation) (stamp string, err error) {
	from := i.Again.Add(-earlier)
	p := api.GetConversationHistoryParameters{ChannelID: l.channel, IncludeAllMetadata: true, Limit: pageSize,
		Oldest: strconv.FormatInt(from.Unix(), 10) + ".000000"}
	pages := 0
	err = l.eachPage(ctx, func(cursor string) (string, error) {
		p.Cursor = cursor
		page, err := l.slack.GetConversationHistoryContext(ctx, &p)
		if err != nil {
			return "", err
		}
		for _, m := range page.Messages {
			if stamp == "" && markOf(m, i.Decision) == "0" {
				stamp = m.Timestamp
			}
		}
		next := page.ResponseMetaData.NextCursor
		if pages++; stamp != "" || pages == mostPages || !page.HasMore || next == cursor {
			next = ""
		}
		return next, nil
	})
	return stamp, err
}

// marksIn returns the parts of a decision's conversation that its thread has already.
func (l link) marksIn(ctx context.Context, stamp, decision string) (map[string]bool, error) {
	marks := map[string]bool{}
	err := l.eachReply(ctx, stamp, func(m api.Message) {
		if part := markOf(m, decision); part != "" {
			marks[part] = true
		}
	})
	return marks, err
}

// response returns the record of a thread that the session stores. Slack sends no such record, so it is made here: the
// members of the schema, and two more with which openThread finds the thread again.
func (l link) response(ctx context.Context, i widen.Invitation, stamp string) json.RawMessage {
	kept := struct {
		Decision  string    `json:"decision_id"`
		At        time.Time `json:"widened_at"`
		ThreadURL string    `json:"slack_thread_url,omitempty"`
		Invited   int       `json:"invited_count"`
		Channel   string    `json:"channel"`
		Stamp     string    `json:"thread_ts"`
	}{Decision: i.Decision, At: timeOf(stamp), Invited: len(i.Invited), Channel: l.channel, Stamp: stamp}
	_ = l.retry(ctx, reads, func() error {
		address, err := l.slack.GetPermalinkContext(ctx, &api.PermalinkParameters{Channel: l.channel, Ts: stamp})
		kept.ThreadURL = rules.WebAddress(widen.WithoutToken(address, l.secret))
		return err
	}) // after an error the team was asked all the same
	raw, _ := json.Marshal(kept) // plain data
	return raw
}
