package jetstream

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Options say where the queue is and who asks.
type Options struct {
	URL         string // nats:// or tls://, several with commas between them
	Bucket      string // begins the names of all that is kept; empty: DefaultBucket
	Replicas    int    // on how many servers each thing is kept where it is made here; 0: one
	Credentials string // a file that only this person can read; empty: no login
	Authority   string // a file with the authorities that may vouch for the server; empty: the system's
	Local       string // a directory of this machine and user alone, for the locks of processes; empty: no locks
}

// DefaultBucket begins the names if the options give no bucket.
const DefaultBucket = "choicetui"

// maxReplicas is the most copies that a server keeps.
const maxReplicas = 5

// schemes are the URL schemes of a queue on a server.
var schemes = []string{"nats", "tls"}

// IsAddress reports whether a queue's name is the address of a server that this package speaks to, and not a directory.
func IsAddress(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && slices.Contains(schemes, strings.ToLower(scheme))
}

// LowerSchemes returns the addresses of servers with their schemes in small letters: they mean the same in capital
// ones.
func LowerSchemes(address string) string {
	servers := strings.Split(address, ",")
	for i, one := range servers {
		if scheme, rest, ok := strings.Cut(one, "://"); ok {
			servers[i] = strings.ToLower(scheme) + "://" + rest
		}
	}
	return strings.Join(servers, ",")
}

// NamePlace returns the one name of a queue on a server, whichever way its address is written.
func NamePlace(address, bucket string) string {
	var servers []string
	for one := range strings.SplitSeq(address, ",") {
		one = strings.TrimSpace(one)
		if u, err := url.Parse(one); err == nil && u.Host != "" {
			port := u.Port()
			if port == "" {
				port = defaultPort
			}
			one = u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
		}
		servers = append(servers, one)
	}
	name := strings.Join(servers, ",")
	if bucket != "" && bucket != DefaultBucket {
		name += ", bucket " + bucket
	}
	return name
}

const defaultPort = "4222"

// check fills in what was left out, and says what is wrong with the rest.
func (o Options) check() (Options, error) {
	if o.Bucket == "" {
		o.Bucket = DefaultBucket
	}
	switch {
	case !queue.ValidInstance(o.Bucket): // it begins the names of buckets and subjects
		return o, fmt.Errorf("%q cannot name buckets: letters, digits, - and _ can", o.Bucket)
	case o.Replicas < 0 || o.Replicas > maxReplicas:
		return o, fmt.Errorf("%d replicas: a server keeps 1 to %d", o.Replicas, maxReplicas)
	}
	o.Replicas = max(o.Replicas, 1)
	var servers []string
	for _, one := range strings.Split(LowerSchemes(o.URL), ",") {
		one = strings.TrimSpace(one)
		if err := checkAddress(one); err != nil {
			return o, err
		}
		servers = append(servers, one)
	}
	o.URL = strings.Join(servers, ",")
	return o, nil
}

// checkAddress never repeats an address that has a password in it.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return errors.New("the address of the queue's server cannot be read")
	case u.User != nil:
		return errors.New("a name or a password does not belong into the address of the queue's server, where others " +
			"see it: it goes into the file that queue_credentials names")
	case !slices.Contains(schemes, u.Scheme) || u.Hostname() == "" || strings.Trim(u.Path, "/") != "":
		return fmt.Errorf("%q is no address of a server: nats://HOST:PORT and tls://HOST:PORT are", address)
	}
	return nil
}
