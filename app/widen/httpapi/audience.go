package httpapi

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/choicetui/choicetui/queue"
	rules "github.com/choicetui/choicetui/queue/widen"
)

// userID is somebody's id, which some servers write as a number.
type userID string

// UnmarshalJSON reads a text or a number.
func (u *userID) UnmarshalJSON(raw []byte) error {
	var n json.Number
	if err := json.Unmarshal(raw, &n); err == nil && !bytes.HasPrefix(raw, []byte(`"`)) {
		*u = userID(n)
		return nil
	}
	return json.Unmarshal(raw, (*string)(u))
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
		one := queue.Member{UserID: string(m.UserID), Name: rules.Name(m.Name)}
		if one.UserID != "" && !slices.Contains(all, one) {
			all = append(all, one)
		}
		if len(all) == queue.MaxTeam {
			break
		}
	}
	return all, nil
}
