package client

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThePlaceIsReadAsItWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "portal.json")
	place := Place{PID: 7, Port: 4711, Queue: "/q", Control: "secret"}
	require.NoError(t, place.Write(path))
	read, err := Read(path)
	require.NoError(t, err)
	assert.Equal(t, place, read)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestAPlaceThatOthersCouldHaveWrittenIsNotBelieved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "portal.json")
	require.NoError(t, Place{PID: 7}.Write(path))
	require.NoError(t, os.Chmod(path, 0o660))
	_, err := Read(path)
	require.ErrorContains(t, err, "others can read or write")

	link := filepath.Join(t.TempDir(), "link.json")
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, os.Symlink(path, link))
	_, err = Read(link)
	require.Error(t, err)
}

func TestOnlyTheOwnPlaceIsTakenAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "portal.json")
	old, successor := Place{PID: 7}, Place{PID: 8}
	require.NoError(t, successor.Write(path))
	require.NoError(t, old.Remove(path))
	assert.FileExists(t, path)
	require.NoError(t, successor.Remove(path))
	assert.NoFileExists(t, path)
	require.NoError(t, successor.Remove(path))
}

// served returns a portal's place whose /control/link answers with f.
func served(t *testing.T, f http.HandlerFunc) Place {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /control/link", f)
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return Place{PID: os.Getpid(), Port: listener.Addr().(*net.TCPAddr).Port, Control: "the secret"}
}

func TestALinkIsAskedForWithTheSecret(t *testing.T) {
	place := served(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "Bearer the secret", r.Header.Get("Authorization"))
		var asked Request
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&asked))
		assert.Equal(t, Request{Session: "k7f3m2qx", Given: "claude"}, asked)
		assert.NoError(t, json.NewEncoder(w).Encode(Reply{URL: "http://127.0.0.1/choice/k7f3m2qx?t=x"}))
	})
	reply, err := place.Link(t.Context(), Request{Session: "k7f3m2qx", Given: "claude"})
	require.NoError(t, err)
	assert.Equal(t, "http://127.0.0.1/choice/k7f3m2qx?t=x", reply.URL)
}

func TestARefusedLinkIsAnError(t *testing.T) {
	place := served(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	_, err := place.Link(t.Context(), Request{})
	require.ErrorContains(t, err, "401")
}

func TestAPortalThatRunsIsFoundAndNotStarted(t *testing.T) {
	place := served(t, func(http.ResponseWriter, *http.Request) {})
	path := filepath.Join(t.TempDir(), "portal.json")
	require.NoError(t, place.Write(path))
	found, err := Portal{Path: path, Start: []string{"/does/not/exist"}}.Ensure(t.Context())
	require.NoError(t, err)
	assert.Equal(t, place, found)
}

func TestAPortalThatIsGoneIsStartedAndItsWordsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "portal.json")
	require.NoError(t, Place{PID: 1 << 30, Port: 1}.Write(path))
	_, err := Portal{Path: path, Start: []string{"sh", "-c", "echo no port is free >&2; exit 1"}}.Ensure(t.Context())
	require.ErrorContains(t, err, "no port is free")
	_, err = Portal{Path: path, Start: []string{"/does/not/exist"}}.Ensure(t.Context())
	require.ErrorContains(t, err, "could not be started")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Portal{Path: path, Start: []string{"sleep", "0.2"}}.Ensure(ended)
	require.Error(t, err)
}

func TestNoBrowserIsOpenedOverSSHOrWithoutAScreen(t *testing.T) {
	at := func(env map[string]string, kernel string, programs ...string) Browser {
		return Browser{Getenv: func(k string) string { return env[k] }, Kernel: kernel,
			Look: func(p string) (string, error) {
				for _, has := range programs {
					if has == p {
						return "/usr/bin/" + p, nil
					}
				}
				return "", errors.New("not found")
			}}
	}
	for name, c := range map[string]struct {
		b    Browser
		want []string
	}{
		"a desktop": {at(map[string]string{"DISPLAY": ":0"}, "", "xdg-open"), []string{"/usr/bin/xdg-open", "u"}},
		"wayland":   {at(map[string]string{"WAYLAND_DISPLAY": "w"}, "", "xdg-open"), []string{"/usr/bin/xdg-open", "u"}},
		"over SSH":  {at(map[string]string{"DISPLAY": ":0", "SSH_CONNECTION": "a b"}, "", "xdg-open"), nil},
		"a console": {at(nil, "", "xdg-open"), nil},
		"nothing":   {at(map[string]string{"DISPLAY": ":0"}, ""), nil},
		"WSL":       {at(nil, "Linux version 5.15 Microsoft", "wslview"), []string{"/usr/bin/wslview", "u"}},
	} {
		words, _, err := c.b.command("u")
		if c.want == nil {
			require.ErrorIs(t, err, ErrNoBrowser, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, c.want, words, name)
	}
}

func TestOnMacOSNoLinkIsAnArgumentThatOthersCouldRead(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "osascript")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$*\" > "+dir+"/words\ncat > "+dir+"/part\nmv "+dir+"/part "+dir+"/read\n"), 0o700))
	b := Browser{Getenv: func(string) string { return "" }, System: "darwin", Look: func(p string) (string, error) {
		if p == "osascript" {
			return program, nil
		}
		return "", errors.New("not found")
	}}
	require.NoError(t, b.Open(`http://127.0.0.1:4711/?t=ABC"\`))
	read := filepath.Join(dir, "read")
	require.Eventually(t, func() bool { _, err := os.Stat(read); return err == nil }, 10*time.Second, 5*time.Millisecond)
	words, err := os.ReadFile(filepath.Join(dir, "words"))
	require.NoError(t, err)
	assert.Equal(t, "-\n", string(words))
	script, err := os.ReadFile(read)
	require.NoError(t, err)
	assert.Equal(t, `open location "http://127.0.0.1:4711/?t=ABC\"\\"`+"\n", string(script))
}
