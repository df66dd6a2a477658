package jetstream

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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
		"nkey with a note": "# ana's\r\n  " + string(seed) + "  \r\n"} {
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
	require.ErrorContains(t, err, "no whole credentials in the file "+strconv.Quote(cut))
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

	changed := *o
	changed.Users = []*server.User{{Username: "ana", Password: "new " + secret}}
	require.NoError(t, n.ReloadOptions(&changed))
	_, err = w.Next(t.Context())
	require.ErrorIs(t, err, queue.ErrUnreachable)
	_, err = w.Next(t.Context())
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.ErrorContains(t, err, "the server does not take these credentials")
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
