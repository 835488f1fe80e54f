// Package redactcmd is "informerscope redact".
package redactcmd

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
)

// redactOptions are redact's flags and arguments.
type redactOptions struct {
	names     []string
	redaction redact.Options
	rules     map[redact.Rules]*bool // the owner's, which go with --values
	keyIn     string                 // the file that holds the key of the tokens
	keyGiven  bool                   // on the command line
	check     bool
	quiet     bool
}

// NamesFlag adds --names, and the name that it had before.
func NamesFlag(flags *pflag.FlagSet, names *bool) {
	flags.BoolVar(names, "names", false, "make tokens of names, namespaces and labels, too")
	flags.BoolVar(names, "pseudonyms", false, "the same as --names, which takes its place")
	flags.MarkHidden("pseudonyms")
}

// Command returns "informerscope redact".
func Command() *cobra.Command {
	o := &redactOptions{rules: map[redact.Rules]*bool{}}
	c, flags := cli.New("redact IN [OUT]", "write the shape of a capture, which can be shared", cli.Files(2), o.run)
	flags.StringArrayVar(&o.redaction.Keep, "keep", nil, "keep the values of this `path` of objects, too, such as spec.template.spec.containers.image; may be given several times")
	NamesFlag(flags, &o.redaction.Names)
	flags.StringArrayVar(&o.redaction.Paths, "path", nil, "take this `field` of each object out, such as .spec.priority or .metadata.labels[\"a.b/c\"]; may be given several times")
	flags.BoolVar(&o.check, "check", false, "list what of IN stays, by path and with counts, and write nothing")
	flags.BoolVar(&o.redaction.Values, "values", false, "keep values, and take out what the owner's rules know to be a secret")
	rule := func(r redact.Rules, name, usage string) {
		o.rules[r] = flags.Bool(name, redact.Default&r != 0, "with --values: "+usage)
	}
	rule(redact.SecretData, "secrets", "take out the data of Secrets, and of what keeps secrets")
	rule(redact.Env, "env", "take out the values of environment variables")
	rule(redact.LastApplied, "last-applied", "take out annotations that hold the whole object once more; --env and --path do so, too")
	rule(redact.Tokens, "tokens", "take out passwords, tokens and keys, by their names and by what they look like")
	rule(redact.ManagedFields, "managed-fields", "take out managedFields")
	flags.StringVar(&o.keyIn, "key-file", "", "a `file` with a secret of 16 characters or more, - for the standard input; "+keyVariable+" may hold it instead. The same secret gives the same tokens in another run")
	flags.Func("key", "refused, see keyRefused", func(string) error { o.keyGiven = true; return nil })
	flags.MarkHidden("key")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
	return c
}

func (o *redactOptions) run(ctx context.Context, names []string, stdout, stderr io.Writer) error {
	o.names = names
	if o.keyGiven {
		return cli.UsageError("%s", keyRefused)
	}
	err := o.complete()
	var r *redact.Redactor
	if err == nil {
		r, err = redact.New(o.redaction)
	}
	if err != nil {
		return cli.Exit(cli.ExitUsage, err)
	}
	b := files.NewBar(stderr, o.quiet)
	c, err := files.Open(ctx, o.names[:1], os.Stdin, b)
	if err != nil {
		return err
	}
	job := Redaction{Captures: c, Name: files.JoinNames(o.names[:1]), Redactor: r}
	if o.check {
		return job.check(stdout)
	}
	return job.Run(o.names, stdout, stderr)
}

