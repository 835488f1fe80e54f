package live

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/proof"
)

// streamBody is the body of a watch.
type streamBody struct {
	*io.PipeReader
	t       *transport
	n       int
	endOnce sync.Once
}

func (s *streamBody) end(how string) {
	s.endOnce.Do(func() { s.t.line(map[string]any{"ev": "end", "n": s.n, "how": how}) })
}

// Close ends the stream, as the client does.
func (s *streamBody) Close() error {
	s.end("client closed")
	return s.PipeReader.Close()
}

// send writes the stream, and ends it.
func (s *streamBody) send(w *io.PipeWriter, a ScriptedReply) {
	for _, step := range a.Steps {
		proof.Pass(time.Duration(step.SleepMs) * time.Millisecond)
		if step.Raw != "" {
			if _, err := w.Write([]byte(step.Raw)); err != nil {
				return // the client has closed it
			}
		}
		if step.Ev == "" {
			continue
		}
		event := map[string]any{"type": step.Ev}
		switch step.Ev {
		case "ERROR":
			event["object"] = status(step.Code, step.Reason)
		case "BOOKMARK":
			o := configMap("@" + step.RV)
			if step.InitialEnd {
				o["metadata"].(map[string]any)["annotations"] = map[string]any{"k8s.io/initial-events-end": "true"}
			}
			event["object"] = o
		default:
			event["object"] = configMap(step.O)
		}
		b, err := json.Marshal(event)
		if err != nil {
			panic(err) // it is made of strings
		}
		if _, err := w.Write(append(b, '\n')); err != nil {
			return // the client has closed it
		}
	}
	how, err := a.End, io.EOF
	if seconds, timeout := strings.CutPrefix(a.End, "timeout "); timeout {
		n, _ := strconv.Atoi(seconds)
		proof.Pass(time.Duration(n) * time.Second)
		how = "timeoutSeconds passed"
	} else if a.End != "eof" {
		err = transportError(a.End)
	}
	s.end("server: " + how)
	w.CloseWithError(err)
}

func transportError(name string) error {
	switch name {
	case "refused":
		return &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	case "reset":
		return &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	case "eof":
		return io.EOF
	case "unexpected-eof":
		return io.ErrUnexpectedEOF
	case "net-timeout":
		return &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ETIMEDOUT}
	case "closed":
		return net.ErrClosed
	case "http2-lost":
		return errors.New("http2: client connection lost")
	case "http2-goaway":
		return errors.New(`http2: server sent GOAWAY and closed the connection; LastStreamID=1, ErrCode=NO_ERROR, debug=""`)
	case "x509":
		return x509.UnknownAuthorityError{}
	}
	return &net.DNSError{Err: name, Name: "server", IsNotFound: true}
}
