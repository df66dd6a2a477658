package door

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// everyWayIn lists the requests that a stranger may try.
var everyWayIn = []struct{ method, path string }{
	{"GET", "/"}, {"HEAD", "/"}, {"GET", "/choice/k7f3m2qx"}, {"GET", "/assets/page.js"}, {"GET", "/page.js"}, {"GET", "/live"}, {"POST", "/enter"},
	{"GET", "/enter"}, {"POST", "/"}, {"GET", "/nothing"}, {"GET", "/choice/../x"}, {"DELETE", "/choice/k7f3m2qx"},
	{"OPTIONS", "/"}, {"GET", "/control/devices"}, {"POST", "/control/link"}, {"POST", "/control/yield"},
}

func TestAStrangerGets401EverywhereWithTheWayToALink(t *testing.T) {
	r := newRig(t)
	for _, in := range everyWayIn {
		a := r.browser().send(in.method, in.path, `{"token":"x"}`, "Content-Type", "application/json")
		assert.Equal(t, http.StatusUnauthorized, a.status, in)
		if in.method != "HEAD" && !strings.HasPrefix(in.path, "/control") {
			assert.Contains(t, a.body, "choicetui web", in)
		}
	}
	page := r.browser().get("/choice/k7f3m2qx?t=wrong", "Accept", "text/html")
	assert.Equal(t, http.StatusUnauthorized, page.status)
	assert.Contains(t, page.header.Get("Content-Type"), "text/html")
}

func TestANameThatWasMadeToMeanThisMachineIsServedNothing(t *testing.T) {
	r := newRig(t)
	b := r.entered()
	port := r.here.port
	for _, host := range []string{"evil.example:" + port, "evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.:" + port,
		"127.0.0.1.evil.example:" + port, "0.0.0.0:" + port, "2130706433:" + port, "[::ffff:127.0.0.1]:" + port} {
		for _, headers := range [][]string{{"Host", host}, {"Host", host, "Origin", "http://" + host},
			{"Host", host, "Origin", "http://" + host, "Sec-Fetch-Site", "same-origin"}} {
			for _, in := range everyWayIn {
				assert.Equal(t, http.StatusForbidden, b.send(in.method, in.path, "", headers...).status, "%s %v", host, in)
			}
			_, status := b.dial(headers...)
			assert.Equal(t, http.StatusForbidden, status, "not upgraded: %s", host)
			token := r.Link("")
			assert.Equal(t, http.StatusForbidden, b.copied().enter(token, headers...).status)
			assert.Equal(t, http.StatusOK, r.browser().enter(token).status, "and nothing was used up")
		}
	}
	for _, host := range []string{"127.0.0.1:" + port, "localhost:" + port, "LOCALHOST:" + port, "[::1]:" + port} {
		assert.Equal(t, http.StatusOK, b.get("/", "Host", host).status, host)
	}
}

// A proxy in front of the loopback page would give everybody who reaches it this machine's rights.
func TestARequestThatAProxyPassedOnIsServedNothing(t *testing.T) {
	r := newRig(t)
	b := r.entered()
	for _, header := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-IP",
		"Tailscale-User-Login", "Via", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP", "X-Cluster-Client-Ip",
		"X-Original-Host", "Fly-Client-IP", "CDN-Loop", "X-Envoy-External-Address", "Client-IP", "Ngrok-Trace-Id",
		"X-Forwarded", "X_Forwarded_For", "X-Rewrite-URL", "X-ProxyUser-Ip"} {
		for _, in := range everyWayIn {
			assert.Equal(t, http.StatusForbidden, b.send(in.method, in.path, "", header, "x").status, "%s %v", header, in)
		}
		_, status := b.dial(header, "x")
		assert.Equal(t, http.StatusForbidden, status, "not upgraded: %s", header)
	}
	_, status := b.dial("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
	assert.Equal(t, http.StatusForbidden, status, "a link leads to a page, not to a socket")
	assert.Equal(t, http.StatusOK, b.get("/").status)
}

