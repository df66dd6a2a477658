package slack

import (
	"context"
	"regexp"
	"slices"
	"strings"

	api "github.com/slack-go/slack"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/queue"
	rules "github.com/choicetui/choicetui/queue/widen"
)

// repliesAtOnce is the most replies that Slack returns in one page.
const repliesAtOnce = 999

// eachReply calls see with each message of a thread, including its first message, oldest first.
func (l link) eachReply(ctx context.Context, stamp string, see func(api.Message)) error {
	p := api.GetConversationRepliesParameters{ChannelID: l.channel, Timestamp: stamp, Limit: repliesAtOnce,
		IncludeAllMetadata: true}
	return l.eachPage(ctx, func(cursor string) (string, error) {
		p.Cursor = cursor
		page, more, next, err := l.slack.GetConversationRepliesContext(ctx, &p)
		if err == nil && cursor == "" && len(page) == 0 { // a thread has a first message
			err = &widen.Failure{Words: slackGarbled}
		}
		for _, m := range page {
			see(m)
		}
		if !more {
			next = ""
		}
		return next, err
	})
}

// mostRead limits the characters of a message that are read. It is larger than the number of characters shown, because
// Slack's markup is longer than the text that is made of it.
const mostRead = 4 * rules.MaxMessage

// Discussion returns the messages that people wrote in the thread, without those of programs. Of a long thread it
// returns the newest messages, and the number of all of them.
func (b *Backend) Discussion(ctx context.Context, t widen.Thread) (rules.Discussion, error) {
	l, stamp, err := b.openThread(t)
	if err != nil {
		return rules.Discussion{}, err
	}
	var newest []rules.Message // with the ids of their authors as names, and in Slack's markup
	var authors []string
	seen, count := map[string]bool{}, 0
	err = l.eachReply(ctx, stamp, func(m api.Message) {
		if m.Timestamp == stamp || m.User == "" || m.BotID != "" || markOf(m, t.Decision) != "" {
			return
		}
		count++
		if len(authors) < rules.MaxParticipants && !seen[m.User] {
			authors, seen[m.User] = append(authors, m.User), true
		}
		if len(newest) == rules.MaxMessages {
			newest = append(newest[:0], newest[1:]...)
		}
		text := widen.WithoutToken(queue.Shorten(m.Text, mostRead, "…"), l.secret)
		newest = append(newest, rules.Message{Name: m.User, Text: text})
	})
	if err != nil {
		return rules.Discussion{}, err
	}
	asked := slices.Clone(authors)
	for _, m := range newest {
		asked = append(asked, m.Name)
		for _, found := range mention.FindAllStringSubmatch(m.Text, 20) {
			asked = append(asked, found[1])
		}
	}
	names, err := b.lookUpAll(ctx, l, asked)
	if err != nil {
		return rules.Discussion{}, err
	}
	for i, id := range authors {
		authors[i] = names[id].name
	}
	for i, m := range newest {
		newest[i] = rules.Message{Name: names[m.Name].name, Text: stripMarkup(m.Text, names)}
	}
	return rules.NewDiscussion(authors, newest, count, t.URL), nil
}

// Texts that Slack writes in angle brackets.
var (
	mention = regexp.MustCompile(`<@([UW][A-Z0-9]{2,30})(?:\|[^<>]*)?>`)
	channel = regexp.MustCompile(`<#[A-Z0-9]+\|([^<>]*)>`)
	group   = regexp.MustCompile(`<!(?:subteam\^[A-Z0-9]+\|@?)?([^<>|]*)(?:\|[^<>]*)?>`)
	named   = regexp.MustCompile(`<([^<>|]+)\|([^<>]*)>`)
	bare    = regexp.MustCompile(`<([^<>|]+)>`)
)

// unescape replaces the escape sequences of Slack by their characters.
var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// stripMarkup returns a message as plain text, without Slack's markup.
func stripMarkup(text string, names map[string]person) string {
	text = mention.ReplaceAllStringFunc(text, func(found string) string {
		id := mention.FindStringSubmatch(found)[1]
		if p, known := names[id]; known {
			return "@" + strings.NewReplacer("<", "(", ">", ")").Replace(p.name)
		}
		return "@" + id
	})
	text = channel.ReplaceAllString(text, "#$1")
	text = group.ReplaceAllString(text, "@$1")
	text = named.ReplaceAllString(text, "$2 ($1)")
	return unescape.Replace(bare.ReplaceAllString(text, "$1"))
}
