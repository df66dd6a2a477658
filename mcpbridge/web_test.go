package mcpbridge

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// browser plays the person's browser.
type browser struct {
	there  bool
	err    error
	opened []string
}

func (b *browser) page(_ context.Context, s queue.Session, open bool) (call.Page, error) {
	if b.err != nil {
		return call.Page{}, b.err
	}
	bare := "http://127.0.0.1:4711/choice/" + s.ID
	if open && b.there {
		b.opened = append(b.opened, s.ID)
		return call.Page{Bare: bare, Opened: true}, nil
	}
	return call.Page{Link: bare + "?t=once", Bare: bare}, nil
}

func (r *rig) startWithBrowser(b *browser) {
	r.start("mine", func(o *Options) { o.Page = b.page })
}

func TestAQuestionForTheWebIsOpenedInTheBrowserAndWaitsThere(t *testing.T) {
	for name, c := range map[string]struct{ set, fields string }{
		"the caller wants it":  {config.TransportAuto, `,"transport":"web"`},
		"the settings want it": {config.TransportWeb, ``},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.settings.Transport = c.set
				b := &browser{there: true}
				r.startWithBrowser(b)
				r.ask(1, c.fields)
				r.silent()
				s := r.only()
				require.Equal(t, []string{s.ID}, b.opened)
				require.True(t, s.Ask.Web)
				require.False(t, s.Ask.HandOff)
				time.Sleep(2 * time.Second)
				defer r.dashboard()() // the page is open
				time.Sleep(30 * time.Second)
				r.silent()
				_, err := r.q.Do(t.Context(), s.ID, queue.Command{ID: queue.NewToken(), By: queue.ByHuman,
					Surface: queue.SurfaceWeb, Do: queue.Settle{Answer: queue.Answer{
						Replies: []queue.Reply{{Question: s.Ask.Questions[0].ID, Selected: []string{"pg"}}}}}})
				require.NoError(t, err)
				got := r.result(1)
				require.Equal(t, "selected", got.structured()["action_status"])
				require.Equal(t, "web", got.selection()["transport"])
			})
		})
	}
}

func TestWhatWaitsInTheBrowserComesBackWithItsBareAddress(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		b := &browser{there: true}
		r.startWithBrowser(b)
		closed := r.dashboard()
		began := time.Now()
		r.ask(1, `,"transport":"web"`)
		got := r.result(1)
		require.Equal(t, 50*time.Second, time.Since(began))
		s := r.only()
		require.Equal(t, "pending_terminal_launch", got.structured()["action_status"])
		require.Equal(t, "http://127.0.0.1:4711/choice/"+s.ID, got.selection()["url"])
		require.Equal(t, "web", got.selection()["transport"])
		require.Contains(t, got.text(), "open in their browser")

		closed()
		r.poll(2, s.ID, `,"wait_seconds":0`)
		require.Equal(t, "http://127.0.0.1:4711/choice/"+s.ID, r.result(2).selection()["url"])
		r.ask(3, `,"transport":"web"`)
		got = r.result(3)
		require.Equal(t, s.ID, got.structured()["session_id"], "the same question goes on")
		require.Len(t, b.opened, 1, "and is not opened again")
	})
}

func TestAPageThatNeverComesUpGivesTheCallBackAfterTenSeconds(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.startWithBrowser(&browser{there: true})
		began := time.Now()
		r.ask(1, `,"transport":"web"`)
		require.Equal(t, "pending_terminal_launch", r.result(1).structured()["action_status"])
		require.Equal(t, 10*time.Second, time.Since(began))
	})
}

func TestWithoutABrowserTheAgentGetsTheLinkAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.startWithBrowser(&browser{})
		began := time.Now()
		r.ask(1, `,"transport":"web"`)
		got := r.result(1)
		require.Zero(t, time.Since(began))
		s := r.only()
		require.Equal(t, "pending_terminal_launch", got.structured()["action_status"])
		require.Equal(t, "http://127.0.0.1:4711/choice/"+s.ID+"?t=once", got.selection()["url"])
		require.Contains(t, got.selection()["summary"], "give them the link `http://127.0.0.1:4711/choice/"+s.ID+"?t=once`, which opens")
		require.Nil(t, s.Claim)
		require.False(t, s.Ask.HandOff)
		r.poll(2, s.ID, "")
		r.silent()
		r.answer(s.ID, "pg")
		require.Equal(t, "selected", r.result(2).structured()["action_status"])
	})
}

func TestWhereNoPageCanBeHadTheQuestionWaitsAsEveryOther(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.startWithBrowser(&browser{err: errors.New("no port is free")})
		began := time.Now()
		r.ask(1, `,"transport":"web"`)
		got := r.result(1)
		require.Equal(t, 10*time.Second, time.Since(began))
		require.Equal(t, "choicetui attach "+r.only().ID, got.selection()["url"])
	})
}

func TestNoLinkThatOpensNothingIsGivenToAnAgent(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("mine", func(o *Options) {
			o.Page = func(context.Context, queue.Session, bool) (call.Page, error) {
				return call.Page{Bare: "http://127.0.0.1:4711/choice/x"}, nil
			}
		})
		r.ask(1, `,"transport":"web"`)
		require.Equal(t, "choicetui attach "+r.only().ID, r.result(1).selection()["url"])
	})
}

func TestWithoutABrowserTheCallWaitsWhereSomebodyLooks(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.startWithBrowser(&browser{})
		defer r.dashboard()() // or a page
		r.ask(1, `,"transport":"web"`)
		r.silent()
		r.answer(r.only().ID, "pg")
		require.Equal(t, "selected", r.result(1).structured()["action_status"])
	})
}
