package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	askWithin = 5 * time.Second
	mostList  = 1 << 20 // bytes of a list of devices
)

// Refused is the error of a request that the portal refused.
type Refused struct {
	Status int // the HTTP status
	Why    string
}

func (r *Refused) Error() string { return r.Why }

// Ask sends a request to the path what below /control/, and decodes the reply into answer if that is not nil. Without a
// body it is a GET. The error is *Refused if the portal refused the request.
func (p Place) Ask(ctx context.Context, what string, body, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	method, raw := http.MethodGet, []byte(nil)
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
		method = http.MethodPost
	}
	url := "http://" + p.address() + "/control/" + what
	r, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+p.Control)
	direct := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // so that no proxy learns the secret
	res, err := direct.Do(r)
	if err != nil {
		return fmt.Errorf("failed to reach the portal: %w", err)
	}
	defer res.Body.Close()
	said, err := io.ReadAll(io.LimitReader(res.Body, mostList))
	if err != nil {
		return fmt.Errorf("failed to reach the portal: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return refused(res, said)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(said, answer)
}

// refused returns the portal's refusal, in its own words if it sent any.
func refused(res *http.Response, said []byte) error {
	var why struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(said, &why) != nil || why.Error == "" {
		why.Error = "the portal answered " + res.Status
	}
	return &Refused{res.StatusCode, why.Error}
}
