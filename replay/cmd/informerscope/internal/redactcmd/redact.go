// Package redactcmd is "informerscope redact".
package redactcmd

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/redact"
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

// Command returns "informerscope redact".
func Command() *cobra.Command {
	o := &redactOptions{rules: map[redact.Rules]*bool{}}
	c, flags := cli.New("redact IN [OUT]", "write the shape of a capture, which can be shared", cli.Files(2), o.run)
	flags.StringArrayVar(&o.redaction.Keep, "keep", nil, "keep the values of this `path` of objects, too, such as spec.template.spec.containers.image; may be given several times")
	flags.BoolVar(&o.redaction.Names, "names", false, "make tokens of names, namespaces and labels, too")
	flags.BoolVar(&o.redaction.Names, "pseudonyms", false, "the same as --names, which takes its place")
	flags.MarkHidden("pseudonyms")
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
			return fmt.Errorf("--%[1]s=false goes with --values: by default only what is on the list stays, and --keep PATH adds to it", redact.Words(r)[0])
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
