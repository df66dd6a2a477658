package portal

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"
)

const mostBody = 4 << 10 // bytes of a request's body

// serveEnter exchanges a one-time token: the browser gets a cookie that no script can read, and the page gets a secret
// that no browser sends on its own.
func (d *door) serveEnter(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		d.servePage(w, r) // a stranger gets only 401
		return
	}
	token, status := tokenOf(r)
	if status != http.StatusOK {
		refuse(w, status, "send {\"token\": \"…\"} as application/json")
		return
	}
	in, err := d.access.exchangeToken(r.Context(), token, deviceName(r.UserAgent()), d.remote)
	switch {
	case errors.Is(err, errTooOften):
		refuse(w, http.StatusTooManyRequests, tooMany)
	case errors.Is(err, errUnknown):
		refuse(w, http.StatusUnauthorized, linkWanted)
	default: // an error of the disk does not matter: the page works until the portal ends
		ending, age := "", 0
		switch {
		case in.Only != "":
			ending, age = "-"+in.Only, int(sessionFor.Seconds())
		case in.Device != "":
			age = int(deviceFor.Seconds())
		}
		d.setCookie(w, ending, in.cookie, age)
		d.setCookie(w, visitEnding, "", -1)
		body := map[string]string{"secret": in.secret, "path": in.path}
		if in.Only != "" {
			body["only"] = in.Only
		}
		reply(w, http.StatusOK, body)
	}
}

// tokenOf reads the token from the body of a request. status is the HTTP status of the refusal, or 200.
func tokenOf(r *http.Request) (token string, status int) {
	var body struct {
		Token string `json:"token"`
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/json" {
		return "", http.StatusUnsupportedMediaType
	}
	var large *http.MaxBytesError
	err := json.NewDecoder(r.Body).Decode(&body)
	switch {
	case errors.As(err, &large):
		return "", http.StatusRequestEntityTooLarge
	case err != nil:
		return "", http.StatusBadRequest
	}
	return body.Token, http.StatusOK
}

// deviceName turns the User-Agent of a browser into a name that tells devices apart in a list: "iPhone, Safari".
func deviceName(agent string) string {
	words := make([]string, 0, 2)
	for _, names := range [][]string{{"iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux"},
		{"Firefox", "FxiOS", "Edg", "CriOS", "Chrome", "Safari"}} {
		for _, name := range names {
			if strings.Contains(agent, name) {
				words = append(words, commonName(name))
				break
			}
		}
	}
	if len(words) == 0 {
		return "unknown"
	}
	return strings.Join(words, ", ")
}

// commonName returns the common name of a browser or system from its name in the User-Agent.
func commonName(name string) string {
	switch name {
	case "FxiOS":
		return "Firefox"
	case "CriOS":
		return "Chrome"
	case "Edg":
		return "Edge"
	case "Macintosh":
		return "Mac"
	}
	return name
}
