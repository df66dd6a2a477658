package door

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/client"
)

// certificate writes a certificate for these names, and its key.
func certificate(t *testing.T, names ...string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	leaf := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "not.a.name"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), DNSNames: names,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	if len(names) > 0 && strings.HasPrefix(names[0], "*") {
		leaf.IPAddresses = nil
	}
	raw, err := x509.CreateCertificate(rand.Reader, leaf, leaf, &private.PublicKey, private)
	require.NoError(t, err)
	secret, err := x509.MarshalECPrivateKey(private)
	require.NoError(t, err)
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: raw},
		key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	}
	return cert, key
}

// newRemote returns a portal that other machines can reach too.
func newRemote(t *testing.T) *rig {
	t.Helper()
	cert, key := certificate(t, "home.example", "*.wild.example")
	remote, err := NewRemote("127.0.0.1:0", cert, key)
	require.NoError(t, err)
	return newRig(t, func(o *Options) { o.Remote = remote })
}

// pairing returns a link that pairs one device.
func (r *rig) pairing() string {
	r.Helper()
	link, err := r.Pair()
	require.NoError(r, err)
	return link
}

// phone returns a browser on another machine.
func (r *rig) phone() *jar {
	b := r.browser()
	b.base = "https://127.0.0.1:" + r.there.port
	return b
}

const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605 Version/26.0 Safari/604.1"

func TestOneDeviceIsPairedByALinkThatWorksOnceForAMinute(t *testing.T) {
	r := newRemote(t)
	link := r.pairing()
	require.True(t, strings.HasPrefix(link, "https://home.example:"+r.there.port+"/?t="), link)
	b := r.phone()
	require.Equal(t, http.StatusOK, b.enter(link, "User-Agent", iPhone).status)
	require.Equal(t, http.StatusUnauthorized, r.phone().enter(link).status)
	b.page()
	g := r.pages.last()
	require.Equal(t, RightsDevice, g.May)
	require.False(t, g.MaySettings())
	require.True(t, g.MayOpen(r.ask()))
	list := r.access.devices()
	require.Len(t, list, 1)
	require.Equal(t, g.ID, list[0].ID)
	require.Equal(t, "iPhone, Safari", list[0].Name)

	late := r.pairing()
	r.clock.pass(61 * time.Second)
	require.Equal(t, http.StatusUnauthorized, r.phone().enter(late).status)
}

func TestOtherMachinesAreServedUnderTheCertificatesNamesAlone(t *testing.T) {
	r := newRemote(t)
	b := r.phone()
	a := b.enter(r.pairing())
	cookie := a.header.Values("Set-Cookie")[0]
	require.True(t, strings.HasPrefix(cookie, "__Host-choicetui-"+r.there.port+"="), cookie)
	for _, want := range []string{"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} {
		require.Contains(t, cookie, want)
	}
	require.NotContains(t, cookie, "Domain")
	for host, want := range map[string]int{"home.example:" + r.there.port: http.StatusOK,
		"127.0.0.1:" + r.there.port: http.StatusOK, "localhost:" + r.there.port: http.StatusForbidden,
		"a.wild.example:" + r.there.port: http.StatusForbidden, "*.wild.example:" + r.there.port: http.StatusForbidden,
		"not.a.name:" + r.there.port: http.StatusForbidden, "127.0.0.1:" + r.here.port: http.StatusForbidden} {
		require.Equal(t, want, b.get("/", "Host", host).status, host)
	}
	_, status := b.dial("Origin", "http://127.0.0.1:"+r.there.port)
	require.Equal(t, http.StatusForbidden, status, "the scheme is part of the origin")
	csp := b.get("/").header.Get("Content-Security-Policy")
	require.Contains(t, csp, "connect-src 'self' wss://127.0.0.1:"+r.there.port+";")
}

func TestWhatIsThisMachinesIsNothingElsewhere(t *testing.T) {
	r := newRemote(t)
	require.Equal(t, http.StatusUnauthorized, r.phone().enter(r.Link("")).status, "only a pairing link is for others")
	given, err := r.GivenLink(t.Context(), r.ask().ID, "claude")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, r.phone().enter(given).status)
	require.Equal(t, http.StatusUnauthorized, r.phone().get("/?t="+tokenIn(given)).status)
	require.Equal(t, http.StatusOK, r.browser().enter(given).status, "and nothing was used up")
	own, thief := r.entered(), r.phone()
	thief.secret = own.secret
	thief.cookies["__Host-choicetui-"+r.there.port] = own.cookies["choicetui-"+r.here.port]
	_, status := thief.dial()
	require.Equal(t, http.StatusUnauthorized, status)
	require.Equal(t, http.StatusUnauthorized, thief.get("/").status)
	a := r.phone().send("GET", "/control/devices", "", "Authorization", "Bearer "+r.place.Control)
	require.Equal(t, http.StatusUnauthorized, a.status, "nothing of it is served there")
}

