package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/informerscope/informerscope/replay/redact"
)

// redactCommand writes a trace once more, without its secrets.
func redactCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("informerscope redact", flag.ContinueOnError)
	flags.SetOutput(stderr)
	on := map[redact.Rules]*bool{}
	rule := func(r redact.Rules, name, usage string) {
		on[r] = flags.Bool(name, redact.Default&r != 0, usage)
	}
	rule(redact.SecretData, "secrets", "take out the values of Secrets' data and stringData")
	rule(redact.Env, "env", "take out the values of containers' environment variables")
	rule(redact.LastApplied, "last-applied", "take out annotations that hold the whole object once more; --env, --pseudonyms and --path do so, too")
	rule(redact.Tokens, "tokens", "take out tokens, passwords and keys, which are found by their names and by what they look like")
	rule(redact.ManagedFields, "managed-fields", "take out managedFields")
	rule(redact.Names, "pseudonyms", "map the names of objects and namespaces, hosts, addresses and machines to pseudonyms, and take out managedFields")
	var paths []string
	flags.Func("path", "take out this `field` of each object, such as .spec.list[*].field or .metadata.annotations[\"a.b/c\"]; may be given several times", func(s string) error {
		paths = append(paths, s)
		return nil
	})
	key := flags.String("key", "", "a `secret` of 16 characters or more: the same one gives the same pseudonyms in another run")
	check := flags.Bool("check", false, "list what looks like a secret in IN, with its line and path, write nothing, and exit with 1 if there is anything")
	quiet := flags.Bool("quiet", false, "show no progress")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Writes a trace once more, without its secrets, and says how much was taken out. IN is a trace of\ninformerscope's own format (\"informerscope convert\" makes one of others), compressed or not, or -.\nOUT is compressed if its name ends in .gz or .zst, and must not be there yet; - is the standard\noutput. Without OUT it is IN's name with .redacted in it.\n\nSecrets are found by where they stand (Secrets' data, environment variables, fields, flags and\nheaders whose names say so), by what they look like (keys, tokens, PEM blocks, passwords in\naddresses, random characters), and in JSON, YAML and base64 within texts.\n\nNo rules find every secret: a password that is a word, under a name that says nothing, stays. So\ndoes what is in the names of fields. Use --path for what you know of, and run --check and look\nbefore you share.\n\nUsage:\n  informerscope redact IN [OUT] [--pseudonyms] [--path FIELD]... [--env=false]\n  informerscope redact --check IN\n\nFlags:")
		flags.PrintDefaults()
	}
	names, err := files(flags, args, 2)
	if err != nil || names == nil {
		return err
	}
	o := redact.Options{Paths: paths}
	for r, is := range on {
		if *is {
			o.Rules |= r
		}
	}
	if o.Rules&redact.Names != 0 {
		o.Key, err = pseudonymKey(*key)
	}
	var r *redact.Redactor
	if err == nil && o.Rules == 0 && len(paths) == 0 {
		err = errors.New("there is nothing to take out")
	} else if err == nil {
		r, err = redact.New(o)
	}
	if err == nil && *check && len(names) > 1 {
		err = errors.New("--check writes nothing: name one file")
	}
	if err == nil && !*check && o.Rules&redact.Names != 0 && names[0] == "-" {
		err = errors.New("--pseudonyms reads its input twice: it must be a file")
	}
	if err != nil {
		fmt.Fprintln(stderr, "informerscope redact:", err)
		return usageError{err}
	}
	job := redaction{ctx: ctx, in: names[0], out: redactedName(names), r: r, learn: o.Rules&redact.Names != 0}
	job.read.bar = newBar(stderr, *quiet)
	if *check {
		job.learn = false
		return job.check(stdout)
	}
	return job.run(stdout, stderr)
}

// files parses flags that stand before, between and after up to most files'
// names. There are none if help was asked for.
func files(flags *flag.FlagSet, args []string, most int) (names []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, nil
			}
			return nil, usageError{err}
		}
		if flags.NArg() == 0 {
			break
		}
		if len(names) == most {
			err := fmt.Errorf("unexpected argument %q", flags.Arg(0))
			fmt.Fprintln(flags.Output(), flags.Name()+":", err)
			return nil, usageError{err}
		}
		names, args = append(names, flags.Arg(0)), flags.Args()[1:]
	}
	if len(names) == 0 {
		flags.Usage()
		return nil, usageError{errors.New("a file is missing")}
	}
	return names, nil
}

// pseudonymKey is what pseudonyms are made with: of this run alone, unless there
// is a secret to make it of.
func pseudonymKey(secret string) ([]byte, error) {
	if secret == "" {
		key := make([]byte, 16)
		_, err := rand.Read(key)
		return key, err
	}
	if len(secret) < 16 {
		return nil, errors.New("--key is too short: whoever guesses it can tell what a pseudonym stands for")
	}
	sum := sha256.Sum256([]byte("informerscope pseudonyms\x00" + secret))
	return sum[:16], nil
}

// redactedName is where the result goes.
func redactedName(names []string) string {
	switch in := names[0]; {
	case len(names) > 1:
		return names[1]
	case in == "-":
		return "-"
	default:
		base := filepath.Base(in)
		stem, rest, _ := strings.Cut(base, ".")
		if stem == "" { // a hidden file
			stem, rest = base, ""
		}
		if rest != "" {
			rest = "." + rest
		}
		return filepath.Join(filepath.Dir(in), stem+".redacted"+rest)
	}
}
