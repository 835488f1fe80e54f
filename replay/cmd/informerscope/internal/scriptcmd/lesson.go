package scriptcmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/engine/script/lesson"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/feed"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/trace"
)

// lessonTraces is where the recordings of lessons are, seen from a lesson's folder.
const lessonTraces = "../traces"

// checkLesson plays a lesson, and checks all that it says of itself.
func checkLesson(name, text string, o cli.Output, stdout io.Writer) error {
	l, err := lesson.Parse(text)
	if err != nil {
		return placed(name, err)
	}
	p := lesson.Player{Lesson: l}
	if l.Trace != "" {
		if filepath.Base(l.Trace) != l.Trace {
			return fmt.Errorf("%s: the trace of a lesson is the name of a file in %s", name, lessonTraces)
		}
		t, err := readRecording(filepath.Join(filepath.Dir(name), lessonTraces, l.Trace))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p.Machine = func(out func(script.Entry)) *script.Runner { return recordedMachine(t, out) }
	}
	out := bufio.NewWriter(stdout)
	err = p.Check(entryWriter(out, o))
	if flushed := out.Flush(); flushed != nil {
		return flushed
	}
	return placed(name, err)
}

// isLesson reports whether a file holds a lesson: it is named or begins like one.
func isLesson(name, text string) bool {
	return strings.HasSuffix(name, ".md") || lesson.IsLesson(text)
}

func readRecording(name string) (*trace.Trace, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return file.Read(f, format.Options{})
}

// recordedMachine returns a Runner whose informers play the resources of a trace.
func recordedMachine(t *trace.Trace, out func(script.Entry)) *script.Runner {
	r := script.NewRunner(out)
	r.Recorded(feed.Named(t))
	return r
}

// placed writes where in the file an error is, as compilers do.
func placed(name string, err error) error {
	var e script.Error
	if errors.As(err, &e) {
		return fmt.Errorf("%s:%d:%d: %s", name, e.Line, e.Col, e.Err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
