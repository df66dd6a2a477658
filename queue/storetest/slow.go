package storetest

import (
	"io"
	"net"
	"net/url"
	"time"
)

// SlowLink returns the address of a link to a server that delays everything by each, in both directions, until stop
// is called.
func SlowLink(server string, each time.Duration) (address string, stop func(), err error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				time.Sleep(2 * each) // the round trip that opens a connection
				remote, err := net.Dial("tcp", u.Host)
				if err != nil {
					_ = near.Close()
					return
				}
				go carry(remote, near, each)
				carry(near, remote, each)
			}()
		}
	}()
	return u.Scheme + "://" + l.Addr().String(), func() { _ = l.Close() }, nil
}

// carry copies the data of a connection with a delay, in order.
func carry(to io.WriteCloser, from io.Reader, later time.Duration) {
	type part struct {
		due time.Time
		raw []byte
	}
	parts := make(chan part, 1<<12)
	go func() {
		defer to.Close()
		for p := range parts {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.raw); err != nil {
				return
			}
		}
	}()
	defer close(parts)
	for {
		raw := make([]byte, 32<<10)
		n, err := from.Read(raw)
		if err != nil {
			return
		}
		parts <- part{time.Now().Add(later), raw[:n]}
	}
}
