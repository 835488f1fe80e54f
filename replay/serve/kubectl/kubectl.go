// Package kubectl reaches a cluster as kubectl does: it starts "kubectl proxy", or
// "kubectl get --raw" for one request, so that every kubeconfig, exec plugin and
// cloud login works, and no credential is ever seen here.
package kubectl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
)

// ErrNotInstalled is the reason in Start's error if there is no kubectl.
var ErrNotInstalled = errors.New("kubectl is not installed, or not in the PATH")

// Options of Start. The zero value reaches the current context's cluster.
type Options struct {
	Context     string // the kubeconfig's context, "" for the current one
	Kubeconfig  string // the kubeconfig's file, "" for kubectl's own choice
	Program     string // "" for the kubectl in the PATH
	Impersonate string // the user that Start's kubectl and Raw impersonate, "" for nobody

	// NoSecrets makes kubectl itself refuse requests for Secrets.
	NoSecrets bool
	// Messages, if it isn't nil, gets what kubectl writes to its standard error, such as
	// how to log in, but not what the answer to a request has, too.
	Messages io.Writer
	// Lost, if it isn't nil, is called whenever kubectl ends by itself.
	Lost func(err error)
}

func (o Options) program() string {
	if o.Program == "" {
		return "kubectl"
	}
	return o.Program
}

// What kubectl refuses: regular expressions, with commas between. It only needs to
// read.
const (
	notGet       = `^([^G]|G[^E]|GE[^T]|GET.)`
	subresources = `/namespaces/[^/]+/[^/]+/[^/]+/(exec|attach|portforward|proxy|log)(/|$),/nodes/[^/]+/proxy(/|$)`
	secrets      = `(?i)/namespaces/[^/]+/secrets(/|$),(?i)^/api/v1/(watch/)?secrets(/|$)`
)

