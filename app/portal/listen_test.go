package portal

import (
	"net"
	"time"
)

// listenAgain listens on an address that another server has just given up.
type listenAgain struct{ addr string }

func (l *listenAgain) listen() (net.Listener, error) {
	var err error
	for range 100 {
		var on net.Listener
		if on, err = net.Listen("tcp", l.addr); err == nil {
			return on, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, err
}