// complete turns the flags into options for redact.New.
func (o *redactOptions) complete() error {
	for r, is := range o.rules {
		if *is {
			o.redaction.Rules |= r
		} else if redact.Default&r != 0 && !o.redaction.Values {
			return fmt.Errorf("--%[1]s=false goes with --values: by default only what is on the list stays, and --keep PATH adds to it", r.Words()[0])
		}
	}
	switch {
	case o.redaction.Values && o.redaction.Rules == 0 && len(o.redaction.Paths) == 0:
		return errors.New("there is nothing to take out")
	case o.redaction.Values && o.redaction.Names:
		return errors.New("--names goes without --values: names may stand in texts, which then stay")
	case o.redaction.Values && len(o.redaction.Keep) > 0:
		return errors.New("--keep goes without --values, which keeps all values")
	case o.check && len(o.names) > 1:
		return errors.New("--check writes nothing: name one file")
	case o.names[0] == files.Stdin && o.keyIn == files.Stdin:
		return errors.New("the standard input can't be both IN and --key-file")
	}
	secret, err := o.secret()
	if err == nil && secret != "" {
		o.redaction.Key, err = tokenKey(secret)
	}
	return err
}

// keyVariable is the environment variable that may hold the key.
const keyVariable = "INFORMERSCOPE_KEY"

// keyRefused is what is said of a key on the command line. Versions before 2026-11-24 took
// it there with a warning, which came when others could have read the key already.
const keyRefused = "--key is refused, because every user of this machine can read a command line: put the key into a file and name that with --key-file, " +
	"or give it on the standard input with --key-file -, or in " + keyVariable

// maxKey is more than a key is long, in bytes.
const maxKey = 1 << 16

// secret returns the key that was given, "" for none.
func (o *redactOptions) secret() (string, error) {
	if o.keyIn == "" {
		return os.Getenv(keyVariable), nil
	}
	in := os.Stdin
	if o.keyIn != files.Stdin {
		file, err := os.Open(o.keyIn)
		if err != nil {
			return "", err
		}
		defer file.Close()
		in = file
	}
	b, err := io.ReadAll(io.LimitReader(in, maxKey))
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(string(b))
	if secret == "" {
		return "", fmt.Errorf("--key-file: %s is empty", o.keyIn)
	}
	return secret, nil
}

// tokenKey returns the key that tokens are made with.
func tokenKey(secret string) ([]byte, error) {
	if len(secret) < 16 {
		return nil, errors.New("the key is too short: whoever guesses it can tell what a token stands for")
	}
	sum := sha256.Sum256([]byte("informerscope pseudonyms\x00" + secret))
	return sum[:16], nil
}

// Redaction is one run of redact. It reads its input once: what was taken out is counted in the last line of the result.
type Redaction struct {
	Captures *files.Captures
	Name     string // of the input, which may be a folder
	Redactor *redact.Redactor
	out      string
	foreign  bool             // the input is converted, because it is no trace
	sum      *convert.Summary // of the conversion
	damage   error
	lines    int64
	leftOut  int64 // the first line that was left out, 0 for none
}

// Run redacts names[0] and writes the result to names[1], or to a file beside
// names[0].
func (j *Redaction) Run(names []string, stdout, stderr io.Writer) (err error) {
	defer j.Captures.Bar.Done()
	if err := j.Detect(); err != nil {
		return err
	}
	j.out = redactedName(names, j.foreign)
	if err := j.write(stdout); err != nil {
		return err
	}
	j.Captures.Bar.Done()
	for _, c := range j.Redactor.Counts() {
		fmt.Fprintf(stderr, "taken out: %s\n", c)
	}
	if j.sum != nil {
		files.TellSummary(stderr, names[:1], j.out, j.sum)
		return errors.Join(j.incomplete(), cli.Damage(j.sum.ProblemCount, j.sum.Gaps, j.sum.Lost, false))
	}
	return j.Lacks()
}

// Lacks returns an error if the trace lacks something that the input had. The input must be one that needs no converting.
func (j *Redaction) Lacks() error { return errors.Join(j.incomplete(), j.damaged()) }

// damaged returns an error about the place after which the input could not be read, nil if there is none.
func (j *Redaction) damaged() error {
	if j.damage == nil {
		return nil
	}
	return cli.Exit(cli.ExitDamaged, fmt.Errorf("%s is damaged after line %d: %w; what stands before that was read", j.Name, j.lines, j.damage))
}

