// Command gosdk is a client of the official Go SDK that ends its calls in every possible way and checks what became of
// each question. `choicetui answer` plays the person; a dashboard has to be open that nobody uses. The command is a
// module of its own, so that choicetui does not depend on this SDK.
//
//	gosdk stdio CHOICETUI
//	gosdk http CHOICETUI URL TOKEN
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// protocol is the MCP version that this SDK negotiates.
const protocol = "2026-07-28"

func main() {
	c, err := connect(os.Args[1:])
	for _, step := range []struct {
		name string
		do   func() (string, error)
	}{
		{"answered", c.answered}, {"refused", c.refused}, {"cancelled by the client", c.cancelled},
		{"timed out by the client", c.impatient}, {"answered", c.answered}, {"nothing is left", c.nothingLeft},
	} {
		var how string
		if err == nil {
			how, err = step.do()
		}
		if err != nil {
			fmt.Printf("FAIL gosdk %s: %v\n", step.name, err)
			os.Exit(1)
		}
		fmt.Printf("ok   gosdk %s %-5s %-25s %s\n", protocol, c.kind, step.name, how)
	}
}

// client is one connection to the server, and the command that plays the person.
type client struct {
	kind, choicetui string
	session         *mcp.ClientSession
}

func connect(args []string) (*client, error) {
	c := &client{kind: args[0], choicetui: args[1]}
	var transport mcp.Transport = &mcp.CommandTransport{Command: exec.Command(c.choicetui, "mcp")}
	if c.kind == "http" {
		transport = &mcp.StreamableClientTransport{Endpoint: args[2], HTTPClient: &http.Client{Transport: bearer(args[3])}}
	}
	var err error
	sdk := mcp.NewClient(&mcp.Implementation{Name: "go-check", Version: "0"}, nil)
	if c.session, err = sdk.Connect(context.Background(), transport, nil); err != nil {
		return c, fmt.Errorf("failed to connect: %w", err)
	}
	if spoken := c.session.InitializeResult().ProtocolVersion; spoken != protocol {
		return c, fmt.Errorf("negotiated %s", spoken)
	}
	return c, nil
}

type bearer string

func (token bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(r)
}

// asked is a question as list and show print it in JSON.
type asked struct {
	ID, Title, Status string
	Gone              bool
	Outcome           *struct{ Status, By, Reason string }
}

func (c *client) run(into any, args ...string) error {
	out, err := exec.Command(c.choicetui, args...).Output()
	if err == nil && into != nil {
		err = json.Unmarshal(out, into)
	}
	return err
}

// until reads the queue until the question with a title is as wanted. what names the wanted state.
func (c *client) until(title, what string, within time.Duration, want func(asked) bool) (asked, error) {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var all []asked
		if err := c.run(&all, "list", "--json"); err != nil {
			return asked{}, err
		}
		for _, one := range all {
			if one.Title == title && want(one) {
				return one, nil
			}
		}
	}
	return asked{}, fmt.Errorf("%s: not %s within %s", title, what, within)
}

// over waits until a question has its outcome.
func (c *client) over(id string, within time.Duration) (one asked, err error) {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err = c.run(&one, "show", id, "--json"); err != nil || one.Outcome != nil {
			return one, err
		}
	}
	return one, fmt.Errorf("%s: not over within %s", one.Title, within)
}

func there(asked) bool       { return true }
func gone(one asked) bool    { return one.Gone }
func waits(one asked) bool   { return !one.Gone }
func (c *client) late() bool { return c.kind == "http" } // over HTTP a client only closes its stream, so the server withdraws later

func (c *client) ask(ctx context.Context, title string) (string, error) {
	r, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: "provide_choice", Arguments: map[string]any{
		"title": title, "prompt": "Which store?", "selection_mode": "single", "options": []map[string]any{
			{"id": "pg", "label": "PostgreSQL", "recommended": true}, {"id": "lite", "label": "SQLite"}},
	}})
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(r.StructuredContent)
	return string(raw), err
}

// background begins to ask and returns at once. The function it returns waits for the result.
func (c *client) background(ctx context.Context, title string) func() (string, error) {
	type result struct {
		said string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		said, err := c.ask(ctx, title)
		done <- result{said, err}
	}()
	return func() (string, error) { r := <-done; return r.said, r.err }
}

// answered answers a question and checks that its call receives the answer.
func (c *client) answered() (string, error) {
	result := c.background(context.Background(), "Go answered")
	one, err := c.until("Go answered", "asked", 8*time.Second, there)
	if err == nil {
		err = c.run(nil, "answer", one.ID, "--select", "lite")
	}
	if err != nil {
		return "", err
	}
	said, err := result()
	if err == nil && !strings.Contains(said, `"selected_ids":["lite"]`) {
		err = errors.New(said)
	}
	return "lite", err
}

// refused sends an invalid request and checks that the server refuses it.
func (c *client) refused() (string, error) {
	r, err := c.session.CallTool(context.Background(), &mcp.CallToolParams{
		Name: "provide_choice", Arguments: map[string]any{"title": ""},
	})
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil && (!r.IsError || !strings.Contains(string(raw), `"invalid_request"`)) {
		err = errors.New(string(raw))
	}
	return "isError", err
}

// cancelled cancels a call's context and checks that the question is withdrawn and the connection still works.
func (c *client) cancelled() (string, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	result := c.background(ctx, "Go cancelled")
	one, err := c.until("Go cancelled", "asked", 8*time.Second, there)
	if err != nil {
		return "", err
	}
	cancel()
	began := time.Now()
	if _, err = result(); !errors.Is(err, context.Canceled) {
		return "", fmt.Errorf("the call ended with %w", err)
	}
	if _, err := c.session.ListTools(context.Background(), nil); err != nil {
		return "", fmt.Errorf("the connection broke: %w", err)
	}
	within := 3 * time.Second
	if c.late() {
		within = 14 * time.Second
	}
	one, err = c.over(one.ID, within)
	switch {
	case err != nil:
		return "", err
	case one.Outcome.Status != "cancelled" || one.Outcome.By != "caller":
		return "", fmt.Errorf("ended as %+v", *one.Outcome)
	case c.late() && time.Since(began) < 8*time.Second:
		return "", errors.New("the same ask had no time to come back")
	}
	return "withdrawn: " + one.Outcome.Reason, nil
}

// impatient lets a call's deadline pass and checks that the question stays, and that the same request joins it.
func (c *client) impatient() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := c.ask(ctx, "Go impatient"); !errors.Is(err, context.DeadlineExceeded) {
		return "", fmt.Errorf("the call ended with %w", err)
	}
	one, err := c.until("Go impatient", "gone", 3*time.Second, gone)
	if err != nil {
		return "", err
	}
	result := c.background(context.Background(), "Go impatient")
	again, err := c.until("Go impatient", "waited for", 5*time.Second, waits)
	if err == nil && again.ID != one.ID {
		err = errors.New("the person is asked twice")
	}
	if err == nil {
		err = c.run(nil, "answer", one.ID, "--select", "pg")
	}
	if err != nil {
		return "", err
	}
	said, err := result()
	if err == nil && (!strings.Contains(said, `"selected_ids":["pg"]`) || !strings.Contains(said, "is still open")) {
		err = errors.New(said)
	}
	return "kept, joined by the same ask", err
}

// nothingLeft checks that no question is pending, and closes the connection.
func (c *client) nothingLeft() (string, error) {
	var all []asked
	err := c.run(&all, "list", "--json")
	if err == nil && len(all) > 0 {
		err = fmt.Errorf("%+v", all)
	}
	return "[]", errors.Join(err, c.session.Close())
}
