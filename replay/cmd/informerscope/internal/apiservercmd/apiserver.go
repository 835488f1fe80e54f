// Package apiservercmd is "informerscope apiserver".
package apiservercmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/apiserver"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/opencmd"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/pages"
	"github.com/informerscope/informerscope/replay/evidence"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/record/cluster"
	"github.com/informerscope/informerscope/replay/serve"
	"github.com/informerscope/informerscope/replay/trace"
)

// options are apiserver's flags.
type options struct {
	apiserver.Options
	names  []string
	port   uint16
	page   uint16 // the page's port
	dir    string
	open   bool
	kind   string
	record string
}

// Command returns "informerscope apiserver".
func Command() *cobra.Command {
	o := &options{}
	c, flags := cli.New("apiserver [flags] TRACE…", "serve a capture or a script as an API server, for kubectl or a controller", cli.Args(math.MaxInt, "a capture or a script is missing"), o.run)
	flags.Uint16Var(&o.port, "port", 0, "the `port` on 127.0.0.1; 0 picks a free one")
	flags.Float64Var(&o.Speed, "speed", 1, "how many `times` faster than recorded")
	flags.DurationVar(&o.From, "from", 0, "begin at this `time` after the capture's start")
	flags.BoolVar(&o.Paused, "paused", false, "let no time pass")
	flags.BoolVar(&o.Writable, "writable", false, "take writes, which are kept beside the capture and are gone at the end")
	flags.StringVarP(&o.record, "out", "o", "", "the `file` to which what clients do is recorded: NAME.trace.jsonl, or with .gz or .zst at the end (default informerscope-apiserver-DATE-TIME.trace.jsonl.gz)")
	flags.BoolVar(&o.open, "open", false, "open the page in the browser")
	flags.Uint16Var(&o.page, "page-port", opencmd.Port, "the `port` of the page on 127.0.0.1; if another program has it, a free one is taken")
	pages.Flag(c, &o.dir)
	files.KindFlag(c, &o.kind)
	return c
}

// run serves the captures until ctx is done.
func (o *options) run(ctx context.Context, names []string, stdout, stderr io.Writer) error {
	o.names = names
	switch {
	case !(o.Speed >= apiserver.MinSpeed && o.Speed <= apiserver.MaxSpeed):
		return cli.UsageError("invalid --speed \"%v\"; want a number from %v to %d", o.Speed, apiserver.MinSpeed, int64(apiserver.MaxSpeed))
	case o.record == files.Stdin:
		return cli.UsageError("-o needs a file: the addresses are on the standard output")
	case o.From < 0:
		return cli.UsageError("invalid --from %q; want 0s or more", o.From)
	}
	in, err := files.Open(ctx, o.names, os.Stdin, files.NewBar(io.Discard, true))
	if err != nil {
		return err
	}
	in.SetKind(o.kind)
	shown := cli.Printable(files.JoinNames(o.names))
	var source opencmd.Parts
	var played *simulated // nil for captures
	if text, isLesson := in.Script(); text != "" {
		if played, err = play(ctx, shown, text, isLesson); err == nil {
			source, o.Simulated = played, true
			played.printNotPlayed(stderr)
		}
	} else {
		source, err = opencmd.Bytes(in)
	}
	if err != nil {
		return named(o.names, err)
	}
	defer source.Close()
	t, err := read(ctx, source)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return named(o.names, err)
	}
	files.TellProblems(stderr, o.names, t)
	s, err := apiserver.New(t, source, o.Options)
	if err != nil {
		return named(o.names, err)
	}
	defer s.Close()
	if len(o.names) > 1 {
		if why := s.TwoClusters(); why != "" {
			return fmt.Errorf("%s are of different clusters, or a backup was restored between them: %s; serve each by a command of its own", files.JoinNames(o.names), cli.Printable(why))
		}
		fmt.Fprintln(stderr, "the captures become one: a resource that several of them have is served with the objects of all")
	}
	for _, note := range s.Notes() {
		fmt.Fprintln(stderr, cli.Printable(note))
	}
	o.record = cmp.Or(o.record, "informerscope-apiserver-"+time.Now().Format("20060102-150405")+".trace.jsonl.gz")
	if err := creatable(o.record); err != nil {
		return err
	}
	port, err := serve.Secure(int(o.port), "apiserver", s.Namespace())
	if errors.Is(err, serve.ErrPortTaken) {
		return fmt.Errorf("port %d is taken by another program; without --port a free one is picked", o.port)
	}
	if err != nil {
		return err
	}
	defer port.Close()
	recorded := &recording{options: o, server: s, transport: s.Server}
	if played != nil {
		recorded.notPlayed = played.notPlayed
		recorded.transport = s.SetFaults(played.faults)
	}
	how := "read-only"
	if o.Writable {
		how = "writable"
	}
	fmt.Fprintf(stdout, "%s is served at https://%s, %s (Ctrl-C stops it)\nexport KUBECONFIG=%s\n", shown, port.Addr(), how, port.Kubeconfig())
	running, stop := context.WithCancel(ctx)
	defer stop()
	hide, err := o.show(running, recorded, source, port, stdout, stderr)
	if err != nil {
		return errors.Join(err, recorded.close(stderr))
	}
	defer hide()
	go s.Run(running)
	err = s.Serve(running, port, recorded)
	return errors.Join(err, recorded.close(stderr))
}

// named returns the error of an input with its name, which the error of a conversion or of a script has already.
func named(names []string, err error) error {
	if strings.HasPrefix(err.Error(), names[0]+":") {
		return err
	}
	return fmt.Errorf("%s: %w", files.JoinNames(names), err)
}

