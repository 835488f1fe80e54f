//go:build js && wasm

package main

import (
	"bytes"
	"crypto/rand"
	"io"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/wasm/link"
)

// redacted writes what convert writes to w, without what the viewer wants to be
// taken out. It converts twice: how much is taken out stands in the header, and
// a message may hold a name that comes only later.
func redacted(w io.Writer, options string, convert func(io.Writer) error) error {
	o, err := redactOptions(options)
	if err != nil {
		return err
	}
	counting, err := redact.New(o)
	if err != nil {
		return err
	}
	taking, err := redact.New(o)
	if err != nil {
		return err
	}
	err = convert(lines(func(line []byte) error {
		taking.Learn(line)
		counting.Line(line)
		return nil
	}))
	if err != nil {
		return err
	}
	header := true
	return convert(lines(func(line []byte) error {
		if header {
			header = false
			line = counting.Counted(line)
		} else {
			line = taking.Line(line)
		}
		if line == nil {
			return nil // nobody can tell what it holds
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
		_, err := w.Write([]byte{'\n'})
		return err
	}))
}

func redactOptions(options string) (redact.Options, error) {
	var q link.Redact
	if err := json.Unmarshal([]byte(options), &q); err != nil {
		return redact.Options{}, err
	}
	o := redact.Options{Paths: q.Paths, Key: make([]byte, 16)}
	for _, x := range []struct {
		on   bool
		rule redact.Rules
	}{
		{q.Secrets, redact.SecretData}, {q.Env, redact.Env}, {q.Applied, redact.LastApplied},
		{q.Tokens, redact.Tokens}, {q.ManagedFields, redact.ManagedFields}, {q.Names, redact.Names},
	} {
		if x.on {
			o.Rules |= x.rule
		}
	}
	_, err := rand.Read(o.Key)
	return o, err
}

// lines is called with each line, without its end. Whoever writes to it writes
// one line at a time.
type lines func([]byte) error

func (f lines) Write(b []byte) (int, error) {
	return len(b), f(bytes.TrimSuffix(b, []byte{'\n'}))
}
