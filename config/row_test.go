package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATypedValueIsTakenAsAPersonMeansIt(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{"transport", "terminal", `"terminal"`},
		{"timeout_seconds", "42", `42`},
		{"timeout_seconds", "5m", `300`},
		{"timeout_seconds", " 1h30m ", `5400`},
		{"timeout_override", "90", `90`},
		{"timeout_override", "off", `null`},
		{"timeout_override", "", `null`},
		{"notify.warn_seconds", "off", `0`},
		{"peek", "off", `false`},
		{"peek", "yes", `true`},
		{"notify.desktop", "off", `"off"`},
		{"notify.desktop", "echo -u low", `"echo -u low"`},
		{"notify.desktop", "true", `"true"`},
		{"queue", "~/q", `"~/q"`},
		{"queue", "", `""`},
		{"soft_limits.codex", "4m", `{"codex":240}`},
		{"keys.note", "N", `{"note":["N"]}`},
		{"keys.note", "1", `{"note":["1"]}`},
		{"keys.note", `["N","f2"]`, `{"note":["N","f2"]}`},
		{"keys.note", "", `{"note":[]}`},
		{"hidden_options", `[{"client":"c","id":"i","label":"l"}]`, `[{"client":"c","id":"i","label":"l"}]`},
	} {
		s := Default()
		require.NoError(t, s.SetTyped(c.key, c.text), "%s %q", c.key, c.text)
		top, _, _ := RowOf(c.key)
		if values := s.Values(); values[c.key] != nil {
			assert.JSONEq(t, c.want, string(values[c.key]), "%s %q", c.key, c.text)
		} else {
			assert.JSONEq(t, c.want, string(values[top.Key]), "%s %q", c.key, c.text)
		}
	}
}

func TestAWrongTypedValueChangesNothingAndSaysWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{"timeout_seconds", "0", `timeout_seconds is "0"; it must be 1 s to 24 h, such as 300, 90m or 2h`},
		{"timeout_seconds", "1500ms", `timeout_seconds is "1500ms"; it must be 1 s to 24 h, such as 300, 90m or 2h`},
		{"timeout_override", "25h", `timeout_override is "25h"; it must be off, or 1 s to 24 h, such as 300, 90m or 2h`},
		{"soft_limits.codex", "25h", `soft_limits.codex is "25h"; it must be 0 s to 24 h, such as 300, 90m or 2h`},
		{"transport", "post", `transport is "post"; it must be one of auto, terminal, web`},
		{"queue", "http://q", `queue is "http://q"; it must be a directory, or nats://HOST:PORT or tls://HOST:PORT`},
		{"queue", "nats://q@h", `queue is an address with a name or a password in it; it must be nats://HOST:PORT or ` +
			`tls://HOST:PORT; what you log in with goes into the file that queue_credentials names`},
		{"queue", "nats:localhost:4222", `queue is "nats:localhost:4222"; it must be nats://localhost:4222`},
		{"queue", "nats//localhost", `queue is "nats//localhost"; it must be nats://localhost`},
		{"queue", "TLS:/q:4222", `queue is "TLS:/q:4222"; it must be tls://q:4222`},
		{"queue", "localhost:4222", `queue is "localhost:4222"; it must be nats://localhost:4222`},
		{"notify.desktop", "bogus -x", `notify.desktop is "bogus -x"; it must be "off", "auto" or a command that is installed here`},
		{"queue_bucket", "a.b", `queue_bucket is "a.b"; it must be letters, digits, - and _`},
		{"widen", `{"a": 1}`, "widen is not a setting"},
		{"theme", "", `theme is empty; it must be one of auto, dark, light, mono`},
		{"keys.cancel", "", `keys.cancel is empty; it must be a key, a list of keys, or "" for none (cancel and enter need one)`},
		{"keys.enter", "", `keys.enter is empty; it must be a key, a list of keys, or "" for none (cancel and enter need one)`},
		{"keys", "x", `keys is "x"; it must be set one by one: keys.NAME`},
	} {
		s := Default()
		err := s.SetTyped(c.key, c.text)
		var bad *Invalid
		require.ErrorAs(t, err, &bad, c.key)
		assert.Equal(t, c.want, bad.Problems[0].Words())
		assert.Equal(t, Default(), s)
	}
	var bad *Invalid
	s := Default()
	require.ErrorAs(t, s.SetTyped("notify", "x"), &bad)
	assert.Contains(t, bad.Problems[0].Words(), "notify is not a setting")
}

