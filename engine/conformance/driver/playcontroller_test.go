package driver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/controller"
	"github.com/informerscope/informerscope/engine/controller/election"
)

// playController plays a script of what stands after the informer: queues, guards and
// reconcilers. Each line of the script is an operation of one world, and each world has
// a family of operations. testdata/controller holds such scripts with what real code
// printed, and live/crNNN, live/kcm137 and live/election play the same to that code. Elections are
// a release's of client-go, and controller-runtime has that minor version.
func playController(is release, runtime int, r io.Reader, w io.Writer) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	c := newController(is, runtime)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	for i := 0; lines.Scan(); i++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			i--
			continue
		}
		res, err := c.play(text)
		if err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
		res["i"] = i
		if err := enc.Encode(res); err != nil {
			return err
		}
		if err := out.Flush(); err != nil { // whoever writes the script may wait for it
			return err
		}
	}
	return lines.Err()
}

// part is a world: one family of operations.
type part interface {
	// play plays the operation verb, whose fields text holds. An error is one of the
	// script.
	play(verb string, text []byte, out output) error
	// advance lets the clock go on to a time in nanoseconds.
	advance(to int64, out output)
	// print adds the state to out.
	print(out output)
}

// panicked is what an operation of the real code panics with. The state isn't printed
// then.
type panicked string

func (p panicked) Error() string { return string(p) }

// controllerPlay plays operations of the controller's end.
type controllerPlay struct {
	now     int64 // nanoseconds
	elects  election.Gates
	runtime int // the minor version of controller-runtime
	gates   controller.Runtime
	parts   []namedPart
}

type namedPart struct {
	name string
	part
}

func newController(is release, runtime int) *controllerPlay {
	gates, _ := controller.RuntimeOf(runtime)
	return &controllerPlay{elects: is.profile.Election, runtime: runtime, gates: gates}
}

// begin makes the world of a family.
func (c *controllerPlay) begin(name string) part {
	switch name {
	case "pq":
		return &pqPart{c: c}
	case "exp":
		return &expPart{c: c}
	case "cs":
		return &csPart{}
	case "mc":
		return &mcPart{c: c}
	case "le":
		return &lePart{c: c}
	case "limit":
		return &limitPart{c: c}
	case "ryw":
		return &rywPart{c: c}
	case "rs":
		return &rsPart{c: c}
	}
	return nil
}

// part returns the world of a family, which new makes.
func (c *controllerPlay) part(name, verb string) (part, error) {
	for i := range c.parts {
		if c.parts[i].name == name {
			if verb == "new" {
				c.parts[i].part = c.begin(name)
			}
			return c.parts[i].part, nil
		}
	}
	p := c.begin(name)
	if p == nil || verb != "new" {
		return nil, fmt.Errorf("%s.%s: unknown operation, or nothing to do it with", name, verb)
	}
	c.parts = append(c.parts, namedPart{name, p})
	return p, nil
}

func (c *controllerPlay) play(text []byte) (output, error) {
	var head struct {
		Op string
		Ms int64
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	res := output{"op": head.Op}
	if head.Op == "advance" {
		to := c.now + head.Ms*1e6
		for _, p := range c.parts {
			p.advance(to, res)
		}
		c.now = to
		for _, p := range c.parts {
			p.print(res)
		}
	} else {
		name, verb, _ := strings.Cut(head.Op, ".")
		p, err := c.part(name, verb)
		if err == nil {
			err = p.play(verb, text, res)
		}
		if why, is := err.(panicked); is {
			return output{"op": head.Op, "panic": string(why)}, nil
		}
		if err != nil {
			return nil, err
		}
		p.print(res)
	}
	res["t"] = strconv.FormatInt(c.now/1e6, 10)
	return res, nil
}

// fields reads an operation's fields into a struct, which must have all of them.
func fields(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// unknown returns the error for a verb that a family doesn't have.
func unknown(verb string) error { return fmt.Errorf("unknown operation %s", verb) }
