package mcpbridge

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

func TestHandOffReturnsAtOnceAndIsPolled(t *testing.T) {
	cases := map[string]struct {
		set    string
		fields string
		open   bool
	}{
		"the caller wants it":  {config.TransportAuto, `,"transport":"terminal"`, true},
		"the settings want it": {config.TransportTerminal, ``, true},
		"nobody is there":      {config.TransportAuto, `,"transport":"auto"`, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.settings.Transport = c.set
				if c.open {
					r.dashboard()
				}
				r.start("mine", func(o *Options) {
					o.AttachCommand = func(id string) string { return "ct attach " + id + " --queue /q" }
				})
				began := time.Now()
				r.ask(1, c.fields)
				got := r.result(1)
				require.Zero(t, time.Since(began))
				require.Equal(t, "pending_terminal_launch", got.structured()["action_status"])
				s := r.only()
				require.True(t, s.Ask.HandOff)
				require.Nil(t, s.Claim)
				require.Empty(t, s.Key)
				require.Equal(t, "ct attach "+s.ID+" --queue /q", got.selection()["url"])
				require.Contains(t, got.selection()["summary"], "works once")

				r.ask(2, c.fields)
				require.NotEqual(t, s.ID, r.result(2).structured()["session_id"], "a retry is a new ask")
				r.do(s.ID, queue.Attach{Instance: "form"})
				r.poll(3, s.ID, "")
				r.silent()
				r.answer(s.ID, "pg")
				require.Equal(t, "selected", r.result(3).structured()["action_status"])
			})
		})
	}
}

func TestAutoHandsOffTenSecondsAfterTheLastDashboardWent(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		closed := r.dashboard()
		r.start("mine")
		r.ask(1, "")
		s := r.only()
		time.Sleep(5 * time.Second)
		closed()
		time.Sleep(9 * time.Second)
		closed = r.dashboard()
		time.Sleep(9 * time.Second)
		r.silent()
		closed()
		began := time.Now()
		got := r.result(1)
		require.Equal(t, 10*time.Second, time.Since(began))
		require.Equal(t, "choicetui attach "+s.ID, got.selection()["url"])
		require.Nil(t, r.only().Claim)

		// The same ask joins it, and does not wait because no dashboard is open.
		began = time.Now()
		r.ask(2, "")
		got = r.result(2)
		require.Zero(t, time.Since(began))
		require.Equal(t, s.ID, got.structured()["session_id"])
	})
}

func TestAnOpenFormKeepsAnAutoCallWaiting(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		closed := r.dashboard()
		r.start("mine")
		r.ask(1, "")
		s := r.only()
		form, err := r.store.Announce(t.Context(), queue.Presence{Instance: "form", Role: queue.RoleAttach})
		require.NoError(t, err)
		r.do(s.ID, queue.Attach{Instance: "form"})
		closed()
		time.Sleep(20 * time.Second)
		r.silent()
		form()
		require.Equal(t, "pending_terminal_launch", r.result(1).structured()["action_status"])
	})
}

func TestSettingsAgainstTheCaller(t *testing.T) {
	sixty := 60
	for name, c := range map[string]struct {
		set    func(*config.Settings)
		fields string
		check  func(*testing.T, queue.Ask)
	}{
		"timeout by default":          {nil, ``, func(t *testing.T, a queue.Ask) { require.Equal(t, 300, a.TimeoutSeconds) }},
		"the caller's timeout":        {nil, `,"timeout_seconds":9`, func(t *testing.T, a queue.Ask) { require.Equal(t, 9, a.TimeoutSeconds) }},
		"override beats the caller":   {func(s *config.Settings) { s.TimeoutOverride = &sixty }, `,"timeout_seconds":9`, func(t *testing.T, a queue.Ask) { require.Equal(t, 60, a.TimeoutSeconds) }},
		"a broken setting is bounded": {func(s *config.Settings) { s.TimeoutSeconds = 1e6 }, ``, func(t *testing.T, a queue.Ask) { require.Equal(t, 86400, a.TimeoutSeconds) }},
		"annotations off is not kept": {func(s *config.Settings) { s.AnnotationsEnabled = false }, `,"annotations_enabled":true`, func(t *testing.T, a queue.Ask) { require.True(t, a.Annotates(), "on again, the form offers them") }},
		"annotations on leaves it":    {nil, `,"annotations_enabled":false`, func(t *testing.T, a queue.Ask) { require.False(t, a.Annotates()) }},
		"single submit by setting":    {func(s *config.Settings) { s.SingleSubmitMode = true }, ``, func(t *testing.T, a queue.Ask) { require.True(t, a.Questions[0].SingleSubmit) }},
		"single submit by the caller": {func(s *config.Settings) { s.SingleSubmitMode = true }, `,"single_submit_mode":false`, func(t *testing.T, a queue.Ask) { require.False(t, a.Questions[0].SingleSubmit) }},
		"single submit where it fits": {func(s *config.Settings) { s.SingleSubmitMode = true }, `,"selection_mode":"multi"`, func(t *testing.T, a queue.Ask) { require.False(t, a.Questions[0].SingleSubmit) }},
		"timeout action is frozen":    {func(s *config.Settings) { s.TimeoutAction = config.TimeoutDefaults }, ``, func(t *testing.T, a queue.Ask) { require.Equal(t, queue.OnTimeoutDefaults, a.OnTimeout) }},
		"placeholder off is not kept": {func(s *config.Settings) { s.PlaceholderVisible = false }, `,"selection_mode":"hybrid","placeholder":"x"`, func(t *testing.T, a queue.Ask) { require.Equal(t, "x", a.Questions[0].Placeholder) }},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				if c.set != nil {
					c.set(&r.settings)
				}
				r.start("mine")
				fields := single + c.fields
				if strings.Contains(c.fields, "selection_mode") {
					fields = `"title":"T","prompt":"P","options":[{"id":"a","recommended":true}]` + c.fields
				}
				r.call(1, fields, "")
				r.result(1)
				c.check(t, r.only().Ask)
			})
		})
	}
}
