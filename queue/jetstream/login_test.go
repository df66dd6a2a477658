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
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

const secret = "s3cret-w0rd"

func credentialFile(t *testing.T, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "credentials")
	require.NoError(t, os.WriteFile(path, []byte(text), mode))
	return path
}

func TestTheFileOfCredentialsOpensTheQueue(t *testing.T) {
	t.Parallel()
	pair, err := nkeys.CreateUser()
	require.NoError(t, err)
	public, err := pair.PublicKey()
	require.NoError(t, err)
	seed, err := pair.Seed()
	require.NoError(t, err)
	o := serverOptions(t.TempDir(), server.RANDOM_PORT)
	o.Users = []*server.User{{Username: "ana", Password: secret}}
	o.Nkeys = []*server.NkeyUser{{Nkey: public}}
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)

	for name, text := range map[string]string{"password": "user: ana\npassword: " + secret + "\n", "nkey": string(seed),
		"nkey with a note": "# ana's\n" + string(seed) + "\n"} {
		s := openAt(t, Options{URL: n.ClientURL(), Credentials: credentialFile(t, text, 0o600)})
		storetest.Create(t, s)
		require.NoError(t, s.Close(), name)
	}
	wrong := credentialFile(t, "user: ana\npassword: not "+secret, 0o600)
	s := openAt(t, Options{URL: n.ClientURL(), Credentials: wrong})
	_, err = s.Get(t.Context(), "k7f3m2qx")
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.Contains(t, err.Error(), "authorization", "the server's reason is told")
	require.NotContains(t, err.Error(), secret)
}

func TestACredsFileOpensTheQueueAndOneThatIsCutOffIsNamed(t *testing.T) {
	t.Parallel()
	operator, err := nkeys.CreateOperator()
	require.NoError(t, err)
	account, err := nkeys.CreateAccount()
	require.NoError(t, err)
	system, err := nkeys.CreateAccount()
	require.NoError(t, err)
	user, err := nkeys.CreateUser()
	require.NoError(t, err)
	public := func(pair nkeys.KeyPair) string {
		key, err := pair.PublicKey()
		require.NoError(t, err)
		return key
	}
	team := jwt.NewAccountClaims(public(account))
	team.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
	resolver := &server.MemAccResolver{}
	for _, claims := range []*jwt.AccountClaims{team, jwt.NewAccountClaims(public(system))} {
		signed, err := claims.Encode(operator)
		require.NoError(t, err)
		require.NoError(t, resolver.Store(claims.Subject, signed))
	}
	o := serverOptions(t.TempDir(), server.RANDOM_PORT)
	o.TrustedKeys, o.AccountResolver, o.SystemAccount = []string{public(operator)}, resolver, public(system)
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)

	claims := jwt.NewUserClaims(public(user))
	claims.Name = "ana@laptop"
	token, err := claims.Encode(account)
	require.NoError(t, err)
	seed, err := user.Seed()
	require.NoError(t, err)
	creds, err := jwt.FormatUserConfig(token, seed)
	require.NoError(t, err)
	for _, text := range []string{string(creds), strings.ReplaceAll(string(creds), "\n", "\r\n")} {
		file := credentialFile(t, text, 0o600)
		s := openAt(t, Options{URL: n.ClientURL(), Credentials: file})
		storetest.Create(t, s)
		require.NoError(t, s.Close())
		require.Equal(t, "ana@laptop", PersonIn(file))
	}
	cut := credentialFile(t, string(creds[:len(creds)/2]), 0o600)
	_, err = Open(Options{URL: n.ClientURL(), Credentials: cut})
	require.ErrorContains(t, err, "the file "+strconv.Quote(cut)+" has no complete credentials")
}

func TestWhoIsCutOffSinceTheCredentialsWereRevokedIsToldSo(t *testing.T) {
	t.Parallel()
	o := serverOptions(t.TempDir(), server.RANDOM_PORT)
	o.Users = []*server.User{{Username: "ana", Password: secret}}
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	file := credentialFile(t, "user: ana\npassword: "+secret+"\n", 0o600)
	s := openAt(t, Options{URL: n.ClientURL(), Credentials: file})
	v := storetest.Create(t, s)
	w := watching(t, s)
	require.Len(t, next(t, w).Sessions, 1)

	// The server is started again, because its own ReloadOptions has a data race with clients that are sending.
	port := n.Addr().(*net.TCPAddr).Port
	n.Shutdown()
	n.WaitForShutdown()
	changed := serverOptions(o.StoreDir, port)
	changed.Users = []*server.User{{Username: "ana", Password: "new " + secret}}
	n, err = runServer(changed)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	for told := false; !told; told = strings.Contains(err.Error(), "the server does not take these credentials") {
		_, err = w.Next(t.Context())
		require.ErrorIs(t, err, queue.ErrUnreachable)
	}
	require.NotContains(t, err.Error(), secret)

	require.NoError(t, os.WriteFile(file, []byte("user: ana\npassword: new "+secret+"\n"), 0o600))
	require.True(t, next(t, w).Presence, "and told that it is over")
	_, err = s.Put(t.Context(), v)
	require.NoError(t, err)
}

