package door

import (
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/portal/client"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestTheFileOfARunningPortalIsThisPersonsAloneAndGoesWithIt(t *testing.T) {
	r := newRig(t)
	path := r.files.place
	is, err := os.Lstat(path)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, is.Mode().Perm())
	p, err := client.Read(path)
	require.NoError(t, err)
	require.Equal(t, client.Place{PID: os.Getpid(), Port: r.place.Port, Queue: r.dir, Control: p.Control}, p)
	require.Greater(t, len(p.Control), 25)

	require.NoError(t, os.Chmod(path, 0o644))
	_, err = client.Read(path)
	require.Error(t, err, "others could have read it")
	require.NoError(t, os.Chmod(path, 0o600))
	r.stop()
	require.NoFileExists(t, path)
	for _, left := range []string{r.files.kept, r.files.lock} {
		is, err := os.Lstat(left)
		require.NoError(t, err)
		require.EqualValues(t, 0o600, is.Mode().Perm())
	}
}

func TestFiles_AreFoundWithoutARuntimeDirectory(t *testing.T) {
	r := newRig(t)
	t.Setenv("XDG_RUNTIME_DIR", "")
	xdg.Reload()
	_, err := Open(Options{Queue: r.q, Dir: r.dir})
	var runs *Runs
	require.ErrorAs(t, err, &runs)
	f, err := filesOf(r.dir)
	require.NoError(t, err)
	require.Equal(t, r.files, f)
}

func TestASecondPortalOfTheQueueFindsTheFirst(t *testing.T) {
	r := newRig(t)
	_, err := Open(Options{Queue: r.q, Dir: r.dir})
	var runs *Runs
	require.ErrorAs(t, err, &runs)
	require.Equal(t, r.place, runs.Place)
	other, err := Open(Options{Queue: r.q, Dir: r.dir + "2"})
	require.NoError(t, err, "another queue has its own")
	require.NotEqual(t, r.place.Port, other.place.Port)
	other.Close()
}

func TestOfTwoPortalsThatStartAtOnceOneWins(t *testing.T) {
	dir := home(t)
	q := queue.New(storetest.NewMemory())
	var all sync.WaitGroup
	portals, found := make(chan *Portal, 8), make(chan int, 8)
	start := make(chan struct{})
	for range 8 {
		all.Go(func() {
			<-start
			p, err := Open(Options{Queue: q, Dir: dir})
			var runs *Runs
			switch {
			case err == nil:
				portals <- p
			case errors.As(err, &runs):
				found <- runs.Port
			default:
				assert.NoError(t, err)
			}
		})
	}
	close(start)
	all.Wait()
	require.Len(t, portals, 1)
	require.Len(t, found, 7)
	p := <-portals
	defer p.Close()
	for range 7 {
		require.Equal(t, p.place.Port, <-found)
	}
}

func TestAPortalThatWasKilledIsInNobodysWay(t *testing.T) {
	dir := home(t)
	f, err := filesOf(dir)
	require.NoError(t, err)
	require.NoError(t, client.Place{PID: os.Getpid(), Port: 1, Queue: dir, Control: "x"}.Write(f.place))
	p, err := Open(Options{Queue: queue.New(storetest.NewMemory()), Dir: dir})
	require.NoError(t, err)
	p.Close()
}

func TestAnOpenPageFindsThePortalAgainAfterARestart(t *testing.T) {
	r := newRig(t)
	s := r.ask()
	b := r.entered()
	port := r.place.Port
	given, err := r.GivenLink(t.Context(), s.ID, "claude")
	require.NoError(t, err)
	conn := b.page()
	r.stop()
	require.True(t, over(t, conn))
	r.start()
	require.Equal(t, port, r.place.Port)
	b.page()
	require.Equal(t, http.StatusOK, r.browser().enter(given).status)
	r.stop()
	r.start()
	require.Equal(t, http.StatusUnauthorized, r.browser().enter(given).status, "it was used before the restart")
	raw, err := os.ReadFile(r.files.kept)
	require.NoError(t, err)
	for _, secret := range []string{b.secret, b.cookies["choicetui-"+r.here.port], tokenIn(given)} {
		require.NotContains(t, string(raw), secret, "hashes alone are kept")
	}
}

func TestWhereAnotherProgramHasThePortNobodyIsLetInByWhatItMaySee(t *testing.T) {
	r := newRig(t)
	b := r.entered()
	cookie := b.cookies["choicetui-"+r.here.port]
	port := r.place.Port
	r.stop()
	thief, err := net.Listen("tcp", loopback(port))
	require.NoError(t, err)
	defer thief.Close()
	r.start()
	require.NotEqual(t, port, r.place.Port)
	b.base, b.cookies = "http://"+r.here.hosts[0], map[string]string{"choicetui-" + r.here.port: cookie}
	_, status := b.dial()
	require.Equal(t, http.StatusUnauthorized, status)
}

func TestWhatOthersCouldHaveWrittenLetsNobodyIn(t *testing.T) {
	r := newRig(t)
	b := r.entered()
	r.stop()
	require.NoError(t, os.Chmod(r.files.kept, 0o666))
	r.start(func(o *Options) { o.Listen = b.base[len("http://"):] })
	_, status := b.dial()
	require.Equal(t, http.StatusUnauthorized, status)
	is, err := os.Lstat(r.files.kept)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, is.Mode().Perm())
}

func TestItListensOnThisMachineAlone(t *testing.T) {
	for _, address := range []string{"", "127.0.0.1:0", "localhost:0", "[::1]:0"} {
		t.Run(address, func(t *testing.T) {
			r := newRig(t, func(o *Options) { o.Listen = address })
			for _, at := range r.open {
				require.True(t, at.Addr().(*net.TCPAddr).IP.IsLoopback())
			}
			require.Equal(t, http.StatusOK, r.entered().get("/").status, "also where others look for it")
		})
	}
	_, err := Open(Options{Queue: queue.New(storetest.NewMemory()), Dir: home(t), Listen: "0.0.0.0:0"})
	require.ErrorContains(t, err, "can be reached from other machines")
}

func TestThePortOfTheSettingsIsTakenOrNone(t *testing.T) {
	free, err := net.Listen("tcp", loopback(0))
	require.NoError(t, err)
	port := portOf(free)
	o := Options{Queue: queue.New(storetest.NewMemory()), Dir: home(t), Port: port}
	_, err = Open(o)
	require.ErrorIs(t, err, ErrPortTaken)
	o.Transient = true
	p, err := Open(o)
	require.NoError(t, err, "one that was started by the way takes another")
	require.NotEqual(t, port, p.place.Port)
	p.Close()
	require.NoError(t, free.Close())
	for range 2 {
		p, err = Open(o)
		require.NoError(t, err)
		require.Equal(t, port, p.place.Port)
		p.Close()
		o.Port = 0 // the port of last time is used
	}
}