// clientsName is the name under which the page opens what clients do.
const clientsName = "what-clients-did.trace.jsonl"

// show serves the page until ctx is done. Without a page the captures are served all the same, unless it was asked for.
func (o *options) show(ctx context.Context, recorded *recording, source opencmd.Parts, port *serve.Secured, stdout, stderr io.Writer) (closed func(), err error) {
	name := o.names[0]
	if o.Simulated {
		name += ".trace.jsonl"
	}
	captures := []serve.Opened{opencmd.Handed(ctx, name, source), {Name: clientsName, Open: recorded.read}}
	site, err := opencmd.Serve(o.dir, int(o.page), captures, "apiserver.html", func() {}, stderr)
	switch {
	case err != nil && (o.open || o.dir != ""):
		return nil, err
	case err != nil:
		fmt.Fprintf(stderr, "the page isn't served: %v\n", err)
		return func() {}, nil
	}
	site.Handle("apiserver", recorded.server.Page(apiserver.About{
		Name: files.JoinNames(o.names), API: "https://" + port.Addr().String(), Kubeconfig: port.Kubeconfig(), Recorded: o.record, Simulated: o.Simulated, NotPlayed: recorded.notPlayed,
		Capture:     evidence.Link{}.Serving(captures[0].Path()).Fragment(),
		WithClients: evidence.Link{}.Serving(captures[1].Path()).Add("beside", "capture").Add("url", captures[0].Path()).Fragment(),
	}))
	fmt.Fprintf(stdout, "the page is at %s\n", site.Address())
	remove := func() {}
	if o.open {
		remove = site.Show(ctx, stderr)
	}
	go site.Run(ctx)
	return func() { site.Close(); remove() }, nil
}

// recording records what clients do, from their first request on.
type recording struct {
	*options
	server    *apiserver.Server
	transport http.RoundTripper // of clients
	notPlayed []string          // see apiserver.About

	once     sync.Once
	through  http.Handler
	file     *cluster.File
	recorder *record.Recorder
	failed   error
}

func (r *recording) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	r.once.Do(r.begin)
	if r.failed != nil {
		http.Error(w, "what clients do can't be recorded: "+r.failed.Error(), http.StatusInternalServerError)
		return
	}
	r.through.ServeHTTP(w, hr)
}

func (r *recording) begin() {
	if r.file, r.failed = cluster.Create(r.record, io.Discard); r.failed != nil {
		return
	}
	note := "the server shows a capture: "
	if r.Simulated {
		note = "the server is simulated, as a script says: "
	}
	note += strings.Join(r.names, ", ")
	if r.recorder, r.failed = record.New(r.file, record.Options{Recorder: "informerscope apiserver", Note: note}); r.failed == nil {
		r.through = apiserver.HandlerOf(r.recorder.Wrap(r.transport))
	}
}

// creatable tells before any client comes why the file of the recording can't be created.
func creatable(name string) error {
	f, err := cluster.Create(name, io.Discard)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(name))
}

// read reads what was recorded until now, in whole lines.
func (r *recording) read() (io.ReadCloser, error) {
	f, err := os.Open(r.record)
	if err != nil {
		return nil, err
	}
	plain, err := file.Plain(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	out, w := io.Pipe()
	go func() {
		defer f.Close()
		defer plain.Close()
		for in := bufio.NewReader(plain); ; {
			line, err := in.ReadBytes('\n')
			if err == nil {
				_, err = w.Write(line)
			}
			if err != nil { // the end of what was written until now
				w.Close()
				return
			}
		}
	}()
	return out, nil
}

// close ends the file, and says how to open it.
func (r *recording) close(stderr io.Writer) error {
	r.once.Do(func() {})
	if r.recorder == nil {
		return r.failed
	}
	err := errors.Join(r.recorder.Close(), r.file.Close())
	if err != nil {
		return fmt.Errorf("%s could not be written: %w; it holds what was recorded before, up to the last whole line (%s)", r.record, err, plain.Size(r.file.Size()))
	}
	beside := ""
	for _, name := range r.names {
		if name != files.Stdin && !r.Simulated {
			beside += " --against " + name
		}
	}
	fmt.Fprintf(stderr, "what clients did: informerscope open %s\n", cli.Printable(r.record+beside))
	return nil
}

const (
	readBy = 4 << 20
	// small is how large a capture is that is read whole. Of a larger one, a glance at each line must be enough.
	small = 16 << 20
)

// read reads a capture.
func read(ctx context.Context, source opencmd.Parts) (*trace.Trace, error) {
	if err := source.Await(ctx, small+1); err != nil {
		return nil, err
	}
	glance := source.Size() > small
	r := format.NewReader(format.Options{Glance: glance})
	buf := make([]byte, readBy)
	for offset := int64(0); ; {
		if err := source.Await(ctx, offset+readBy); err != nil {
			return nil, err
		}
		n, err := source.ReadAt(buf, offset)
		if refused := r.Write(buf[:n]); refused != nil {
			return nil, refused
		}
		if offset += int64(n); err == io.EOF {
			break
		}
		if err != nil && offset == 0 {
			return nil, err
		}
		if err != nil {
			r.Fail(err)
			break
		}
	}
	err := r.Close()
	if check := r.Check(); err == nil && check != nil {
		// All lines were written by one program, so the first ones say whether a glance is enough.
		n, _ := source.ReadAt(buf, 0)
		if check.Write(buf[:n]) == format.ErrMisread {
			return nil, format.ErrMisread
		}
	}
	return r.Trace(), err
}
