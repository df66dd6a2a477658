package call

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// Soft limits of clients that cut a call off, a little below where they do (docs/contract.md section 2).
const (
	softCodex  = 280 * time.Second
	softGemini = 570 * time.Second
	softOther  = 50 * time.Second
)

// Fill completes a request with the settings. Whether placeholder, notes and comments are shown is not among it: the
// form asks the settings when it is drawn, so that a person who changes them sees it in the questions that wait too.
func Fill(req dialect.Request, s config.Settings) queue.Ask {
	ask := req.Ask
	ask.Kind = queue.KindChoice // an approval is never a model's to create
	ask.TimeoutSeconds = timeout(req.Timeout, s)
	if req.Timeout != nil {
		ask.WaitsSeconds = *req.Timeout
	}
	ask.OnTimeout = queue.OnTimeoutNone
	if s.TimeoutAction == config.TimeoutDefaults {
		ask.OnTimeout = queue.OnTimeoutDefaults
	}
	ask.Questions = append([]queue.Question(nil), ask.Questions...)
	for i := range ask.Questions {
		q := &ask.Questions[i]
		if req.SingleSubmit == nil {
			q.SingleSubmit = s.SingleSubmitMode && q.Radio()
		}
	}
	return ask
}

// timeout returns the person's override, else the caller's wish, else the setting; never below the person's least.
func timeout(given *int, s config.Settings) int {
	seconds := s.TimeoutSeconds
	if given != nil {
		seconds = *given
	}
	if s.TimeoutOverride != nil {
		seconds = *s.TimeoutOverride
	}
	seconds = max(seconds, s.TimeoutLeastSeconds)
	return min(max(seconds, int(queue.MinTimeout/time.Second)), int(queue.MaxTimeout/time.Second))
}

// transport is the caller's, unless that is auto and the settings say what auto means.
func transport(wanted string, s config.Settings) string {
	if wanted == "" || wanted == dialect.TransportAuto {
		return s.Transport
	}
	return wanted
}

// softLimit returns how long a call of this client may block; 0 means without limit. A name in the settings covers all
// clients whose name begins with it. The longest such name wins, and 0 seconds there mean no limit.
func softLimit(s config.Settings, client string, progress bool) time.Duration {
	name := strings.ToLower(client)
	best, seconds := -1, 0
	for key, n := range s.SoftLimits {
		if strings.HasPrefix(name, strings.ToLower(key)) && len(key) > best {
			best, seconds = len(key), n
		}
	}
	switch {
	case best >= 0:
		return time.Duration(max(seconds, 0)) * time.Second
	case strings.HasPrefix(name, "codex"):
		return softCodex
	case strings.HasPrefix(name, "gemini"):
		return softGemini
	case progress && waitsOnProgress(name):
		return 0
	}
	return softOther
}

// waitsOnProgress reports whether progress keeps this client's call alive for as long as it takes.
func waitsOnProgress(name string) bool {
	return strings.HasPrefix(name, "claude-code") || strings.HasPrefix(name, "opencode") ||
		strings.Contains(name, "inspector")
}