// Start starts kubectl proxy on a Unix socket in a folder that only this user
// can enter, and returns the socket's path once kubectl listens there. Nobody
// else on this machine can reach the cluster through it. kubectl runs until ctx
// is done, or until stop, which may be called more than once and returns when
// the process and the folder are gone. If kubectl ends by itself it is started
// again, on the same socket. If it never listens, the error holds its messages.
func Start(ctx context.Context, o Options) (socket string, stop func(), err error) {
	dir, err := privateFolder()
	if err != nil {
		return "", nil, fmt.Errorf("kubectl proxy has no place for its socket: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &proxy{o: o, socket: filepath.Join(dir, "kubectl"), ready: make(chan struct{}, 1), failed: make(chan error, 1), exited: make(chan struct{})}
	go p.keep(ctx)
	stop = func() {
		cancel()
		<-p.exited
		os.RemoveAll(dir)
	}
	select {
	case <-p.ready:
		return p.socket, stop, nil
	case err = <-p.failed:
		stop()
		return "", nil, fmt.Errorf("kubectl proxy did not start: %w", err)
	case <-ctx.Done():
		stop()
		return "", nil, ctx.Err()
	}
}

// longestSocket is how long the path of a socket may be: BSD's and macOS's limit
// is 104 bytes, Linux's 108.
const longestSocket = 100

// privateFolder makes a folder that only this user can enter.
func privateFolder() (string, error) {
	dir, err := os.MkdirTemp("", "informerscope-") // 0700
	if err == nil && len(dir) > longestSocket-len("/kubectl") {
		os.Remove(dir)
		dir, err = os.MkdirTemp("/tmp", "informerscope-")
	}
	return dir, err
}

// Dial returns a DialContext for an http.Transport, which connects to a socket of Start
// for every request.
func Dial(socket string) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
}

// Address is the URL for requests through Dial. kubectl refuses other hosts.
const Address = "http://localhost"

// proxy is a kubectl proxy that is kept running.
type proxy struct {
	o      Options
	socket string
	ready  chan struct{} // it listens, told once
	failed chan error    // why it never did
	exited chan struct{}
}

// pause is how long a proxy that ended is left alone.
const pause = time.Second

func (p *proxy) keep(ctx context.Context) {
	// On Linux, kubectl ends when the thread that started it ends: see ownProcessGroup.
	runtime.LockOSThread()
	defer close(p.exited)
	for ever := false; ; {
		listened, err := p.run(ctx)
		ever = ever || listened
		switch {
		case ctx.Err() != nil:
			return
		case !ever:
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

// run runs kubectl until it ends. listened reports whether it ever listened.
func (p *proxy) run(ctx context.Context) (listened bool, err error) {
	// kubectl can't listen where a killed kubectl has left its socket.
	if err := os.Remove(p.socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	c := exec.CommandContext(ctx, p.o.program(), p.o.args(p.socket)...)
	c.Cancel = func() error { return terminate(c.Process) }
	c.WaitDelay = patience
	said := &tail{copy: p.o.Messages}
	c.Stderr = said
	ownProcessGroup(c)
	out, err := c.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := c.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			err = ErrNotInstalled
		}
		return false, err
	}
	lines := bufio.NewReader(out)
	if listened = listening(lines); listened {
		select {
		case p.ready <- struct{}{}:
		default: // not for the first time
		}
	}
	io.Copy(io.Discard, lines) // kubectl must not wait for a reader; an error is its end, too
	return listened, said.reason(c.Wait())
}

func (o Options) args(socket string) []string {
	reject := subresources
	if o.NoSecrets {
		reject += "," + secrets
	}
	return o.withIdentity("proxy", "--unix-socket="+socket, "--reject-methods="+notGet, "--reject-paths="+reject)
}

// withIdentity adds to kubectl's arguments who asks which cluster.
func (o Options) withIdentity(args ...string) []string {
	if o.Impersonate != "" {
		args = append(args, "--as="+o.Impersonate)
	}
	return o.kubeconfig(args...)
}

// kubeconfig adds to kubectl's arguments which cluster is meant.
func (o Options) kubeconfig(args ...string) []string {
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

// patience is how long an exec plugin that kubectl leaves behind may still write
// before its output is closed.
const patience = 3 * time.Second

// listening reads until kubectl says that it listens. It is false if kubectl ends
// before.
func listening(r *bufio.Reader) bool {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return false
		}
		if strings.HasPrefix(line, "Starting to serve on ") {
			return true
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

// answered is in each message that the answer to a request has, too: responder.Error of k8s.io/kubectl/pkg/proxy
// writes it to both.
var answered = []byte("] Error while proxying request: ")

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	t.text = append(t.text, b...)
	if n := len(t.text) - longestTail; n > 0 {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	t.mu.Unlock()
	if t.copy != nil {
		for line := range bytes.Lines(b) {
			if !bytes.Contains(line, answered) {
				t.copy.Write(line) // an error loses only the message
			}
		}
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

// Refused is the error with which kubectl ends if a server's answer is no success, or if there is none.
type Refused struct {
	Code    int    // HTTP status, 0 where kubectl doesn't name it
	Reason  string // of the Status, such as Forbidden; "" where kubectl doesn't name it
	Message string // all that kubectl says
}

func (r *Refused) Error() string { return r.Message }

// codes are the HTTP statuses of the reasons in metav1.StatusReason.
var codes = map[string]int{
	"BadRequest": 400, "Unauthorized": 401, "Forbidden": 403, "NotFound": 404, "MethodNotAllowed": 405,
	"NotAcceptable": 406, "Conflict": 409, "Gone": 410, "Expired": 410, "Invalid": 422, "TooManyRequests": 429,
	"InternalError": 500, "ServiceUnavailable": 503, "Timeout": 504,
}

// named finds a StatusReason in what kubectl says.
var named = regexp.MustCompile(`^(?:Error from server|error: .*) \((\w+)\)`)

// Raw runs "kubectl get --raw" for a path: kubectl sends the request itself, and no proxy of its own
// stands between. The answer's body is read as it comes. Where there is none, or where it is cut off,
// reading ends with a *Refused. Closing it, or the end of ctx, ends kubectl.
func Raw(ctx context.Context, o Options, path string) io.ReadCloser {
	ctx, cancel := context.WithCancel(ctx)
	r, w := io.Pipe()
	a := &rawAnswer{PipeReader: r, cancel: cancel, exited: make(chan struct{})}
	go func() {
		// On Linux, kubectl ends when the thread that started it ends: see ownProcessGroup.
		runtime.LockOSThread()
		defer close(a.exited)
		c := exec.CommandContext(ctx, o.program(), o.withIdentity("get", "--raw", path)...)
		c.Cancel = func() error { return terminate(c.Process) }
		c.WaitDelay = patience
		said := &tail{copy: o.Messages}
		c.Stdout, c.Stderr = w, said
		ownProcessGroup(c)
		switch err := c.Run(); {
		case err == nil:
			w.Close()
		case ctx.Err() != nil:
			w.CloseWithError(ctx.Err())
		case errors.Is(err, exec.ErrNotFound):
			w.CloseWithError(ErrNotInstalled)
		default:
			refused := &Refused{Message: said.reason(err).Error()}
			if m := named.FindStringSubmatch(refused.Message); m != nil {
				refused.Code, refused.Reason = codes[m[1]], m[1]
			}
			w.CloseWithError(refused)
		}
	}()
	return a
}

// rawAnswer is the answer of a kubectl that runs.
type rawAnswer struct {
	*io.PipeReader
	cancel func()
	exited chan struct{}
}

func (a *rawAnswer) Close() error {
	a.cancel()
	err := a.PipeReader.Close()
	<-a.exited
	return err
}