// incomplete returns an error about the lines that were left out, nil if there are none.
func (j *Redaction) incomplete() error {
	for _, c := range j.Redactor.Counts() {
		if c.Name == redact.Dropped {
			return cli.Exit(cli.ExitDamaged, fmt.Errorf("%s: %s left out, because redact can't read what is no JSON, is nested too deeply or is longer than %s; the first one is line %d",
				j.Name, plain.Plural64(c.N, "line was", "lines were"), longest, j.leftOut))
		}
	}
	return nil
}

// longest is format.MaxLine as it is said.
var longest = fmt.Sprintf("%d MB", format.MaxLine>>20)

func (j *Redaction) input() *convert.Input { return &j.Captures.Inputs[0] }

// Detect finds out whether the input must be converted.
func (j *Redaction) Detect() error {
	if j.foreign = len(j.Captures.Inputs) > 1 || j.input().Loose; j.foreign {
		return nil
	}
	f, err := j.input().Open()
	if err != nil {
		return err
	}
	defer f.Close()
	plain, err := file.Plain(f)
	if err != nil {
		return fmt.Errorf("%s: %w", j.input().Name, err)
	}
	defer plain.Close()
	head, err := bufio.NewReaderSize(plain, headerSize).Peek(headerSize)
	if len(head) == 0 && err != io.EOF {
		return fmt.Errorf("%s: %w", j.input().Name, err)
	}
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if j.foreign = !jsonscan.WithinMaxDepth(line) || !trace.IsHeader(line); j.foreign {
		return nil
	}
	if _, err := trace.NewDecoder(&trace.Trace{}, line); err != nil {
		return fmt.Errorf("%s: %w", j.input().Name, err)
	}
	return nil
}

// headerSize is how many bytes of the input are searched for a trace's header.
const headerSize = 1 << 20

// Each calls f with each line of the input's trace, without its newline. Damage
// ends the input without an error.
func (j *Redaction) Each(f func(line []byte)) error {
	j.lines, j.leftOut, j.damage = 0, 0, nil
	read := j.direct
	if j.foreign {
		read = j.convert
	}
	err := read(f)
	return cmp.Or(j.Captures.Ctx.Err(), err)
}

func (j *Redaction) convert(f func(line []byte)) (err error) {
	to := eachLine{func(line []byte) { j.lines++; f(line) }}
	j.sum, err = convert.Convert(to, j.Captures.Inputs, convert.Options{Progress: j.Captures.Bar.Set})
	return err
}

// eachLine is a Writer that gets one line with each Write.
type eachLine struct{ f func(line []byte) }

func (e eachLine) Write(line []byte) (int, error) {
	e.f(bytes.TrimSuffix(line, []byte{'\n'}))
	return len(line), nil
}

func (j *Redaction) direct(f func(line []byte)) error {
	in, err := j.input().Open()
	if err != nil {
		return err
	}
	defer in.Close()
	plain, err := file.Plain(files.Telling(in, j.input().Size, j.Captures.Bar.Set))
	if err != nil {
		return fmt.Errorf("%s: %w", j.input().Name, err)
	}
	defer plain.Close()
	lines := lineReader{r: bufio.NewReaderSize(plain, 1<<20), maxLine: format.MaxLine}
	for {
		line, whole, err := lines.next()
		if err == nil || len(line) > 0 || !whole {
			j.lines++
			if whole {
				f(line)
			} else {
				j.leftOut = cmp.Or(j.leftOut, j.lines)
				j.Redactor.Drop()
			}
		}
		switch {
		case j.Captures.Ctx.Err() != nil || err == io.EOF:
			return nil
		case err != nil:
			j.damage = err
			return nil
		}
	}
}

