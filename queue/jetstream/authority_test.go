package jetstream

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// writeCertificate makes an authority of its own, ca.crt, and what it issues for a server on this machine: server.crt
// and server.key.
func writeCertificate(t *testing.T, dir string, ends time.Time) {
	t.Helper()
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "team"}, IsCA: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: ends.Add(time.Hour), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign}
	about := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "queue"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: ends, KeyUsage: x509.KeyUsageDigitalSignature,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	var keys []*ecdsa.PrivateKey
	for range 2 {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		require.NoError(t, err)
		keys = append(keys, key)
	}
	root, err := x509.CreateCertificate(rand.Reader, ca, ca, &keys[0].PublicKey, keys[0])
	require.NoError(t, err)
	cert, err := x509.CreateCertificate(rand.Reader, about, ca, &keys[1].PublicKey, keys[0])
	require.NoError(t, err)
	secret, err := x509.MarshalECPrivateKey(keys[1])
	require.NoError(t, err)
	for name, block := range map[string]*pem.Block{"ca.crt": {Type: "CERTIFICATE", Bytes: root},
		"server.crt": {Type: "CERTIFICATE", Bytes: cert}, "server.key": {Type: "EC PRIVATE KEY", Bytes: secret}} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
}

// runCertified runs a server that speaks TLS with the certificate in a directory.
func runCertified(t *testing.T, dir string) *server.Server {
	t.Helper()
	o := serverOptions(t.TempDir(), server.RANDOM_PORT)
	var err error
	o.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: filepath.Join(dir, "server.crt"),
		KeyFile: filepath.Join(dir, "server.key")})
	require.NoError(t, err)
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	return n
}

func overTLS(n *server.Server) string { return strings.Replace(n.ClientURL(), "nats://", "tls://", 1) }

func TestAServerWithACertificateOfAnOwnAuthorityIsTrustedOnceThatIsNamed(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	writeCertificate(t, dir, time.Now().Add(90*24*time.Hour))
	writeCertificate(t, other, time.Now().Add(90*24*time.Hour))
	n := runCertified(t, dir)
	for name, c := range map[string]struct{ authority, says string }{
		"none named":        {"", "set queue_ca to the file with the authority's certificate"},
		"another one named": {filepath.Join(other, "ca.crt"), `in "` + filepath.Join(other, "ca.crt") + `", the file that queue_ca names`},
	} {
		s := openAt(t, Options{URL: overTLS(n), Authority: c.authority})
		for range 4 { // the library forgets why between two tries
			_, _, err := s.Live(t.Context())
			require.ErrorIs(t, err, queue.ErrUnreachable, name)
			require.ErrorContains(t, err, c.says, name)
			time.Sleep(reconnectWait * 3 / 4)
		}
	}
	for _, address := range []string{overTLS(n), n.ClientURL()} { // a server that demands TLS has it either way
		s := openAt(t, Options{URL: address, Authority: filepath.Join(dir, "ca.crt")})
		storetest.Create(t, s)
		h := examined(t, s)
		require.True(t, h.Encrypted)
		require.Equal(t, filepath.Join(dir, "ca.crt"), h.Authority)
	}
}

func TestACertificateThatHasEndedIsSaidToHaveEnded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir, time.Now().Add(-time.Minute))
	n := runCertified(t, dir)
	s := openAt(t, Options{URL: overTLS(n), Authority: filepath.Join(dir, "ca.crt")})
	_, _, err := s.Live(t.Context())
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.ErrorContains(t, err, "the server's certificate is not good: x509: certificate has expired")
}

func TestAnAuthorityThatIsReplacedCountsFromTheNextConnectionOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir, time.Now().Add(time.Hour))
	before, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	require.NoError(t, err)
	named := filepath.Join(t.TempDir(), "ca.crt")
	require.NoError(t, os.WriteFile(named, before, 0o644)) // it is no secret
	s := openAt(t, Options{URL: overTLS(runCertified(t, dir)), Authority: named})
	require.NoError(t, os.WriteFile(named, []byte("half written"), 0o644))
	_, _, err = s.Live(t.Context())
	require.ErrorContains(t, err, "queue_ca cannot be used: there is no certificate in")
	require.NoError(t, os.WriteFile(named, before, 0o644))
	require.Eventually(t, func() bool { _, _, err := s.Live(t.Context()); return err == nil }, 5*time.Second, 50*time.Millisecond)
}

func TestAServerWithoutTLSIsReachedAsBeforeWhereAnAuthorityIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir, time.Now().Add(time.Hour))
	o := open(t).link.options
	o.Authority = filepath.Join(dir, "ca.crt")
	storetest.Create(t, openAt(t, o))
}

func TestAFileThatNamesNoAuthorityIsRefusedWithWhatItShouldHold(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "ca.crt")
	require.NoError(t, os.WriteFile(empty, []byte("-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n"), 0o644))
	dir := t.TempDir()
	for path, says := range map[string]string{
		filepath.Join(dir, "none"): `there is no file "` + filepath.Join(dir, "none") + `"`,
		dir:                        `the file "` + dir + `" cannot be read: is a directory`,
		empty:                      `there is no certificate in "` + empty + `"; it takes a PEM file`,
	} {
		_, err := Open(Options{URL: "tls://127.0.0.1:1", Authority: path})
		require.ErrorContains(t, err, "queue_ca cannot be used: "+says)
	}
}
