package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/convert"
)

// convertCommand writes captures of any format as one trace of our own.
func convertCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("informerscope convert", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", stdinName, "the `file` to write, compressed if its name ends in .gz or .zst; - is the standard output")
	force := flags.Bool("force", false, "replace the file if it is there already, once all is written")
	strict := flags.Bool("strict", false, "write nothing if some of it can't be read")
	quiet := flags.Bool("quiet", false, "show no progress, and no summary")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Writes captures of any format as a trace of informerscope's own. Several are put together on one\nclock. A FILE may be compressed with gzip or zstd; - is the standard input.\n\nUsage:\n  informerscope convert [-o OUT.trace.jsonl.gz] [--force] [--strict] FILE…\n\nIf some of a FILE can't be read, the rest is written and the exit status is 3.\n\nFlags:")
		flags.PrintDefaults()
	}
	names, err := files(flags, args, math.MaxInt)
	if err != nil || names == nil {
		return err
	}
	b := newBar(stderr, *quiet)
	c, err := openCaptures(ctx, names, os.Stdin, b)
	if err != nil {
		return err
	}
	to, err := createTarget(*out, *force, stdout)
	if err != nil {
		return err
	}
	sum, err := convert.Convert(to, c.inputs, convert.Options{Progress: b.set})
	b.done()
	lines := int64(0)
	if sum != nil {
		lines = sum.Lines
	}
	if err == nil && *strict && sum.Problem > 0 {
		tellSummary(stderr, names, to.name, sum)
		return to.close(damageIn(sum.Problem, sum.Lost, true), 0)
	}
	if err = to.close(interrupted(ctx, err), lines); err != nil {
		return err
	}
	if !*quiet {
		tellSummary(stderr, names, to.name, sum)
	}
	return damageIn(sum.Problem, sum.Lost, false)
}

// tellSummary says what was converted.
func tellSummary(stderr io.Writer, names []string, out string, sum *convert.Summary) {
	formats := slices.Compact(slices.Sorted(slices.Values(sum.Formats)))
	into := ""
	if out != stdinName {
		into = " to " + out
	}
	fmt.Fprintf(stderr, "%s%s: %s, from %s\n", plural(len(names), "file"), into, plural64(sum.Lines, "line", "lines"), strings.Join(formats, ", "))
	for _, m := range sum.Remarks {
		fmt.Fprintln(stderr, printable(convert.Sentence(m.ID, m.Count, m.Detail)))
	}
	for _, p := range sum.Problems {
		text := p.Error()
		if p.Line == 0 && p.Offset == 0 {
			text = p.Reason
		}
		if len(names) == 1 {
			text = shownNames(names) + ": " + text
		}
		fmt.Fprintln(stderr, printable(text))
	}
	if more := sum.Problem - int64(len(sum.Problems)); more > 0 {
		fmt.Fprintf(stderr, "and %s more\n", plural64(more, "problem", "problems"))
	}
}

// target is where a trace is written to.
type target struct {
	name  string   // as it was asked for
	path  string   // of the file that is to be replaced, "" for none
	stays bool     // it is no file that could be removed
	file  *os.File // nil for the standard output
	lines *bufio.Writer
	pack  io.WriteCloser
}

// createTarget makes the file, which must not be there unless it is to be
// replaced; then another one beside it is written first. Devices and pipes are
// written to as they are.
func createTarget(name string, force bool, stdout io.Writer) (*target, error) {
	t := &target{name: name}
	under := stdout
	if name != stdinName {
		f, err := t.create(force)
		if err != nil {
			return nil, err
		}
		t.file, under = f, f
	}
	var err error
	if t.pack, err = packer(under, name); err != nil {
		return nil, err
	}
	t.lines = bufio.NewWriterSize(t.pack, 256<<10)
	return t, nil
}

func (t *target) create(force bool) (*os.File, error) {
	info, err := os.Stat(t.name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return os.OpenFile(t.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	case err != nil:
		return nil, err
	case info.Mode()&(os.ModeDevice|os.ModeNamedPipe) != 0:
		t.stays = true
		return os.OpenFile(t.name, os.O_WRONLY, 0)
	case !force || !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is there already; give another name, or --force to replace a file", t.name)
	}
	// A link goes on to point at what is replaced.
	if t.path, err = filepath.EvalSymlinks(t.name); err != nil {
		return nil, err
	}
	return os.CreateTemp(filepath.Dir(t.path), "."+filepath.Base(t.path)+".*")
}

func (t *target) Write(line []byte) (int, error) { return t.lines.Write(line) }

// close ends the file. failed is why the writing ended early, nil if it did not;
// then what was written until then stays, where it is whole lines of a trace.
func (t *target) close(failed error, lines int64) error {
	err := t.lines.Flush()
	if closed := t.pack.Close(); err == nil {
		err = closed
	}
	if t.file == nil {
		return cmp.Or(failed, err)
	}
	if closed := t.file.Close(); err == nil {
		err = closed
	}
	if failed = cmp.Or(failed, err); failed == nil {
		if t.path != "" {
			return os.Rename(t.file.Name(), t.path)
		}
		return nil
	}
	if t.stays {
		return failed
	}
	if lines == 0 {
		os.Remove(t.file.Name())
		return failed
	}
	untouched := ""
	if t.path != "" {
		untouched = "; " + t.name + " is as it was"
	}
	return fmt.Errorf("%w; what was converted until then, %s, is in %s%s", failed, plural64(lines, "line", "lines"), t.file.Name(), untouched)
}
