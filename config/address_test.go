package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATokenGoesOverTLSOrStaysOnThisMachine(t *testing.T) {
	for address, want := range map[string]bool{
		"https://saas.example": true, "https://saas.example:8443/base/": true, "http://127.0.0.1:8080": true,
		"http://[::1]:1": true, "http://localhost:9": true, "": true,
		"http://saas.example": false, "http://127.0.0.1.example": false, "http://localhost.example": false,
		"https://": false, "saas.example": false, "ftp://saas.example": false, "https://me:secret@saas.example": false,
		"https://saas.example?x": false, "https://saas.example/#a": false, "http://10.0.0.1": false,
	} {
		s := Default()
		assert.Equal(t, want, s.SetTyped("widen.base_url", address) == nil, address)
	}
}

func TestWhatAsksTheTeamIsRefusedInClearSentences(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"widen.backend", "teams", `widen.backend is "teams"; it must be one of off, http, slack`},
		{"widen.base_url", "http://saas.example", `widen.base_url is "http://saas.example"; it must be an address that ` +
			`begins with https:// (or http:// on this machine), without ?, # and a name to log in`},
		{"widen.token_file", "token", `widen.token_file is "token"; it must be the full path of a file, or one that begins with ~/`},
		{"widen.channel", "#general", `widen.channel is "#general"; it must be the id of a Slack channel, such as C0123456789`},
		{"widen.paths.widen", "null", `widen.paths.widen is "null"; it must be a path that begins with / and has {decision} ` +
			`in it, {mission} in that of audience; null for resolve and defer means that they are not called`},
		{"widen.paths.ask", "/x/{decision}", `widen.paths.ask is not a setting; it must be one of widen.paths.audience, ` +
			`widen.paths.widen, widen.paths.discussion, widen.paths.resolve, widen.paths.defer`},
	} {
		s := Default()
		var bad *Invalid
		require.ErrorAs(t, s.SetTyped(c.key, c.value), &bad, c.key)
		assert.Equal(t, c.want, bad.Problems[0].Words())
	}
}

func TestPathsOfTheTeamsServer(t *testing.T) {
	for _, c := range []struct {
		name, path string
		want       bool
	}{
		{"widen", `"/a/team/decision-points/{decision}/widen"`, true},
		{"audience", `"/missions/{mission}/audience-default"`, true},
		{"resolve", `null`, true},
		{"defer", `null`, true},
		{"discussion", `null`, false},
		{"widen", `"/decision-points/widen"`, false},
		{"audience", `"/missions/{decision}"`, false},
		{"widen", `"decision-points/{decision}"`, false},
		{"widen", `"/../{decision}"`, false},
		{"widen", `"/x?y={decision}"`, false},
		{"widen", `7`, false},
		{"fetch", `"/x/{decision}"`, false},
	} {
		s := Default()
		assert.Equal(t, c.want, s.Set("widen.paths."+c.name, json.RawMessage(c.path)) == nil, "%s %s", c.name, c.path)
	}
}

func TestAskingTheTeamIsReadFromTheFileAndWrittenBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"widen": {"backend": "http", "base_url": "https://saas.example",
  "token_file": "~/token", "paths": {"resolve": null, "widen": "/w/{decision}"}}}`), 0o600))
	f := Open(path)
	require.NoError(t, f.Err())
	w := f.Settings().Widen
	assert.Equal(t, WidenHTTP, w.Backend)
	assert.Equal(t, "/w/{decision}", *w.Paths[WidenCall])
	at, given := w.Paths[WidenResolve]
	assert.True(t, given)
	assert.Nil(t, at)
	require.NoError(t, f.Update(func(s *Settings) {
		require.NoError(t, s.Set("widen.paths.defer", json.RawMessage("null")))
		delete(s.Widen.Paths, WidenCall)
	}))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"defer": null`)
	assert.NotContains(t, string(text), `/w/`)
	assert.Equal(t, f.Settings(), Open(path).Settings())
}
