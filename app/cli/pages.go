package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// pages gives the commands a queue's pages in the browser. The program that serves them is started when the first is
// wanted, and ends when nobody needs it.
type pages struct {
	portal  client.Portal
	browser client.Browser
}

// pagesOf returns the pages of this command's queue.
func pagesOf(sh *shell) (pages, error) {
	dir, err := sh.place()
	if err != nil {
		return pages{}, err
	}
	state, err := config.StateDir()
	if err != nil {
		return pages{}, fmt.Errorf("failed to find the web page's place: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return pages{}, fmt.Errorf("failed to find choicetui's own program: %w", err)
	}
	return pages{browser: client.Here(), portal: client.Portal{Path: client.Path(dir, state),
		Start: []string{self, "web", "--transient", "--queue", dir}}}, nil
}

// link makes a link for the agent that asked; it opens this one question.
func (p pages) link(ctx context.Context, r client.Request) (client.Reply, error) {
	place, err := p.portal.Ensure(ctx)
	if err != nil {
		return client.Reply{}, err
	}
	return place.Link(ctx, r)
}

// open shows a session in the person's browser, the list of all if id is empty. Where no browser can be opened, the
// link lets the person in, once; else it is the bare address.
func (p pages) open(ctx context.Context, id string) (link string, opened bool, err error) {
	reply, err := p.link(ctx, client.Request{Session: id})
	if err != nil {
		return "", false, err
	}
	if p.browser.Open(reply.URL) != nil { // none here, or it does not start: the person can do it
		return reply.URL, false, nil
	}
	return reply.Bare, true, nil
}

// ofAgent returns the page of a session for the agent that asked: opened for the person, where that can be done.
func (p pages) ofAgent(ctx context.Context, s queue.Session, open bool) (call.Page, error) {
	if open {
		link, opened, err := p.open(ctx, s.ID)
		if err != nil || opened {
			return call.Page{Bare: link, Opened: opened}, err
		}
	}
	reply, err := p.link(ctx, client.Request{Session: s.ID, Given: say.Who(s.Origin)}) // an agent without a name too
	return call.Page{Link: reply.URL, Bare: reply.Bare}, err
}
