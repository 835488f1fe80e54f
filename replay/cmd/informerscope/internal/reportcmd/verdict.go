package reportcmd

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/files"
	"github.com/informerscope/informerscope/replay/report"
)

// verdicts is where the verdicts of --assert go beside the standard error.
type verdicts struct {
	junit  string // a file
	github bool
}

// verdict is what came of an --assert of one resource, or of the recorded controllers.
type verdict struct {
	of, assert string
	says       string // why it is false, "" where it holds
	step       int64  // at which it is false; 0 for no step
	link       string // to that step; "" where there is no link to it
}

func (v *verdicts) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&v.junit, "junit", "", "also write what came of each --assert to this `file`, as JUnit's XML")
	f.BoolVar(&v.github, "annotations", os.Getenv("GITHUB_ACTIONS") == "true", "also print each --assert that fails as an annotation of GitHub Actions (the default within one)")
	f.Lookup("annotations").DefValue = "false" // man pages are made within one, too
	c.MarkFlagFilename("junit", "xml")
}

// tell writes the verdicts on what was read of names. It returns an error if one is not
// that the assert holds.
func (v *verdicts) tell(all []verdict, names []string, stderr io.Writer) error {
	var failed []string
	for _, x := range all {
		if x.says == "" {
			continue
		}
		failed = append(failed, x.says)
		if v.github {
			fmt.Fprintf(stderr, "::error title=%s::%s\n", property.Replace(x.assert), message.Replace(strings.TrimSpace(x.says+"\n"+x.link)))
		}
	}
	if v.junit != "" {
		if err := writeJUnit(v.junit, all, files.Shown(names), len(failed)); err != nil {
			return err
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return errors.New(strings.Join(failed, "\n"))
}

// How GitHub Actions wants the text of a command, and the value of a command's property.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// The elements of JUnit's XML, as far as there is something to say.
type (
	testSuites struct {
		XMLName xml.Name  `xml:"testsuites"`
		Suite   testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Failure *failure `xml:"failure"`
	}
	failure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

func writeJUnit(file string, all []verdict, suite string, failed int) error {
	s := testSuite{Name: suite, Tests: len(all), Failures: failed}
	for _, x := range all {
		c := testCase{Class: x.of, Name: x.assert}
		if x.says != "" {
			c.Failure = &failure{x.says, "assert", strings.TrimSpace(x.says + "\n" + x.link)}
		}
		s.Cases = append(s.Cases, c)
	}
	b, err := xml.MarshalIndent(testSuites{Suite: s}, "", "  ")
	if err == nil {
		err = os.WriteFile(file, append([]byte(xml.Header), append(b, '\n')...), 0o644)
	}
	if err != nil {
		return files.Unwritten(file, err)
	}
	return nil
}

// link is the address of the page at a step of a report's run. It is "" where the page can't
// play what the report plays: several captures, the standard input, or a handler that is
// removed. A page that opens it asks for the capture, which stays with whoever has it.
func (o *reportOptions) link(resource string, step int64) string {
	if len(o.names) != 1 || o.names[0] == files.Stdin || o.How.Streaming {
		return ""
	}
	info, err := os.Stat(o.names[0])
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	fragment := "#file=" + url.QueryEscape(filepath.Base(o.names[0]))
	add := func(name, value string) { fragment += "&" + name + "=" + url.QueryEscape(value) }
	add("size", strconv.FormatInt(info.Size(), 10))
	add("informer", resource)
	add("profile", o.profile)
	add("lists", "recorded")
	if !o.addSetup(add) {
		return ""
	}
	add("step", strconv.FormatInt(step, 10))
	return cli.Site + fragment
}

// addSetup adds the process that the capture is played to. The page finds out by itself which
// handlers were recorded. ok is false for what a link can't say.
func (o *reportOptions) addSetup(add func(name, value string)) (ok bool) {
	handlers, resync, workers := o.How.Handlers, o.How.Resync, 0
	if len(handlers) == 0 {
		if o.recorded {
			return true
		}
		handlers = []report.Handler{{Name: report.DefaultHandler}}
	}
	for _, h := range handlers {
		if h.Until != 0 || o.recorded {
			return false
		}
		if h.Workqueue {
			workers = 1
		}
		if o.How.Resync == 0 {
			resync = max(resync, h.Resync)
		}
	}
	add("workers", strconv.Itoa(workers))
	add("resync", millis(resync))
	add("work", millis(o.How.WorkTime))
	for _, h := range handlers {
		options := ""
		for _, x := range []struct {
			name string
			ns   int64
		}{{"takes", h.Takes}, {"resync", h.Resync}, {"from", h.From}} {
			if x.ns != 0 {
				options += x.name + "=" + millis(x.ns) + ","
			}
		}
		if h.Workqueue {
			options += "workqueue,"
		}
		add("handler", strings.TrimSuffix(options, ",")+":"+h.Name)
	}
	return true
}

func millis(ns int64) string { return strconv.FormatFloat(float64(ns)/1e6, 'f', -1, 64) }