func TestAFileOfCredentialsThatWillNotDoIsRefusedWithoutItsContents(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"readable by others": credentialFile(t, "user: ana\npassword: "+secret, 0o640),
		"not there":          filepath.Join(t.TempDir(), "none"),
		"nothing in it":      credentialFile(t, secret, 0o600),
		"half a user":        credentialFile(t, "password: "+secret, 0o600),
		"a broken seed":      credentialFile(t, "SU"+secret, 0o600),
		"a directory":        t.TempDir(),
	} {
		_, err := Open(Options{URL: "nats://127.0.0.1:1", Credentials: path})
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), secret, name)
	}
}

func TestWhatIsNoAddressIsRefusedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "nats://", "http://host", "/var/queue", "nats://ana:" + secret + "@host",
		"nats://ok:4222,nats://" + secret + "@host", "nats://host/path", "nats://ho st:" + secret} {
		_, err := Open(Options{URL: address})
		require.Error(t, err, address)
		require.NotContains(t, err.Error(), secret)
	}
	for _, bad := range []Options{{Bucket: "a.b"}, {Bucket: "a b"}, {Replicas: 9}, {Replicas: -1}} {
		bad.URL = "nats://127.0.0.1:1"
		_, err := Open(bad)
		require.Error(t, err, "%+v", bad)
	}
	_, err := Open(Options{URL: "nats://a:4222, tls://b"})
	require.NoError(t, err, "several servers of one cluster, and nothing is reached for yet")
}

func TestCredentialsSayWhoAsksWhereTheyNameSomebody(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ana", PersonIn(credentialFile(t, "user: ana\npassword: "+secret+"\n", 0o600)))
	// A JWT is three parts; only the middle one is read: {"name":"ana@laptop"}.
	jwt := "-----BEGIN NATS USER JWT-----\ne30.eyJuYW1lIjoiYW5hQGxhcHRvcCJ9.c2ln\n------END NATS USER JWT------\n"
	require.Equal(t, "ana@laptop", PersonIn(credentialFile(t, jwt, 0o600)))
	for name, text := range map[string]string{"empty": "", "seed": "SUAexample", "hostile": "user: a\x1b[31m\npassword: x"} {
		require.NotContains(t, PersonIn(credentialFile(t, text, 0o600)), "\x1b", name)
	}
	require.Empty(t, PersonIn(credentialFile(t, "user: ana\npassword: x", 0o644)), "others can read it")
	require.Empty(t, PersonIn(""))
}

// writeCertificate creates an authority, ca.crt, and its certificate for a server on this machine, server.crt and
// server.key.
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

// runCertified runs a TLS server with the certificate in a directory.
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
		"none named":        {"", "the server's certificate is not trusted: x509: "},
		"another one named": {filepath.Join(other, "ca.crt"), "the server's certificate is not trusted: x509: "},
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
		nc, _, err := s.link.connect()
		require.NoError(t, err)
		_, err = nc.TLSConnectionState()
		require.NoError(t, err)
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
	require.ErrorContains(t, err, "the server's certificate is not trusted: x509: certificate has expired")
}

func TestAnAuthorityThatIsReplacedCountsFromTheNextConnectionOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir, time.Now().Add(time.Hour))
	before, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	require.NoError(t, err)
	named := filepath.Join(t.TempDir(), "ca.crt")
	require.NoError(t, os.WriteFile(named, before, 0o644)) // a certificate is not secret
	s := openAt(t, Options{URL: overTLS(runCertified(t, dir)), Authority: named})
	require.NoError(t, os.WriteFile(named, []byte("half written"), 0o644))
	_, _, err = s.Live(t.Context())
	require.ErrorContains(t, err, "queue_ca cannot be used, it takes a PEM file with a certificate: nats: failed to parse root certificate from")
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
		filepath.Join(dir, "none"): "open " + filepath.Join(dir, "none") + ": no such file",
		dir:                        "is a directory",
		empty:                      `failed to parse root certificate from "` + empty + `"`,
	} {
		_, err := Open(Options{URL: "tls://127.0.0.1:1", Authority: path})
		require.ErrorContains(t, err, "queue_ca cannot be used, it takes a PEM file with a certificate: ")
		require.ErrorContains(t, err, says)
	}
}
