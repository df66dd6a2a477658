package slack

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	api "github.com/slack-go/slack"
	"golang.org/x/sync/errgroup"

	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/queue"
	rules "github.com/choicetui/choicetui/queue/widen"
)

// Limits of looking people up, which Slack does one by one.
const (
	askedAtOnce = 8
	mostMembers = 2 * queue.MaxTeam // of a channel, programs among them
)

// slackbot is the id of a program that is in every channel and that Slack does not mark as a program.
const slackbot = "USLACKBOT"

// person holds the name that is shown for a member of Slack. human is false for programs and for people who have left.
type person struct {
	name  string
	human bool
}

// lookUpAll returns the people with these ids, by id. A person whom Slack does not know is shown by their id.
func (b *Backend) lookUpAll(ctx context.Context, l link, ids []string) (map[string]person, error) {
	var mu sync.Mutex
	found := map[string]person{}
	group, among := errgroup.WithContext(ctx) // after one failure the others would fail in the same way
	group.SetLimit(askedAtOnce)
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		group.Go(func() error {
			one, err := b.lookUp(among, l, id)
			mu.Lock()
			defer mu.Unlock()
			found[id] = one
			return err
		})
	}
	return found, group.Wait()
}

// lookUp returns one person, whom it asks Slack for if it did not do so before.
func (b *Backend) lookUp(ctx context.Context, l link, id string) (one person, err error) {
	if known, is := b.people.Load(id); is {
		one, _ = known.(person)
		return one, nil
	}
	one.name = rules.Name(widen.WithoutToken(id, l.secret))
	if !userID.MatchString(id) { // this cannot be an id of Slack's
		return one, nil
	}
	err = l.retry(ctx, reads, func() error {
		user, err := l.slack.GetUserInfoContext(ctx, id)
		var refused api.SlackErrorResponse
		switch {
		case errors.As(err, &refused) && (refused.Err == "user_not_found" || refused.Err == "user_not_visible"):
			return nil
		case err != nil:
			return err
		}
		one = personOf(id, user)
		one.name = widen.WithoutToken(one.name, l.secret)
		return nil
	})
	if err == nil {
		b.people.Store(id, one)
	}
	return one, err
}

// personOf returns the person whom Slack describes.
func personOf(id string, u *api.User) person {
	names := []string{u.Profile.DisplayName, u.RealName, u.Profile.RealName, u.Name, id}
	names = slices.DeleteFunc(names, queue.Blank)
	return person{name: rules.Name(names[0]), human: !u.IsBot && !u.Deleted && id != slackbot}
}

// Audience returns the people in the channel, sorted by name. The mission does not matter.
func (b *Backend) Audience(ctx context.Context, _ string) ([]queue.Member, error) {
	l, err := b.open()
	if err != nil {
		return nil, err
	}
	var ids []string // each once
	p := api.GetUsersInConversationParameters{ChannelID: l.channel, Limit: pageSize}
	err = l.eachPage(ctx, func(cursor string) (string, error) {
		p.Cursor = cursor
		page, next, err := l.slack.GetUsersInConversationContext(ctx, &p)
		for _, id := range page {
			if userID.MatchString(id) && !slices.Contains(ids, id) && len(ids) < mostMembers {
				ids = append(ids, id)
			}
		}
		if len(ids) >= mostMembers {
			next = ""
		}
		return next, err
	})
	if err != nil {
		return nil, err
	}
	names, err := b.lookUpAll(ctx, l, ids)
	if err != nil {
		return nil, err
	}
	var all []queue.Member
	for _, id := range ids {
		if one := names[id]; one.human {
			all = append(all, queue.Member{UserID: id, Name: one.name})
		}
	}
	slices.SortFunc(all, func(a, b queue.Member) int {
		byName := strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		return cmp.Or(byName, strings.Compare(a.UserID, b.UserID))
	})
	return all[:min(len(all), queue.MaxTeam)], nil
}

// TakesNames reports false: only people of the channel can be asked, because a mention needs an id.
func (b *Backend) TakesNames() bool { return false }
