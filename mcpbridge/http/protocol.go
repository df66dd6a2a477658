package http

import (
	"encoding/json"
	"mime"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// client identifies the sender of a request.
type client struct {
	peer    *rpc.Peer // since 2026-07-28 each request has a new one
	session *session  // nil since 2026-07-28, which has no sessions
}

// modern reports whether the request speaks protocol version 2026-07-28 or later. Such a request has no session. It
// repeats the values that initialize agreed on in earlier versions.
func (c client) modern() bool { return c.session == nil }

// admit checks the headers of a message and returns its sender. If ok is false, it has answered the request.
func (t *transport) admit(w http.ResponseWriter, r *http.Request, m rpc.Message) (from client, ok bool) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		http.Error(w, "send Content-Type: application/json", http.StatusBadRequest)
		return client{}, false
	}
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	if said := versionIn(m); mcp.IsModernProtocol(version) || mcp.IsModernProtocol(said) {
		if refusal := refuseModern(r.Header, m, said); refusal != nil {
			writeJSON(w, http.StatusBadRequest, refusal)
			return client{}, false
		}
		return client{peer: &rpc.Peer{}}, true
	}
	if m.Is(mcp.MethodInitialize) {
		s := t.sessions.newSession()
		return client{peer: s.peer, session: s}, true
	}
	if version != "" && !mcp.IsValidProtocolVersion(version) {
		http.Error(w, "unsupported protocol version: "+version, http.StatusBadRequest)
		return client{}, false
	}
	s := t.sessions.useSession(r.Header.Get(headerSession))
	if s == nil {
		http.Error(w, "no such session", http.StatusNotFound)
		return client{}, false
	}
	return client{peer: s.peer, session: s}, true
}

// versionIn returns the protocol version in the body of a message, which messages have since 2026-07-28.
func versionIn(m rpc.Message) string {
	var p struct {
		Meta *mcp.Meta `json:"_meta"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return ""
	}
	return p.Meta.ProtocolVersion()
}

// refuseModern compares a message of 2026-07-28 or later with its headers, which repeat a part of it. It returns the
// error response; nil: they match. said is the version in the body. rpc.Server checks the rest. A notification may have
// its version only in the header: it gets no response, and some clients stop for good after a 400 for a notification.
func refuseModern(header http.Header, m rpc.Message, said string) *rpc.Envelope {
	version := header.Get(mcp.HeaderProtocolVersion)
	mismatch := func(why string) *rpc.Envelope { return rpc.Refuse(m.ID, mcp.HEADER_MISMATCH, why) }
	switch {
	case m.IsResponse():
		return rpc.Refuse(m.ID, mcp.INVALID_REQUEST, "this protocol version has no requests of the server's")
	case header.Get(mcp.HeaderLastEventID) != "":
		return mismatch("streams are not resumable in this protocol version: send the request again under a new id")
	case version == "":
		return mismatch(mcp.HeaderProtocolVersion + " header is missing")
	case said == "" && !m.IsNotification():
		return rpc.Refuse(m.ID, mcp.INVALID_PARAMS, "missing or invalid _meta field "+mcp.MetaKeyProtocolVersion)
	case said != "" && version != said:
		return mismatch(mcp.HeaderProtocolVersion + " header " + version + " does not match " + said + " in _meta")
	case !mcp.IsValidProtocolVersion(version):
		unknown := mcp.UnsupportedProtocolVersionError{Version: version, Supported: mcp.ValidProtocolVersions}
		details := unknown.JSONRPCError().Error
		return &rpc.Envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: m.ID, Error: &details}
	case m.IsNotification():
		return nil
	}
	if err := mcp.ValidateStandardHeaders(header.Get, said, mcp.MCPMethod(*m.Method), m.Params); err != nil {
		return mismatch(err.Error())
	}
	return nil
}

// status returns the HTTP status of a response that is not a stream. Since 2026-07-28 it depends on the code of the
// error.
func (c client) status(response *rpc.Envelope) int {
	if !c.modern() || response.Error == nil {
		return http.StatusOK
	}
	switch response.Error.Code {
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case mcp.HEADER_MISMATCH, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.UNSUPPORTED_PROTOCOL_VERSION,
		mcp.INVALID_REQUEST, mcp.INVALID_PARAMS, mcp.PARSE_ERROR:
		return http.StatusBadRequest
	}
	return http.StatusOK
}
