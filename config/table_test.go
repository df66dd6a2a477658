package config

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func row(t *testing.T, key string) Row {
	t.Helper()
	row, _, ok := RowOf(key)
	require.True(t, ok, key)
	return row
}

// count returns how many values a struct of settings holds, those of the structs in it included.
func count(of reflect.Type) (n int) {
	for i := range of.NumField() {
		if field := of.Field(i).Type; field.Kind() == reflect.Struct {
			n += count(field)
		} else {
			n++
		}
	}
	return n
}

func TestEveryFieldOfTheSettingsHasItsOwnRow(t *testing.T) {
	var s Settings
	fields, keys, labels := map[any]bool{}, map[string]bool{}, map[string]bool{}
	for _, row := range Table {
		fields[row.at(&s)], keys[row.Key], labels[row.Label] = true, true, true
		require.NotEmpty(t, row.Help, row.Key)
	}
	require.Len(t, fields, count(reflect.TypeFor[Settings]()))
	require.Len(t, fields, len(Table))
	require.Len(t, keys, len(Table))
	require.Len(t, labels, len(Table))
}

func TestARowsKindFitsItsFieldAndItsDefaultIsOneItMayHave(t *testing.T) {
	types := map[Kind][]any{Flag: {new(bool)}, Choice: {new(string)}, Seconds: {new(int), new(*int)}, Port: {new(int)}, Text: {new(string)},
		HiddenOptions: {new([]HiddenOption)}, SecondsByName: {new(map[string]int)}, KeysByName: {new(map[string][]string)},
		PathsByName: {new(map[string]*string)}, TextByName: {new(map[string]string)}}
	for _, row := range Table {
		var s Settings
		at := reflect.TypeOf(row.at(&s))
		require.True(t, slices.ContainsFunc(types[row.Kind], func(a any) bool { return reflect.TypeOf(a) == at }), row.Key)
		require.Equal(t, row.Kind == Choice, len(row.Choices) > 0 && row.Kind != Text, row.Key)
		if standard := Default(); !row.byName() {
			require.True(t, row.set(&s, "", row.get(&standard)), row.Key)
		}
		require.NotEmpty(t, row.Wanted(""), row.Key)
	}
}

// forTheTerminal lists settings that no web page may set: they name a program, file, directory, address or key, are
// lists of names, or are on no settings page.
var forTheTerminal = []string{"hidden_options", "soft_limits", "remotes", "keys", "web.port", "approve_with_one_key", "queue", "queue_credentials", "queue_ca", "queue_bucket", "queue_replicas",
	"widen.backend", "widen.base_url", "widen.token_file", "widen.channel", "widen.paths",
	"native.watch", "attach_stay"}

func TestWhatNamesAProgramFileAddressOrKeyIsForTheTerminalOnly(t *testing.T) {
	for _, row := range Table {
		require.Equal(t, !slices.Contains(forTheTerminal, row.Key), row.PageMaySet(), row.Key)
		if row.Kind == Text && len(row.Choices) == 0 || row.Kind == KeysByName {
			require.False(t, row.OnPage, row.Key)
		}
	}
}

func TestAPageGivesATextOneOfItsChoicesAndNothingElse(t *testing.T) {
	for _, row := range Table {
		if row.Kind != Text {
			continue
		}
		for _, word := range append([]string{"", "/bin/sh", "auto /bin/sh", " auto", "AUTO", `"auto"`}, row.Choices...) {
			require.Equal(t, slices.Contains(row.Choices, word), row.PageMaySetTo(word), "%s %q", row.Key, word)
		}
	}
}

func TestASettingThatDoesNotSaySoIsForTheTerminalOnly(t *testing.T) {
	for _, kind := range []Kind{Flag, Choice, Seconds, Port, Text, HiddenOptions, SecondsByName, KeysByName, PathsByName, TextByName} {
		require.False(t, Row{Kind: kind}.PageMaySet())
	}
}

func TestEveryStepOfASettingIsAValueConfigTakes(t *testing.T) {
	for _, s := range Table {
		for _, n := range []int{1, -1} {
			settings := Default()
			for range 40 {
				next, why := s.Step(settings.Values()[s.Key], n)
				if why != "" {
					break
				}
				require.NoError(t, settings.Set(s.Key, next), "%s %s", s.Key, next)
			}
		}
	}
}

func TestSecondsStepOverALadderAndSayTheirEnds(t *testing.T) {
	for _, c := range []struct {
		key, from string
		n         int
		to, why   string
	}{
		{"timeout_seconds", "300", 1, "420", ""},
		{"timeout_seconds", "301", -1, "300", ""},
		{"timeout_seconds", "217", 1, "240", ""},
		{"timeout_seconds", "1", -1, "", "1 s is the least"},
		{"timeout_seconds", "86400", 1, "", "24 h is the limit"},
		{"notify.warn_seconds", "1", -1, "0", ""},
		{"timeout_override", "null", 1, "60", ""},
		{"timeout_override", "60", -1, "null", ""},
		{"timeout_override", "1", -1, "null", ""},
		{"timeout_override", "null", -1, "", "off is the least"},
		{"theme", `"mono"`, 1, `"auto"`, ""},
		{"theme", `"auto"`, -1, `"mono"`, ""},
		{"notify.desktop", `"notify-send"`, 1, `"off"`, ""},
		{"notify.bell", "true", -1, "false", ""},
		{"hidden_options", `[]`, 1, "", "a list: Enter shows it"},
	} {
		next, why := row(t, c.key).Step(json.RawMessage(c.from), c.n)
		require.Equal(t, c.to, string(next), "%s %s", c.key, c.from)
		require.Equal(t, c.why, why)
	}
}

func TestEveryValueThatIsOfferedIsTaken(t *testing.T) {
	for _, row := range Table {
		key := row.Key
		if row.byName() {
			key += ".claude-code"
		}
		for _, value := range row.Offered() {
			s := Default()
			require.NoError(t, s.SetTyped(key, value), "%s %s", key, value)
		}
		if row.Kind <= Seconds {
			require.NotEmpty(t, row.Offered(), row.Key)
		}
	}
}

func TestWhatIsSaidOfASettingIsRightOnEveryFrontend(t *testing.T) {
	for _, row := range Table {
		require.NotRegexp(t, `\bthis (dashboard|pane|page|screen|terminal|browser)\b`, row.About(), row.Key)
	}
}

func TestAHiddenOptionStandsInTheListOnceAndIsTakenOutWherever(t *testing.T) {
	a, b, other := HiddenOption{"codex", "a", "A"}, HiddenOption{"codex", "b", "B"}, HiddenOption{"claude-code", "a", "A"}
	for _, c := range []struct {
		list []HiddenOption
		hide bool
		want []HiddenOption
	}{
		{nil, true, []HiddenOption{a}},
		{[]HiddenOption{b, other}, true, []HiddenOption{b, other, a}},
		{[]HiddenOption{a, b}, true, []HiddenOption{b, a}},
		{[]HiddenOption{a, other, a}, false, []HiddenOption{other}},
		{[]HiddenOption{other}, false, []HiddenOption{other}},
		{nil, false, nil},
	} {
		was := slices.Clone(c.list)
		if got := SetHidden(c.list, a, c.hide); !slices.Equal(got, c.want) {
			t.Errorf("%v, hide %v: %v, want %v", c.list, c.hide, got, c.want)
		}
		if !slices.Equal(c.list, was) {
			t.Errorf("the list that came in is %v now, was %v", c.list, was)
		}
	}
}
