package prompt

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// oneField returns the only field of a form, n, as its schema has it.
func oneField(t *testing.T, property, required string) (queue.Question, queue.Unfit) {
	t.Helper()
	schema, ok := wire.Read([]byte(`{"type":"object","properties":{"n":` + property + `},"required":[` + required + `]}`))
	require.True(t, ok)
	fields, why := ReadSchema(schema)
	if why != "" {
		return queue.Question{}, why
	}
	return fields[0].question, ""
}

func TestAFieldWithoutADefaultStartsEmpty(t *testing.T) {
	t.Parallel()
	const enum, several = `{"type":"string","enum":["a","b"]`, `{"type":"array","items":{"type":"string","enum":["a","b"]}`
	for name, c := range map[string]struct {
		property, required string
		defaults           []string
		empty              bool
	}{
		"optional boolean":              {`{"type":"boolean"}`, "", []string{leaveOut}, false},
		"optional enum":                 {enum + `}`, "", []string{leaveOut}, false},
		"optional boolean, own default": {`{"type":"boolean","default":false}`, "", []string{"2"}, false},
		"optional enum, own default":    {enum + `,"default":"b"}`, "", []string{"2"}, false},
		"required boolean":              {`{"type":"boolean"}`, `"n"`, nil, true},
		"required enum":                 {enum + `}`, `"n"`, nil, true},
		"required boolean, own default": {`{"type":"boolean","default":true}`, `"n"`, []string{"1"}, false},
		"required enum, own default":    {enum + `,"default":"b"}`, `"n"`, []string{"2"}, false},
		"exactly one of a list":         {several + `,"minItems":1,"maxItems":1}`, `"n"`, nil, true},
		"some of a list":                {several + `,"minItems":1}`, `"n"`, nil, false},
		"required text":                 {`{"type":"string"}`, `"n"`, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q, why := oneField(t, c.property, c.required)
			require.Empty(t, why)
			require.Equal(t, c.defaults, q.Defaults)
			require.Equal(t, c.empty, q.StartsEmpty)
		})
	}
}

func TestASecretIsKnownByItsKindAndItsName(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		property string
		want     queue.Unfit
	}{
		"how many tokens":     {`{"type":"integer","title":"Max tokens"}`, ""},
		"a limit of tokens":   {`{"type":"number","title":"Token limit"}`, ""},
		"whether to keep one": {`{"type":"boolean","title":"Remember the password"}`, ""},
		"a PIN":               {`{"type":"integer","title":"PIN"}`, queue.UnfitSecret},
		"a token":             {`{"type":"string","title":"Token"}`, queue.UnfitSecret},
		"of a format":         {`{"type":"string","title":"Word","format":"password"}`, queue.UnfitSecret},
		"German":              {`{"type":"string","title":"Dein Kennwort"}`, queue.UnfitSecret},
		"German, otherwise":   {`{"type":"string","title":"Passwort"}`, queue.UnfitSecret},
		"Spanish":             {`{"type":"string","title":"Contraseña"}`, queue.UnfitSecret},
		"French":              {`{"type":"string","title":"Mot de passe"}`, queue.UnfitSecret},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, why := oneField(t, c.property, `"n"`)
			require.Equal(t, c.want, why)
		})
	}
}