func TestPagesOfOtherOriginsAreServedNothing(t *testing.T) {
	r := newRig(t)
	b := r.entered()
	ours := "http://127.0.0.1:" + r.here.port
	for _, headers := range [][]string{
		{"Origin", "http://evil.example"}, {"Origin", "null"}, {"Origin", "http://127.0.0.1:1"}, {"Origin", ""},
		{"Origin", "https://127.0.0.1:" + r.here.port}, {"Origin", "http://localhost:" + r.here.port},
		{"Origin", ours + ".evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
		{"Origin", ours, "Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"},
		{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"},
	} {
		for _, in := range everyWayIn {
			assert.Equal(t, http.StatusForbidden, b.send(in.method, in.path, "", headers...).status, "%v %v", headers, in)
		}
		_, status := b.dial(headers...)
		assert.Equal(t, http.StatusForbidden, status, "not upgraded: %v", headers)
	}
	conn, status := b.dial("Origin", ours, "Sec-Fetch-Site", "same-origin")
	require.Equal(t, http.StatusSwitchingProtocols, status)
	echo(b, conn)
	link := []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}
	assert.Equal(t, http.StatusOK, b.get("/", link...).status, "a link in another page leads here")
	assert.Equal(t, http.StatusForbidden, b.send("POST", "/enter", "{}", link...).status, "and does nothing else")
}

func TestATokenIsUsedUpOnceAndByPOSTAlone(t *testing.T) {
	r := newRig(t)
	s := r.ask()
	link := r.Link(s.ID)
	require.Greater(t, len(tokenIn(link)), 42, "43 of 64 characters are 256 bits")
	preview := r.browser()
	for range 3 {
		a := preview.get(strings.TrimPrefix(link, preview.base))
		require.Equal(t, http.StatusOK, a.status)
		require.Equal(t, "the empty page", a.body)
	}
	require.Equal(t, http.StatusUnauthorized, preview.get("/").status, "a preview is not let in")
	_, status := preview.dial()
	require.Equal(t, http.StatusUnauthorized, status)

	b := r.browser()
	a := b.enter(link)
	require.Equal(t, http.StatusOK, a.status)
	require.Contains(t, a.body, `"path":"/choice/`+s.ID+`"`)
	require.Equal(t, http.StatusUnauthorized, r.browser().enter(link).status)
	require.Equal(t, http.StatusUnauthorized, r.browser().get("/?t="+tokenIn(link)).status)
	require.Equal(t, "the empty page", b.get("/").body)
	b.page()
}

func TestOfManyThatComeWithOneTokenOneIsLetIn(t *testing.T) {
	r := newRig(t)
	link := r.Link("")
	in := make(chan int)
	for range 8 {
		b := r.browser()
		go func() { in <- b.enter(link).status }()
	}
	all := map[int]int{}
	for range 8 {
		all[<-in]++
	}
	require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusUnauthorized: 7}, all)
}

func TestATokenEndsAfterAMinuteAndAGivenOneWithItsQuestion(t *testing.T) {
	r := newRig(t)
	s := r.ask()
	own := r.Link(s.ID)
	given, err := r.GivenLink(t.Context(), s.ID, "claude")
	require.NoError(t, err)
	again, err := r.GivenLink(t.Context(), s.ID, "claude")
	require.NoError(t, err)
	r.clock.pass(61 * time.Second)
	require.Equal(t, http.StatusUnauthorized, r.browser().enter(own).status)
	_, err = r.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Move{By: 10 * time.Minute}})
	require.NoError(t, err)
	r.clock.pass(10 * time.Minute)
	require.Equal(t, http.StatusOK, r.browser().enter(given).status, "its deadline was moved, so it waits")
	r.clock.pass(time.Hour)
	require.Equal(t, http.StatusUnauthorized, r.browser().enter(again).status)
	require.Equal(t, http.StatusUnauthorized, r.browser().get("/choice/"+s.ID+"?t="+tokenIn(again)).status)
}

