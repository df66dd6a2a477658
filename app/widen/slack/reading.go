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

// eachReply visits the messages of a thread, its first message included, oldest first.
func (l link) eachReply(ctx context.Context, stamp string, see func(api.Message)) error {
	var turned pages
	p := api.GetConversationRepliesParameters{ChannelID: l.channel, Timestamp: stamp, Limit: repliesAtOnce,
		IncludeAllMetadata: true}
	for {
		var page []api.Message
		var more bool
		err := l.again(ctx, true, func() (err error) {
			page, more, p.Cursor, err = l.slack.GetConversationRepliesContext(ctx, &p)
			return err
		})
		if err != nil {
			return err
		}
		if turned.read == 0 && len(page) == 0 { // a thread has its first message: this was no answer to the call
			return garbled("the thread is empty")
		}
		for _, m := range page {
			see(m)
		}
		if !more || p.Cursor == "" {
			return nil
		}
		if err := turned.turn(l, p.Cursor); err != nil {
			return err
		}
	}
}

// mostRead limits the characters of a message that are read. It exceeds the number shown because Slack's marks are
// longer than the text that they become.
const mostRead = 4 * rules.MaxMessage

// Discussion returns the messages that people wrote in the thread; those of programs are left out. Of a long thread it
// keeps the newest and counts all.
func (b *Backend) Discussion(ctx context.Context, t widen.Thread) (rules.Discussion, error) {
	l, err := b.open()
	if err != nil {
		return rules.Discussion{}, err
	}
	channel, stamp, known := place(t)
	if !known {
		return rules.Discussion{}, gone()
	}
	l.channel = channel
	var newest []rules.Message // by id, in Slack's marks
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
	return b.discussion(ctx, l, t, authors, newest, count)
}

// discussion puts names to those who wrote.
func (b *Backend) discussion(ctx context.Context, l link, t widen.Thread, authors []string,
	newest []rules.Message, count int) (rules.Discussion, error) {
	asked := slices.Clone(authors)
	for _, m := range newest {
		asked = append(asked, m.Name)
		for _, found := range mention.FindAllStringSubmatch(m.Text, 20) {
			asked = append(asked, found[1])
		}
	}
	names, err := b.people.names(ctx, l, asked)
	if err != nil {
		return rules.Discussion{}, err
	}
	var participants []string
	for _, id := range authors {
		participants = append(participants, names[id].name)
	}
	var messages []rules.Message
	for _, m := range newest {
		messages = append(messages, rules.Message{Name: names[m.Name].name, Text: plain(m.Text, names)})
	}
	return rules.NewDiscussion(participants, messages, count, t.URL), nil
}

// Texts that Slack writes in angle brackets.
var (
	mention = regexp.MustCompile(`<@([UW][A-Z0-9]{2,30})(?:\|[^<>]*)?>`)
	channel = regexp.MustCompile(`<#[A-Z0-9]+\|([^<>]*)>`)
	group   = regexp.MustCompile(`<!(?:subteam\^[A-Z0-9]+\|@?)?([^<>|]*)(?:\|[^<>]*)?>`)
	named   = regexp.MustCompile(`<([^<>|]+)\|([^<>]*)>`)
	bare    = regexp.MustCompile(`<([^<>|]+)>`)
)

var unescape = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// plain returns a message without Slack's marks.
func plain(text string, names map[string]person) string {
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
