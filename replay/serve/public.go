package serve

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Public serves a page to everybody who reaches this machine, until ctx is done. A container
// needs that, as nobody else reaches its loopback interface. There is nothing but the page, which
// is the same for everybody: no cluster, and no capture. So a request may name any host.
func Public(ctx context.Context, port int, page http.Handler, listening func(net.Addr)) error {
	l, err := net.Listen("tcp", net.JoinHostPort("", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	defer l.Close()
	listening(l.Addr())
	return run(ctx, l, page)
}

// Answers returns an error unless a page is served at a port of this machine.
func Answers(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, "http://"+net.JoinHostPort("127.0.0.1", strconv.Itoa(port))+"/", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the answer is %s", answer.Status)
	}
	return nil
}