func TestALoginInAnAddressIsNeverRepeated(t *testing.T) {
	for _, text := range []string{`tls://ana:geheim@h:4222`, `ana:geheim@h`, `nats:ana:geheim@h`, `nats//geheim@h`,
		`nats://a,tls://geheim@h`, `tls://ana:ge/geheim@h`, `http://geheim@h`, `["tls://geheim@h"]`} {
		s := Default()
		err := s.SetTyped("queue", text)
		require.Error(t, err, text)
		require.NotContains(t, err.Error(), "geheim")
		require.NotContains(t, err.Error(), "ana")
	}
	for _, text := range []string{`{"queue": "tls://ana:geheim@h"}`, `{"queue": "tls:\/\/ana:geheim\u0040h"}`,
		`{"queue": {"url": "tls://ana:geheim@h"}}`, `{"widen": {"base_url": "https://ana:geheim@h"}}`,
		`{"qeue": "tls://ana:geheim@h"}`, `{"qeue": "tls://ana:geheim\u0040h"}`} {
		r := parseText("config.json", []byte(text))
		if r.wrong != nil {
			require.NotContains(t, r.wrong.Error(), "geheim", text)
		}
		for _, v := range r.values() {
			require.NotContains(t, string(v.Value), "geheim", text)
		}
	}
}

func TestADirectoryMayHaveAnyNameThatIsNoAddress(t *testing.T) {
	for _, name := range []string{"q", "/srv/a@b:c/q", "./nats:x", "~/q:1", "../ana:x@y", "natsy", "q@home", "nats", "a:b"} {
		s := Default()
		require.NoError(t, s.SetTyped("queue", name), name)
		require.Equal(t, name, s.Queue)
	}
}

func TestASettingThatCannotBeUsedIsToldFromOneThatWasNotGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	for text, want := range map[string]string{
		`{}`: "", `{"theme": "pink"}`: "", `{"queue": "/a", "queue": "/b"}`: "", `{"queue": "q"}`: "",
		`{"queue": "nats:q"}`: "queue is", `{"queue": 5}`: "queue is 5", `{"queue_bucket": "a.b"}`: "queue_bucket is",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		err := Open(path).Unusable("queue", "queue_bucket")
		if want == "" {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}

func TestValuesSetAgainGiveTheSameSettings(t *testing.T) {
	s := Default()
	override := 7
	s.TimeoutOverride, s.Theme, s.Notify.Bell = &override, "mono", false
	s.HiddenOptions = []HiddenOption{{"c", "i", "l"}}
	again := Default()
	for key, raw := range s.Values() {
		switch key {
		case "keys", "remotes", "soft_limits", "widen.paths":
			continue
		}
		require.NoError(t, again.Set(key, raw), key)
	}
	require.Equal(t, s, again)
	require.Error(t, again.Set("theme", json.RawMessage("mono")), "no JSON")
}

func TestUnsetTakesOneSettingOutAndLeavesTheRestAsItIs(t *testing.T) {
	for _, c := range []struct{ name, before, key, after string }{
		{"among others", "{\n  // mine\n  \"theme\": \"dark\",\n  \"timeout_seconds\": 7,\n  \"mine\": 1\n}\n", "timeout_seconds", ""},
		{"among others", "{\n  \"theme\": \"dark\",\n  \"timeout_seconds\": 7,\n  \"mine\": 1\n}\n", "timeout_seconds", "{\n  \"theme\": \"dark\",\n  \"mine\": 1\n}\n"},
		{"not there", "{\"theme\": \"dark\"}", "timeout_seconds", "{\"theme\": \"dark\"}"},
		{"nested", "{\"notify\": {\"bell\": false, \"warn_seconds\": 9}}", "notify.bell", "{\"notify\": {\"warn_seconds\": 9}}"},
		{"the last of an object", "{\"theme\": \"dark\", \"notify\": {\"bell\": false}}", "notify.bell", "{\"theme\": \"dark\"}"},
		{"no file", "", "timeout_seconds", ""},
	} {
		path := filepath.Join(t.TempDir(), "config.json")
		if c.before != "" {
			require.NoError(t, os.WriteFile(path, []byte(c.before), 0o600))
		}
		f := Open(path)
		err := f.Unset(c.key)
		got, _ := os.ReadFile(path)
		if c.before != "" && c.after == "" {
			require.Error(t, err, "a broken file is left alone")
			require.Equal(t, c.before, string(got))
			continue
		}
		require.NoError(t, err, c.name)
		require.Equal(t, c.after, string(got), c.name)
		require.Equal(t, Default().TimeoutSeconds, f.Settings().TimeoutSeconds)
	}
}