func TestTheCookieIsPerPortAndNoScriptReadsIt(t *testing.T) {
	r := newRig(t)
	b := r.browser()
	a := b.enter(r.Link(""))
	require.NotContains(t, a.body, b.cookies["choicetui-"+r.here.port])
	require.Contains(t, a.header.Values("Set-Cookie")[0], "choicetui-"+r.here.port+"=")
	for _, want := range []string{"Path=/", "HttpOnly", "SameSite=Strict"} {
		require.Contains(t, a.header.Values("Set-Cookie")[0], want)
	}
}

func TestAStolenCookieGetsTheEmptyPageAndNothingElse(t *testing.T) {
	r := newRig(t)
	b, other := r.entered(), r.entered()
	b.page()
	thief := b.copied()
	for _, secret := range []string{"", "x", other.secret} {
		thief.secret = secret
		_, status := thief.dial()
		require.Equal(t, http.StatusUnauthorized, status)
	}
	require.Equal(t, "the empty page", thief.get("/").body)
	require.Equal(t, http.StatusForbidden, thief.send("POST", "/control/link", "{}").status, "it is no way to /control")
	alone := r.browser()
	alone.secret = b.secret
	_, status := alone.dial()
	require.Equal(t, http.StatusUnauthorized, status, "nor is the secret enough")
	require.Equal(t, http.StatusUnauthorized, alone.get("/").status)
}

func TestAWebSessionEndsAfterTwelveHoursWithoutUse(t *testing.T) {
	r := newRig(t)
	b, idle := r.entered(), r.entered()
	conn := b.page()
	for range 3 {
		r.clock.pass(11 * time.Hour)
		echo(b, conn)
	}
	_, status := idle.dial()
	require.Equal(t, http.StatusUnauthorized, status)
	require.Equal(t, http.StatusUnauthorized, idle.get("/").status)
	r.clock.pass(12*time.Hour + time.Second)
	_, status = b.copied().dial()
	require.Equal(t, http.StatusUnauthorized, status)
	require.True(t, over(t, conn), "an open page ends with it")
}

func TestEveryResponseForbidsWhatAPageDoesNotNeed(t *testing.T) {
	r := newRig(t)
	b := r.entered()
	for _, a := range []answer{b.get("/"), b.get("/assets/x"), b.get("/nothing"), r.browser().get("/"),
		b.get("/", "Host", "evil"), b.get("/", "Origin", "null"), b.send("POST", "/", ""), r.browser().get("/control/devices")} {
		csp := a.header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "connect-src 'self'",
			"img-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"} {
			assert.Contains(t, csp, want)
		}
		assert.NotContains(t, csp, "unsafe")
		assert.NotContains(t, csp, "evil")
		for name, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": ""} {
			assert.Equal(t, want, a.header.Get(name), name)
		}
	}
}

func TestABodyIsBounded(t *testing.T) {
	r := newRig(t)
	large := `{"token":"` + strings.Repeat("x", mostBody) + `"}`
	a := r.browser().send("POST", "/enter", large, "Content-Type", "application/json")
	require.Equal(t, http.StatusRequestEntityTooLarge, a.status)
	require.Equal(t, http.StatusUnsupportedMediaType, r.browser().send("POST", "/enter", "{}", "Content-Type", "text/plain").status,
		"what a form of another page could send")
	require.Equal(t, http.StatusBadRequest, r.browser().send("POST", "/enter", "[", "Content-Type", "application/json").status)
}

