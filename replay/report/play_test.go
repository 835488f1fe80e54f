package report

import (
	"errors"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/engine/world"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
)

// readBy is how many bytes of a capture are read at once where the number does not
// matter.
const readBy = 1 << 20

// content returns a capture, uncompressed.
func content(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := file.Plain(f)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	b, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// play plays a capture, reading so many bytes of it at a time.
func play(t *testing.T, capture []byte, by int, o Options) *Playing {
	t.Helper()
	p, err := tryToPlay(capture, by, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func tryToPlay(capture []byte, by int, o Options) (*Playing, error) {
	r := format.NewReader(format.Options{})
	p := Play(r.Trace(), o)
	for b := range slices.Chunk(capture, by) {
		if err := errors.Join(r.Write(b), p.Grown()); err != nil {
			return p, err
		}
	}
	return p, errors.Join(r.Close(), p.Grown())
}

func options(t *testing.T, profile string, handlers ...Handler) Options {
	t.Helper()
	p, ok := world.ProfileFor(profile)
	if !ok {
		t.Fatalf("there is no profile %q", profile)
	}
	return Options{Profile: p, Handlers: handlers}
}

func comparePlays(t *testing.T, profile, other string, handlers ...Handler) Options {
	t.Helper()
	o := options(t, profile, handlers...)
	second := options(t, other).Profile
	o.Against = &second
	return o
}

func handler(name string, with ...func(*Handler)) Handler {
	h := Handler{Name: name}
	for _, set := range with {
		set(&h)
	}
	return h
}

func resync(ns int64) func(*Handler)  { return func(h *Handler) { h.Resync = ns } }
func takes(ns int64) func(*Handler)   { return func(h *Handler) { h.Duration = ns } }
func startAt(ns int64) func(*Handler) { return func(h *Handler) { h.From = ns } }
func endAt(ns int64) func(*Handler)   { return func(h *Handler) { h.Until = ns } }
