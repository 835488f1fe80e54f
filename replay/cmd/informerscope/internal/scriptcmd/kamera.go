package scriptcmd

import (
	"bufio"
	"fmt"
	"io"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/kamera"
	"github.com/informerscope/informerscope/replay/plain"
)

// kameraFlags are what is asked about a dump of kamera.
type kameraFlags struct {
	path    int // 0 for all
	workers int
	script  string // the controller whose script is printed, "" for none
}

// explore answers for each path of a dump whether it survives.
func (k *kameraFlags) explore(name string, in io.Reader, limits world.Limits, o cli.Output, stdout io.Writer) error {
	d, err := kamera.Read(in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	from, to := 1, d.Paths()
	switch {
	case k.path < 0 || k.path > to:
		return cli.Wrong("--path %d: the dump has the paths 1 to %d", k.path, to)
	case k.workers < 1 || k.workers > 16:
		return cli.Wrong("--workers must be 1 to 16")
	case k.path > 0:
		from, to = k.path, k.path
	case k.script != "":
		return cli.Wrong("--script needs --path")
	}
	out := bufio.NewWriter(stdout)
	docs := cli.NewDocuments(out, o, false)
	for n := from; n <= to; n++ {
		a := d.Ask(n, kamera.Options{Workers: k.workers, Limits: limits})
		switch {
		case k.script != "":
			if err := k.print(&a, out); err != nil {
				return err
			}
		case o != cli.AsText:
			docs.Print(a)
		default:
			tell(&a, out)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// print prints the script of a controller.
func (k *kameraFlags) print(a *kamera.Answer, out io.Writer) error {
	for _, p := range a.Parts {
		if p.Controller != k.script {
			continue
		}
		if p.Script == "" {
			return fmt.Errorf("there is no script: the part of %s is %s", p.Controller, p.Verdict)
		}
		_, err := io.WriteString(out, p.Script)
		return err
	}
	return fmt.Errorf("path %d has no controller %q", a.Path, k.script)
}

// tell prints an answer as text.
func tell(a *kamera.Answer, out io.Writer) {
	fmt.Fprintf(out, "path %d, to state %s in %d steps: %s\n", a.Path, plain.Text(a.State), a.Steps, a.Verdict)
	for _, p := range a.Parts {
		fmt.Fprintf(out, "  %s: %s", plain.Text(p.Controller), p.Verdict)
		if p.Step > 0 {
			fmt.Fprintf(out, " step %d", p.Step)
		}
		if p.Why != "" {
			fmt.Fprintf(out, ": %s", plain.Text(p.Why))
		}
		if p.States > 0 {
			fmt.Fprintf(out, " (%d states)", p.States)
		}
		fmt.Fprintln(out)
	}
	if s := a.Shared; s != nil {
		fmt.Fprintf(out, "  with all controllers in one process: %s step %d: %s\n", s.Verdict, s.Step, plain.Text(s.Why))
	}
}
