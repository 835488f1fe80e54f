//go:build js && wasm

package main

import (
	"crypto/rand"
	"io"

	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/convert/ownwork"
	"github.com/informerscope/informerscope/wasm/link"
)

// redacted writes to w what convert writes, or of a report what written writes,
// without what the viewer wants taken out. That may be nothing. If something in it
// still looks like a secret, redacted writes the findings in its place: see
// redact.Rewrite.
func redacted(w io.Writer, options string, convert, written func(io.Writer) error) error {
	q, err := link.DecodeRedact([]byte(options))
	if err != nil {
		return err
	}
	o, err := redactOptions(q)
	if err != nil {
		return err
	}
	if q.OwnWork {
		return ownwork.Write(w, convert)
	}
	if q.Report {
		convert = written
	}
	if q.Least != nil {
		if convert, err = smallestPart(q.Least, convert); err != nil {
			return err
		}
	}
	if o.Rules == 0 && len(o.Paths) == 0 {
		return convert(trace.WithEdits(w, q.Edits))
	}
	return redact.Rewrite(w, o, q.Anyway, func(w io.Writer) error { return convert(trace.WithEdits(w, q.Edits)) })
}

func redactOptions(q *link.Redact) (redact.Options, error) {
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