func TestFiveWrongTokensAMinuteClosePairing(t *testing.T) {
	r := newRemote(t)
	r.pairing()
	for range pairingEnds - 1 {
		r.phone().enter("?t=wrong")
	}
	r.clock.pass(time.Minute)
	link := r.pairing()
	r.phone().enter("?t=wrong")
	require.Equal(t, http.StatusOK, r.phone().get("/?t="+tokenIn(link)).status, "those were in another minute")
	for range pairingEnds - 1 {
		r.phone().enter("?t=wrong")
	}
	require.Equal(t, http.StatusUnauthorized, r.phone().get("/?t="+tokenIn(link)).status)
	require.Equal(t, http.StatusUnauthorized, r.phone().enter(link).status)
	for range 2 {
		_, err := r.Pair()
		var closed *PairingClosed
		require.ErrorAs(t, err, &closed)
		require.Equal(t, closedFor, closed.For)
		require.Equal(t, http.StatusUnauthorized, r.phone().get("/?t="+tokenIn(link)).status, "one more wrong token, which closes it for no longer")
	}
	var no *client.Refused
	require.ErrorAs(t, r.place.Ask(context.Background(), "pair", struct{}{}, nil), &no)
	require.Equal(t, http.StatusTooManyRequests, no.Status)
	require.Equal(t, "five wrong tokens came within a minute, so no device is let in for another 60 seconds", no.Why)
	r.clock.pass(closedFor)
	require.Equal(t, http.StatusOK, r.phone().enter(r.pairing()).status, "the person may open it again")
}

func TestARevokedDeviceIsOutAtOnceItsOpenPagesToo(t *testing.T) {
	r := newRemote(t)
	one, two, own := r.phone(), r.phone(), r.entered()
	require.Equal(t, http.StatusOK, one.enter(r.pairing()).status)
	require.Equal(t, http.StatusOK, two.enter(r.pairing()).status)
	first, second, here := one.page(), two.page(), own.page()
	list := r.access.devices()
	require.Len(t, list, 2)
	n, err := r.access.revoke(list[1].ID)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.True(t, over(t, first))
	_, status := one.dial()
	require.Equal(t, http.StatusUnauthorized, status)
	echo(two, second)
	n, err = r.access.revoke("all")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.True(t, over(t, second))
	echo(own, here)
	_, err = r.access.revoke("k7f3m2qx")
	require.ErrorIs(t, err, ErrNoDevice)
	raw, err := os.ReadFile(r.files.kept)
	require.NoError(t, err)
	require.NotContains(t, string(raw), list[0].ID, "it is out after a restart too")
}

func TestADeviceLivesThirtyDaysAndRestsAreNoEnd(t *testing.T) {
	r := newRemote(t)
	b := r.phone()
	require.Equal(t, http.StatusOK, b.enter(r.pairing()).status)
	r.clock.pass(29 * 24 * time.Hour)
	conn := b.page()
	r.clock.pass(24*time.Hour + time.Second)
	_, status := b.dial()
	require.Equal(t, http.StatusUnauthorized, status)
	require.True(t, over(t, conn))
	require.Empty(t, r.access.devices())
}

func TestDevicesAreListedAndEndedWhileNoPortalRuns(t *testing.T) {
	r := newRemote(t)
	require.Equal(t, http.StatusOK, r.phone().enter(r.pairing()).status)
	_, err := Devices(r.dir, r.clock.Now)
	var runs *Runs
	require.ErrorAs(t, err, &runs)
	r.stop()
	list, err := Devices(r.dir, r.clock.Now)
	require.NoError(t, err)
	require.Len(t, list, 1)
	_, err = Revoke(r.dir, "nobody", r.clock.Now)
	require.ErrorIs(t, err, ErrNoDevice)
	n, err := Revoke(r.dir, list[0].ID, r.clock.Now)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	list, err = Devices(r.dir, r.clock.Now)
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestACertificateMustNameAHost(t *testing.T) {
	cert, key := certificate(t, "*.wild.example")
	_, err := NewRemote("127.0.0.1:0", cert, key)
	require.ErrorIs(t, err, ErrNoNames)
	_, err = NewRemote("127.0.0.1:0", key, cert)
	require.Error(t, err)
}
