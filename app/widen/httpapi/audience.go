package httpapi

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/choicetui/choicetui/queue"
	rules "github.com/choicetui/choicetui/queue/widen"
)

// userID is somebody's id, which some servers write as a number: it goes back as it came.
type userID struct {
	text   string
	number bool
}

// UnmarshalJSON reads a text or a number.
func (u *userID) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte(`"`)) {
		return json.Unmarshal(raw, &u.text)
	}
	var n json.Number // no float: a long one keeps all its digits
	err := json.Unmarshal(raw, &n)
	u.text, u.number = n.String(), n != ""
	return err
}

// MarshalJSON writes what UnmarshalJSON read.
func (u userID) MarshalJSON() ([]byte, error) {
	if u.number && json.Valid([]byte(u.text)) {
		return json.Marshal(json.Number(u.text))
	}
	return json.Marshal(u.text)
}

// readAudience reads who is asked by default, with names that can be shown. Who has no id cannot be asked.
func (b *Backend) readAudience(raw []byte) ([]queue.Member, error) {
	var given struct {
		Members *[]struct {
			UserID userID `json:"user_id"`
			Name   string `json:"display_name"`
		} `json:"members"`
	}
	if err := json.Unmarshal(raw, &given); err != nil || given.Members == nil {
		return nil, b.garbled("members", err)
	}
	var all []queue.Member
	for _, m := range *given.Members {
		one := queue.Member{UserID: m.UserID.text, NumericID: m.UserID.number, Name: rules.Name(m.Name)}
		if one.UserID != "" && !slices.Contains(all, one) {
			all = append(all, one)
		}
		if len(all) == queue.MaxTeam {
			break
		}
	}
	return all, nil
}
