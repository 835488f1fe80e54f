package kubectl

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"regexp"
	"runtime"
)

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
	a := &rawAnswer{PipeReader: r, cancel: cancel, gone: make(chan struct{})}
	go func() {
		// On Linux, kubectl ends when the thread that started it ends: see apart.
		runtime.LockOSThread()
		defer close(a.gone)
		c := exec.CommandContext(ctx, o.program(), o.kubeconfig("get", "--raw", path)...)
		c.Cancel = func() error { return end(c.Process) }
		c.WaitDelay = patience
		said := &tail{copy: o.Messages}
		c.Stdout, c.Stderr = w, said
		apart(c)
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
	gone   chan struct{}
}

func (a *rawAnswer) Close() error {
	a.cancel()
	err := a.PipeReader.Close()
	<-a.gone
	return err
}
