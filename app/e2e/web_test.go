package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// certificate writes one for this machine's address, and its key.
func (r *room) certificate() (cert, key string) {
	r.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(r, err)
	leaf := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	raw, err := x509.CreateCertificate(rand.Reader, leaf, leaf, &private.PublicKey, private)
	require.NoError(r, err)
	secret, err := x509.MarshalECPrivateKey(private)
	require.NoError(r, err)
	cert, key = filepath.Join(r.dir, "cert.pem"), filepath.Join(r.dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: raw},
		key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		require.NoError(r, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	}
	return cert, key
}

// soFar is all that came: lines, which no screen was drawn for.
func (c *console) soFar() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.raw)
}

func TestAPhoneIsPairedByTheLinkOnTheTerminalListedAndRevoked(t *testing.T) {
	r := newRoom(t)
	cert, key := r.certificate()
	c := r.console(100, 40, r.command("web", "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key, "--pair"))
	var link []string
	until(t, "the link is shown", func() bool {
		link = regexp.MustCompile(`https://127\.0\.0\.1:\d+/\?t=([A-Za-z0-9_-]{43})`).FindStringSubmatch(c.soFar())
		return link != nil && strings.Contains(c.soFar(), "within a minute")
	})
	require.Contains(t, c.soFar(), "▀", "with its QR code")

	phone := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	base, _, _ := strings.Cut(link[0], "/?t=")
	enter := func() (status int, cookies []*http.Cookie) {
		body, _ := json.Marshal(map[string]string{"token": link[1]})
		res, err := phone.Post(base+"/enter", "application/json", strings.NewReader(string(body)))
		require.NoError(t, err)
		res.Body.Close()
		return res.StatusCode, res.Cookies()
	}
	status, cookies := enter()
	require.Equal(t, http.StatusOK, status)
	status, _ = enter()
	require.Equal(t, http.StatusUnauthorized, status)
	look := func() int {
		ask, err := http.NewRequest(http.MethodGet, base+"/", nil)
		require.NoError(t, err)
		ask.AddCookie(cookies[0])
		res, err := phone.Do(ask)
		require.NoError(t, err)
		res.Body.Close()
		return res.StatusCode
	}
	require.Equal(t, http.StatusOK, look())

	own := r.run("web")
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/\?t=`, own.out)
	require.Contains(t, own.err, "other machines reach it at "+base+"/ once you have paired them: choicetui web --pair\n")

	list := r.run("web", "--devices")
	require.Regexp(t, `^[0-9a-z]{8}  unknown, paired .*, last used .*, ends .*\n$`, list.out)
	require.NotContains(t, list.out+list.err, link[1])
	require.Contains(t, r.run("web", "--devices", "--json").out, `"id": "`+list.out[:8]+`"`)
	revoked := r.run("web", "--revoke", list.out[:8])
	require.Zero(t, revoked.code, revoked.err)
	require.Equal(t, http.StatusUnauthorized, look())
	again := r.run("web", "--pair")
	require.NotZero(t, again.code, "without a terminal no link is shown")
	require.NotContains(t, again.out+again.err, "t=")
	c.press("\x03")
	require.Zero(t, c.ended())
	for _, dir := range []string{"state", "config"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(r.dir, dir), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			require.NotContains(t, string(raw), link[1], "it is written down nowhere")
			return err
		}))
	}
}
