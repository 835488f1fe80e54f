package try

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// process is the command under way.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{}
	tail  tail
}

// tail keeps the last bytes that were written to it, and passes all on.
type tail struct {
	mu  sync.Mutex
	b   []byte
	out io.Writer
}

const mostTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, b...)
	if over := len(t.b) - mostTail; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	if t.out != nil {
		t.out.Write(b)
	}
	return len(b), nil
}

// last returns the last line that is not empty.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := bytes.TrimSpace(t.b)
	return string(b[bytes.LastIndexByte(b, '\n')+1:])
}

// start starts the command as a process group of its own, with the kubeconfig.
func start(o *Options, kubeconfig string) (*process, error) {
	p := &process{cmd: exec.Command(o.Command[0], o.Command[1:]...), ended: make(chan struct{}), tail: tail{out: o.Output}}
	p.cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	p.cmd.Stdout, p.cmd.Stderr = &p.tail, &p.tail
	p.cmd.WaitDelay = time.Second
	ownGroup(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.cmd.Wait() // ProcessState has how it ended
		close(p.ended)
	}()
	return p, nil
}

// stop asks the process to end, and ends it if it doesn't within two seconds.
func (p *process) stop() {
	end(p.cmd, false)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	select {
	case <-p.ended:
	case <-ctx.Done():
	}
	end(p.cmd, true) // what it has started may be left
	<-p.ended
}

// describeEnd says how the process ended, which it has, and what it printed last.
func (p *process) describeEnd() string {
	s := "nobody knows how"
	if state := p.cmd.ProcessState; state != nil {
		s = state.String()
	}
	if last := p.tail.last(); last != "" {
		s += "; its last line: " + last
	}
	return s
}
