package jetstream

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/storetest"
)

// startCluster starts three servers, each in its own process, that keep three copies of everything, and returns their
// addresses.
func startCluster(t testing.TB) string {
	t.Helper()
	routes := make([]string, 3)
	for i := range routes {
		routes[i] = freeAddress(t)
	}
	var urls []string
	for i, own := range routes {
		_, port, err := net.SplitHostPort(freeAddress(t))
		require.NoError(t, err)
		n := &natsServer{t: t, dir: t.TempDir(), port: port, routes: fmt.Sprint(i, ",", own, ",", strings.Join(routes, ","))}
		n.launch()
		t.Cleanup(n.kill)
		urls = append(urls, n.url())
	}
	all := strings.Join(urls, ",")
	nc, err := nats.Connect(all, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1))
	require.NoError(t, err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: "ready", Replicas: 3})
		return err == nil
	}, 30*time.Second, 100*time.Millisecond, "the cluster elects who leads it")
	return all
}

func TestManyWhoComeToANewQueueOnAClusterAtOnceAllGetIn(t *testing.T) {
	t.Parallel()
	all := startCluster(t)
	for round := range 2 {
		var done sync.WaitGroup
		for range 8 {
			s := openAt(t, Options{URL: all, Bucket: fmt.Sprint("round-", round), Replicas: 3})
			done.Go(func() { storetest.Create(t, s) })
		}
		done.Wait()
	}
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

// joinCluster configures a server as one of a cluster. routes is its number, followed by the addresses of all
// servers.
func joinCluster(o *server.Options, routes string) error {
	words := strings.Split(routes, ",")
	_, port, err := net.SplitHostPort(words[1])
	if err != nil {
		return err
	}
	o.ServerName = "server-" + words[0]
	o.Cluster.Name, o.Cluster.Host = "choicetui", "127.0.0.1"
	if _, err := fmt.Sscan(port, &o.Cluster.Port); err != nil {
		return err
	}
	for _, other := range words[2:] {
		if other != words[1] {
			o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: other})
		}
	}
	return nil
}
