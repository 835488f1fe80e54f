package opencmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/engine/script/syntax"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/serve"
)

// head is how much of a file is looked at to tell its format.
const head = 1 << 20

// capture returns what the page is to open, and a function that deletes what it takes on this
// machine. The page follows the standard input while it is still written, unless something
// else stands beside it.
func (o *openOptions) capture(ctx context.Context, stdin *spool, stderr io.Writer) (c serve.Opened, remove func(), err error) {
	if slices.Equal(o.names, []string{files.Stdin}) {
		stdin.begin(func() { fmt.Fprintln(stderr, "waiting for the first bytes of the standard input") })
		if len(o.against) == 0 && stdin.pauses() {
			c, remove, ok, err := live(ctx, stdin)
			if ok || err != nil {
				return c, remove, err
			}
		}
	}
	if stdin != nil {
		stdin.untimed()
	}
	c, parts, err := capture(ctx, o.names, o.kind, stdin)
	return c, parts.remove, err
}

// capture returns what the page reads of files. What the page's first program reads is handed
// over as it is. Anything else is converted while the page reads it. What p takes of this machine
// has to be removed; p may be nil. Objects that have no kind are of this kind; "" finds it out.
func capture(ctx context.Context, names []string, kind string, stdin *spool) (c serve.Opened, p *parted, err error) {
	if slices.Equal(names, []string{files.Stdin}) {
		const name = "standard-input.json"
		return handed(name, convert.Input{Name: name, Kind: kind, Open: func() (io.ReadCloser, error) { return stdin.open(), nil }})
	}
	var standard io.Reader
	if stdin != nil {
		standard = stdin.open()
	}
	in, err := files.Open(ctx, names, standard, files.NewBar(io.Discard, true))
	if err != nil {
		return serve.Opened{}, nil, err
	}
	in.SetKind(kind)
	name := serve.OpenedName(names[0])
	if len(in.Inputs) == 1 && !in.Inputs[0].Loose {
		return handed(name, in.Inputs[0])
	}
	c, p = converted(name, in.Inputs)
	return c, p, nil
}

// handed returns a capture under a name: as it is if the page reads it so, or converted.
func handed(name string, source convert.Input) (serve.Opened, *parted, error) {
	in, err := source.Open()
	if err != nil {
		return serve.Opened{}, nil, err
	}
	direct, packed, err := direct(in)
	in.Close()
	if err != nil {
		return serve.Opened{}, nil, err
	}
	if !direct {
		c, p := converted(name, []convert.Input{source})
		return c, p, nil
	}
	c, p := serve.Opened{Name: name, Open: source.Open}, plainParts(source)
	if packed {
		p = unpackedParts(source)
	}
	p.setPage(&c)
	return c, p, nil
}

// converted returns a capture that is converted anew each time it is read as a whole.
func converted(name string, inputs []convert.Input) (serve.Opened, *parted) {
	c, p := serve.Opened{Name: name + ".trace.jsonl", Open: func() (io.ReadCloser, error) {
		r, w := io.Pipe()
		go func() {
			_, err := convert.Convert(w, inputs, convert.Options{})
			w.CloseWithError(err)
		}()
		return r, nil
	}}, convertedParts(inputs)
	p.setPage(&c)
	return c, p
}

// Parts are the bytes of captures, unpacked and in a format that package format reads.
type Parts = parts

// Bytes returns the bytes of captures, which have to be closed.
func Bytes(c *files.Captures) (Parts, error) {
	if len(c.Inputs) > 1 || c.Inputs[0].Loose {
		return convertedParts(c.Inputs).open()
	}
	first := c.Inputs[0]
	in, err := first.Open()
	if err != nil {
		return nil, err
	}
	direct, packed, err := direct(in)
	in.Close()
	switch {
	case err != nil:
		return nil, err
	case !direct:
		return convertedParts(c.Inputs).open()
	case packed || first.ReaderAt == nil:
		return unpackedParts(first).open()
	}
	return plainParts(first).open()
}

// zstandard is what a file compressed with zstd begins with. No browser unpacks it.
var zstandard = []byte{0x28, 0xb5, 0x2f, 0xfd}

// gzipped is what a file compressed with gzip begins with.
var gzipped = []byte{0x1f, 0x8b}

// direct reports whether the page reads what in holds without converting it, and whether that is
// compressed. Of an input that is still to come it reads what is there.
func direct(in io.Reader) (direct, packed bool, err error) {
	first := make([]byte, head)
	n, err := io.ReadAtLeast(in, first, 1)
	if err == io.EOF {
		return false, false, errors.New("the input is empty")
	}
	if err != nil {
		return false, false, err
	}
	if first = first[:n]; bytes.HasPrefix(first, zstandard) {
		return false, true, nil
	}
	plain, err := file.Plain(io.MultiReader(bytes.NewReader(first), in))
	if err != nil {
		return false, false, nil // the conversion says what is wrong
	}
	defer plain.Close()
	packed = bytes.HasPrefix(first, gzipped)
	r := format.NewReader(format.Options{})
	for total := 0; total < head; {
		b := make([]byte, head/16)
		n, err := plain.Read(b)
		if total == 0 && n > 0 && isScript(b[:n]) {
			return true, packed, nil
		}
		total += n
		refused := r.Write(b[:n])
		if refused == nil && err != nil {
			refused = r.Close()
		}
		switch {
		case errors.As(refused, new(format.Foreign)):
			return false, packed, nil
		case refused != nil || err != nil:
			return true, packed, nil // the page says what is wrong
		case r.Trace().Records > 0:
			return true, packed, nil
		}
	}
	return true, packed, nil
}

// isScript reports whether a text that begins with head is a script or a lesson.
func isScript(head []byte) bool {
	text := syntax.Text(head)
	return syntax.LooksLikeScript(text) || lesson.IsLesson(text)
}
