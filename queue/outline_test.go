package queue

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// endedWithTexts returns a session with texts that look like the document around them.
func endedWithTexts(text string) Session {
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	answer := Answer{Replies: []Reply{{Question: "q", Selected: []string{text}, Text: text}}, Comment: text}
	return Session{Schema: Schema, ID: "k7f3m2qx", Revision: 3, Key: text, AskedAt: at, Deadline: at.Add(time.Hour),
		Origin: Origin{Client: text, Cwd: text}, Ask: Ask{Kind: KindChoice, Title: text, Prompt: text,
			Questions: []Question{{ID: "q", Text: text, Options: []Option{{ID: text, Label: text}}}}},
		Claim: &Claim{Instance: text}, Widen: &Widened{State: WidenParked, ThreadURL: text}, Perhaps: text,
		Outcome: &Outcome{Status: StatusSelected, By: ByHuman, Reason: text, Answer: answer, Said: answer, At: at},
		Events:  []Event{{ID: "a", Kind: EventAsked, At: at}, {ID: "b", Kind: EventSettled, Detail: text, At: at.Add(time.Minute)}}}
}

func TestDecodeArchived_OutlineIsThatOfTheWholeSession(t *testing.T) {
	for _, text := range []string{"", "plain", `"`, `\`, `\"`, `\\"`, `{"outcome":null,"ask":{`, `]}]},`, "a\nb\tc", "\u2028é", "[{},{}]"} {
		for _, change := range []func(*Session){func(*Session) {}, func(s *Session) { s.Outcome, s.Widen, s.Claim = nil, nil, nil },
			func(s *Session) { s.Events = nil }, func(s *Session) { s.Ask.Kind, s.Ask.Questions = KindMessage, nil }} {
			s := endedWithTexts(text)
			change(&s)
			compact, err := EncodeSession(s)
			require.NoError(t, err)
			indented, err := json.MarshalIndent(s, "\r\n", "\t ")
			require.NoError(t, err)
			for _, raw := range [][]byte{compact, indented} {
				want, err := DecodeSession(raw, s.ID, s.Revision)
				require.NoError(t, err)
				got, err := DecodeArchived(raw, s.ID, Outline)
				require.NoError(t, err, "%s", raw)
				require.Equal(t, want.Outline(), got, "%s", raw)
			}
		}
	}
}

func TestDecodeArchived_NoOutlineOfWhatIsNoSession(t *testing.T) {
	s := endedWithTexts("text")
	whole, err := EncodeSession(s)
	require.NoError(t, err)
	for n := range whole {
		_, err := DecodeArchived(whole[:n], s.ID, Outline)
		require.Error(t, err, "%s", whole[:n])
	}
	for name, raw := range map[string]string{
		"another id": strings.Replace(string(whole), s.ID, "b4t7xw1e", 1), "more behind it": string(whole) + "{}",
		"nothing asked": strings.Replace(string(whole), `"questions":[{`, `"replies":[{`, 1), "a list": "[" + string(whole) + "]",
		"no object": `{"schema":1,"id":"k7f3m2qx","revision":3,"ask":[]}`, "no colon": `{"schema" 1}`, "empty": "", "bare": "{}",
	} {
		var bad *Unreadable
		_, err := DecodeArchived([]byte(raw), s.ID, Outline)
		require.ErrorAs(t, err, &bad, name)
	}
	s.Schema = Schema + 1
	newer, err := json.Marshal(s)
	require.NoError(t, err)
	v, err := DecodeArchived(newer, s.ID, Outline)
	require.NoError(t, err, "it is returned as far as it is understood")
	require.Equal(t, s.Origin.Client, v.Origin.Client)
}
