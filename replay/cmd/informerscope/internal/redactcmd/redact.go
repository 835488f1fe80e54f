// Package redactcmd is "informerscope redact".
package redactcmd

import (
	"context"
	"crypto/rand"
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
	names []string
	on    map[redact.Rules]*bool
	paths []string
	keyIn string // the file that holds the key of the pseudonyms
	check bool
	quiet bool
}

// Command returns "informerscope redact".
func Command() *cobra.Command {
	o := &redactOptions{on: map[redact.Rules]*bool{}}
	c := &cobra.Command{
		Use:   "redact IN [OUT]",
		Short: "write a capture once more, without its secrets",
		Long: `Writes a capture as a trace without its secrets, and says how much was taken out. IN is of any
format that the page opens, compressed or not, or a folder; - is the standard input. OUT is compressed if its
name ends in .gz or .zst, and must not be there yet; - is the standard output. Without OUT it is
IN's name with .redacted in it.

Secrets are found by where they stand (Secrets' data, environment variables, fields, flags and
headers whose names say so), by what they look like (keys, tokens, PEM blocks, passwords in
addresses, random characters), and in JSON, YAML and base64 within texts.

No rules find every secret: a password that is a word, under a name that says nothing, stays. So
does what is in the names of fields. Use --path for what you know of, and run --check and look
before you share.`,
		Example: `  informerscope redact a.trace.jsonl.gz
  informerscope redact pods.json shared.trace.jsonl.gz --pseudonyms --path .spec.host
  informerscope redact --check shared.trace.jsonl.gz`,
		Args: cli.Files(2),
		RunE: func(c *cobra.Command, names []string) error {
			o.names = names
			if c.Flags().Changed("key") {
				return cli.Wrong("%s", keyRefused)
			}
			return o.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	rule := func(r redact.Rules, name, usage string) {
		o.on[r] = flags.Bool(name, redact.Default&r != 0, usage)
	}
	rule(redact.SecretData, "secrets", "take out the values of Secrets' data and stringData")
	rule(redact.Env, "env", "take out the values of containers' environment variables")
	rule(redact.LastApplied, "last-applied", "take out annotations that hold the whole object once more; --env, --pseudonyms and --path do so, too")
	rule(redact.Tokens, "tokens", "take out tokens, passwords and keys, which are found by their names and by what they look like")
	rule(redact.ManagedFields, "managed-fields", "take out managedFields")
	rule(redact.Names, "pseudonyms", "map the names of objects and namespaces, hosts, addresses and machines to pseudonyms, and take out managedFields")
	flags.StringArrayVar(&o.paths, "path", nil, "take out this `field` of each object, such as .spec.list[*].field or .metadata.annotations[\"a.b/c\"]; may be given several times")
	flags.StringVar(&o.keyIn, "key-file", "", "a `file` with a secret of 16 characters or more, - for the standard input; "+keyVariable+" may hold it instead. The same secret gives the same pseudonyms in another run")
	flags.String("key", "", "refused, see keyRefused")
	flags.MarkHidden("key")
	flags.BoolVar(&o.check, "check", false, "list what looks like a secret in IN, with its line and path, write nothing, and exit with 1 if there is anything")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
	return c
}

func (o *redactOptions) run(ctx context.Context, stdout, stderr io.Writer) error {
	how, err := o.how()
	var r *redact.Redactor
	if err == nil {
		r, err = redact.New(how)
	}
	if err != nil {
		return cli.Exit(cli.ExitUsage, err)
	}
	b := files.NewBar(stderr, o.quiet)
	c, err := files.Open(ctx, o.names[:1], os.Stdin, b)
	if err != nil {
		return err
	}
	job := Redaction{Captures: c, Name: files.Shown(o.names[:1]), Redactor: r, Learn: how.Rules&redact.Names != 0 && !o.check}
	if o.check {
		return cli.Interrupted(ctx, job.check(stdout))
	}
	return cli.Interrupted(ctx, job.Run(o.names, stdout, stderr))
}

// how turns the flags into options for redact.New.
func (o *redactOptions) how() (redact.Options, error) {
	how := redact.Options{Paths: o.paths}
	for r, is := range o.on {
		if *is {
			how.Rules |= r
		}
	}
	switch {
	case how.Rules == 0 && len(how.Paths) == 0:
		return how, errors.New("there is nothing to take out")
	case o.check && len(o.names) > 1:
		return how, errors.New("--check writes nothing: name one file")
	case how.Rules&redact.Names == 0 && o.keyIn != "":
		return how, errors.New("--key-file goes with --pseudonyms: without it names stay as they are")
	case how.Rules&redact.Names == 0:
		return how, nil
	case o.names[0] == files.Stdin && !o.check:
		return how, errors.New("--pseudonyms reads its input twice: it must be a file")
	case o.names[0] == files.Stdin && o.keyIn == files.Stdin:
		return how, errors.New("the standard input can't be both IN and --key-file")
	}
	secret, err := o.secret()
	if err == nil {
		how.Key, err = PseudonymKey(secret)
	}
	return how, err
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

// PseudonymKey returns the key that pseudonyms are made with: derived from secret,
// or random if secret is empty.
func PseudonymKey(secret string) ([]byte, error) {
	if secret == "" {
		key := make([]byte, 16)
		_, err := rand.Read(key)
		return key, err
	}
	if len(secret) < 16 {
		return nil, errors.New("the key is too short: whoever guesses it can tell what a pseudonym stands for")
	}
	sum := sha256.Sum256([]byte("informerscope pseudonyms\x00" + secret))
	return sum[:16], nil
}
