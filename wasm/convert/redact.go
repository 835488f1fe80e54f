//go:build js && wasm

package main

import (
	"encoding/hex"
	"io"

	"github.com/informerscope/informerscope/replay/redact"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/convert/ownwork"
	"github.com/informerscope/informerscope/wasm/link"
)

// redacted writes to w what is to leave of what convert writes, or of a report what is to
// leave of what written writes.
func redacted(w io.Writer, options string, convert, written func(io.Writer) error) error {
	q, err := link.DecodeRedact([]byte(options))
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
	key, err := hex.DecodeString(q.Key)
	if err != nil {
		return err
	}
	o := redact.Options{Values: !q.Share, Names: q.Names, Keep: q.Keep, Paths: q.Paths, Key: key, Report: q.Report}
	return redact.Rewrite(w, o, func(w io.Writer) error { return convert(trace.WithEdits(w, q.Edits)) })
}