// write writes what is left of each line to a new file, and then what was taken out.
func (j *Redaction) write(stdout io.Writer) (err error) {
	out := stdout
	if j.out != files.Stdin {
		file, failed := os.OpenFile(j.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(failed, os.ErrExist) {
			return fmt.Errorf("%s is there already; give another name", j.out)
		}
		if failed != nil {
			return failed
		}
		out = file
		defer func() {
			if closed := file.Close(); err == nil && closed != nil {
				err = files.Unwritten(j.out, closed)
			}
			if err != nil {
				os.Remove(j.out) // the trace is not complete
			}
		}()
	}
	packed, err := files.Packer(out, j.out)
	if err != nil {
		return err
	}
	lines := bufio.NewWriterSize(packed, 1<<20)
	if err = j.Each(func(line []byte) { j.line(lines, line) }); err != nil {
		packed.Close()
		return err
	}
	lines.Write(append(j.Redactor.Summary(j.Redactor.Last()), '\n')) // an error comes again from Flush
	if err = cmp.Or(lines.Flush(), packed.Close()); err != nil {
		return files.Unwritten(j.out, err)
	}
	return nil
}

// line writes what is left of a line.
func (j *Redaction) line(to *bufio.Writer, line []byte) {
	switch kept := j.Redactor.Line(line); {
	case kept != nil:
		to.Write(kept)
		to.WriteByte('\n')
	case j.leftOut == 0:
		j.leftOut = j.lines
	}
}

// redactedName returns the name of the result. A foreign input becomes a trace.
func redactedName(names []string, foreign bool) string {
	switch in := names[0]; {
	case len(names) > 1:
		return names[1]
	case in == files.Stdin:
		return files.Stdin
	default:
		return files.Beside(in, "redacted", foreign)
	}
}

// lineReader reads lines of at most maxLine bytes.
type lineReader struct {
	r       *bufio.Reader
	maxLine int
	long    []byte
}

// next returns a line without its newline. The line is valid until the next call.
// whole is false if the line was too long and was skipped. The last line comes
// together with the error.
func (l *lineReader) next() (line []byte, whole bool, err error) {
	l.long = l.long[:0]
	whole = true
	for {
		part, err := l.r.ReadSlice('\n')
		if err == nil && len(l.long) == 0 && whole {
			return part[:len(part)-1], true, nil
		}
		if whole && len(l.long)+len(part) <= l.maxLine+1 {
			l.long = append(l.long, part...)
		} else {
			whole = false
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSuffix(l.long, []byte{'\n'}), whole, err
		}
	}
}

// check lists what the trace would keep of the input, and writes no trace.
func (j *Redaction) check(stdout io.Writer) error {
	defer j.Captures.Bar.Done()
	if err := j.Detect(); err != nil {
		return err
	}
	if err := j.Each(func(line []byte) { j.line(bufio.NewWriter(io.Discard), line) }); err != nil {
		return err
	}
	j.Captures.Bar.Done()
	row := func(n int64, what string) { fmt.Fprintf(stdout, "%12d  %s\n", n, plain.Text(what)) }
	if kept := j.Redactor.KeptFields(); len(kept) > 0 {
		fmt.Fprintf(stdout, "Of the texts in %s, these stay, by their paths (* is any depth):\n", cli.Printable(j.Name))
		for _, c := range kept {
			row(c.N, c.Name)
		}
		fmt.Fprintln(stdout, "Numbers, booleans and names of fields stay, too. This is taken out:")
	} else {
		fmt.Fprintf(stdout, "This is taken out of %s, and every other value stays:\n", cli.Printable(j.Name))
	}
	for _, c := range j.Redactor.Counts() {
		row(c.N, c.Name)
	}
	if j.sum != nil && j.sum.ProblemCount > 0 {
		return cli.Damage(j.sum.ProblemCount, j.sum.Gaps, j.sum.Lost, false)
	}
	if err := j.incomplete(); err != nil {
		return err
	}
	return j.damaged()
}
