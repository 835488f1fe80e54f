// Package kubectl reaches a cluster as kubectl does: it starts "kubectl proxy",
// so that every kubeconfig, exec plugin and cloud login works, and no credential
// is ever seen here.
package kubectl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// ErrNotInstalled is the reason in Start's error where there is no kubectl.
var ErrNotInstalled = errors.New("kubectl is not installed, or not in the PATH")

// Options of Start. The zero value reaches the current context's cluster.
type Options struct {
	Context    string // the kubeconfig's context, "" for the current one
	Kubeconfig string // the kubeconfig's file, "" for kubectl's own choice
	Program    string // "" for the kubectl in the PATH

	// NoSecrets lets kubectl itself refuse what has to do with Secrets.
	NoSecrets bool
	// Messages gets what kubectl says beside its errors: how to log in, for one.
	// nil is nowhere.
	Messages io.Writer
	// Lost is called whenever kubectl ends by itself. nil is nobody.
	Lost func(err error)
}

func (o Options) program() string {
	if o.Program == "" {
		return "kubectl"
	}
	return o.Program
}

// What kubectl refuses, as regular expressions, several of them separated by
// commas. Anyone on this machine can find its port, so it must not do more than
// what is needed: to read.
const (
	notGet       = `^([^G]|G[^E]|GE[^T]|GET.)`
	subresources = `/namespaces/[^/]+/[^/]+/[^/]+/(exec|attach|portforward|proxy|log)(/|$),/nodes/[^/]+/proxy(/|$)`
	secrets      = `(?i)/namespaces/[^/]+/secrets(/|$),(?i)^/api/v1/(watch/)?secrets(/|$)`
)

// Start starts kubectl proxy on a free port of the loopback interface, and
// returns its address once it listens: "http://127.0.0.1:40123". It runs until
// ctx is done, or until stop, which may be called more than once and returns
// when the process is gone. If it ends by itself it is started again, on the
// same port. Where it never listens, the error has what kubectl had to say.
func Start(ctx context.Context, o Options) (address string, stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	p := &proxy{o: o, ready: make(chan string, 1), failed: make(chan error, 1), gone: make(chan struct{})}
	go p.keep(ctx)
	stop = func() {
		cancel()
		<-p.gone
	}
	select {
	case address = <-p.ready:
		return "http://" + address, stop, nil
	case err = <-p.failed:
		stop()
		return "", nil, fmt.Errorf("kubectl proxy did not start: %w", err)
	case <-ctx.Done():
		stop()
		return "", nil, ctx.Err()
	}
}

// proxy is a kubectl proxy that is kept running.
type proxy struct {
	o      Options
	ready  chan string // where it listens, once
	failed chan error  // why it never did
	gone   chan struct{}
}

// pause is how long a proxy that ended is left alone.
const pause = time.Second

func (p *proxy) keep(ctx context.Context) {
	// Where a child dies with its parent, that is the thread that began it.
	runtime.LockOSThread()
	defer close(p.gone)
	for port := "0"; ; {
		address, err := p.run(ctx, port)
		switch {
		case ctx.Err() != nil:
			return
		case address != "":
			_, port, _ = net.SplitHostPort(address)
		case port == "0":
			p.failed <- err
			return
		}
		if p.o.Lost != nil {
			p.o.Lost(fmt.Errorf("kubectl proxy ended: %w", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// run runs kubectl until it ends. address is where it listened, "" if it never
// did.
func (p *proxy) run(ctx context.Context, port string) (address string, err error) {
	c := exec.CommandContext(ctx, p.o.program(), p.o.args(port)...)
	c.Cancel = func() error { return end(c.Process) }
	c.WaitDelay = patience
	said := &tail{copy: p.o.Messages}
	c.Stderr = said
	apart(c)
	out, err := c.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			err = ErrNotInstalled
		}
		return "", err
	}
	lines := bufio.NewReader(out)
	if address = listening(lines); address != "" {
		select {
		case p.ready <- address:
		default: // not for the first time
		}
	}
	io.Copy(io.Discard, lines) // it mustn't wait for a reader; an error is its end, too
	return address, said.reason(c.Wait())
}

func (o Options) args(port string) []string {
	reject := subresources
	if o.NoSecrets {
		reject += "," + secrets
	}
	args := []string{"proxy", "--port=" + port, "--address=127.0.0.1", "--reject-methods=" + notGet, "--reject-paths=" + reject}
	if o.Context != "" {
		args = append(args, "--context="+o.Context)
	}
	if o.Kubeconfig != "" {
		args = append(args, "--kubeconfig="+o.Kubeconfig)
	}
	return args
}

// CurrentContext asks kubectl which context is the current one.
func CurrentContext(ctx context.Context, o Options) (string, error) {
	args := []string{"config", "current-context"}
	if o.Kubeconfig != "" {
		args = append(args, "--kubeconfig="+o.Kubeconfig)
	}
	c := exec.CommandContext(ctx, o.program(), args...)
	said := &tail{}
	c.Stderr = said
	c.WaitDelay = patience
	out, err := c.Output()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", ErrNotInstalled
	case err != nil:
		return "", said.reason(err)
	}
	return strings.TrimSpace(string(out)), nil
}

// patience is how long it is waited for what an exec plugin may have left behind
// when kubectl is gone.
const patience = 3 * time.Second

// listening reads until kubectl says where it listens.
func listening(r *bufio.Reader) string {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return ""
		}
		if _, address, ok := strings.Cut(line, "Starting to serve on "); ok {
			return strings.TrimSpace(address)
		}
	}
}

// tail keeps the end of what kubectl says.
type tail struct {
	copy io.Writer
	mu   sync.Mutex
	text []byte
}

const longestTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	t.text = append(t.text, b...)
	if n := len(t.text) - longestTail; n > 0 {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	t.mu.Unlock()
	if t.copy != nil {
		t.copy.Write(b) // where it can't be told, nothing else is lost
	}
	return len(b), nil
}

func (t *tail) reason(died error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := bytes.TrimSpace(t.text); len(text) > 0 {
		return errors.New(string(text))
	}
	if died == nil {
		return errors.New("it ended without a word")
	}
	return died
}