func TestGuessingIsSlowedAndKeepsNobodyOut(t *testing.T) {
	r := newRig(t)
	for range mostWrong {
		require.Equal(t, http.StatusUnauthorized, r.browser().enter("?t=wrong").status)
	}
	require.Equal(t, http.StatusTooManyRequests, r.browser().enter("?t=wrong").status)
	require.Equal(t, http.StatusOK, r.browser().enter(r.Link("")).status)
	for range mostKnocks {
		r.browser().get("/")
	}
	require.Equal(t, http.StatusTooManyRequests, r.browser().get("/").status)
	require.Equal(t, http.StatusOK, r.browser().get("/?t="+tokenIn(r.Link(""))).status)
	require.Equal(t, http.StatusOK, r.entered().get("/").status)
	r.clock.pass(time.Minute)
	require.Equal(t, http.StatusUnauthorized, r.browser().get("/").status)
	require.Equal(t, http.StatusUnauthorized, r.browser().enter("?t=wrong").status)
}

func TestTooManyOpenPagesAreRefused(t *testing.T) {
	r := newRig(t)
	b := r.entered()
	for range mostPages {
		_, leave, err := r.access.admit([]string{b.cookies["choicetui-"+r.here.port]}, b.secret, false, func() {})
		require.NoError(t, err)
		defer leave()
	}
	_, status := b.dial()
	require.Equal(t, http.StatusTooManyRequests, status)
}

func TestALinkThatAnAgentIsGivenOpensItsQuestionAlone(t *testing.T) {
	r := newRig(t)
	s := r.ask()
	link, err := r.GivenLink(t.Context(), s.ID, "claude")
	require.NoError(t, err)
	own := r.entered()
	b := own.copied()
	require.Equal(t, http.StatusOK, b.enter(link).status)
	require.Equal(t, s.ID, b.only)
	b.page()
	g := r.pages.last()
	require.Equal(t, s.ID, g.Question)
	require.Equal(t, "claude", g.Agent)
	require.False(t, g.MaySettings())
	require.False(t, g.MayList())
	b.secret = own.secret
	b.page()
	require.Equal(t, RightsAll, r.pages.last().May, "the person's own page in the same browser stays what it was")
}

func TestLinksThatAgentsAreGivenThrowNoPageOfThePersonsOut(t *testing.T) {
	r := newRig(t)
	own := r.entered()
	open, status := own.dial()
	require.Equal(t, http.StatusSwitchingProtocols, status)
	var last *jar
	for range 210 {
		r.clock.pass(time.Second)
		link, err := r.GivenLink(t.Context(), r.ask().ID, "claude")
		require.NoError(t, err)
		last = r.browser()
		require.Equal(t, http.StatusOK, last.enter(link).status)
	}
	require.NoError(t, open.Write(t.Context(), websocket.MessageText, []byte("x")))
	_, _, err := open.Read(t.Context())
	require.NoError(t, err, "the page is open")
	own.page()
	last.page()
	given := 0
	for _, s := range r.access.kept.Sessions {
		if s.May == RightsQuestion {
			given++
		}
	}
	require.Equal(t, 20, given)
}

func TestNoLinkToAnApprovalOrAConfirmationIsGiven(t *testing.T) {
	r := newRig(t)
	for _, change := range []func(*queue.Ask){
		func(a *queue.Ask) { a.Confirm = true },
		func(a *queue.Ask) { a.Kind = queue.KindApproval },
	} {
		s := r.ask(change)
		_, err := r.GivenLink(t.Context(), s.ID, "claude")
		require.ErrorIs(t, err, ErrNotGivable)
		require.False(t, Session{May: RightsQuestion, Question: s.ID}.MayOpen(s))
		require.True(t, Session{May: RightsAll}.MayOpen(s))
	}
	one, other := r.ask(), r.ask()
	require.True(t, Session{May: RightsQuestion, Question: one.ID}.MayOpen(one))
	require.False(t, Session{May: RightsQuestion, Question: one.ID}.MayOpen(other))
	_, err := r.GivenLink(t.Context(), "zzzzzzzz", "claude")
	require.ErrorIs(t, err, queue.ErrNotFound)
}
