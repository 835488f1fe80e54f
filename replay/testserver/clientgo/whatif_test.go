package clientgo

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/replay/record/whatif"
	"github.com/informerscope/informerscope/replay/testserver"
)

// whatIfs are what is done to an informer of configmaps, in which shop/a and shop/b exist.
// Between begin and the rest, the informer gets its first list.
var whatIfs = map[string]struct{ before, lines string }{
	"nothing":        {"", "update configmaps shop/a n=1\nadvance 5s\ndelete configmaps shop/b\nadvance 5s\ncreate configmaps shop/b\n"},
	"patch":          {"", "patch configmaps shop/a tier=gold\nadvance 1s\npatch configmaps shop/a n=\nadvance 1s\npatch configmaps shop/a\nadvance 1s\npatch configmaps shop/b .finalizers=x/y\nadvance 1s\ndelete configmaps shop/b\nadvance 1s\npatch configmaps shop/b n=2\nadvance 1s\npatch configmaps shop/b .finalizers=\nadvance 1s\n"},
	"break watch":    {"", "break watch\nupdate configmaps shop/a n=1\nadvance 1m\nupdate configmaps shop/a n=2\nbreak watch configmaps\nadvance 1m\n"},
	"silence for":    {"", "silence watch for=3s\nupdate configmaps shop/a n=1\nadvance 2s\nupdate configmaps shop/a n=2\ndelete configmaps shop/b\nadvance 2m\nupdate configmaps shop/a n=3\n"},
	"silence pings":  {"", "advance 10s\nsilence watch\nupdate configmaps shop/a n=1\nadvance 40s\ncreate configmaps shop/c\nadvance 2m\nupdate configmaps shop/a n=2\n"},
	"silence":        {"", "silence watch for=forever\nupdate configmaps shop/a n=1\nadvance 30m\n"},
	"drop":           {"", "drop event\nupdate configmaps shop/a n=1\nadvance 1s\nupdate configmaps shop/a n=2\nadvance 1s\ndrop event configmaps\ndelete configmaps shop/b\nadvance 5s\ncreate configmaps shop/b\n"},
	"drop create":    {"", "drop event\ncreate configmaps shop/c\nadvance 1s\nupdate configmaps shop/c n=1\nadvance 1s\ndelete configmaps shop/c\n"},
	"delay":          {"", "delay event 3s\nupdate configmaps shop/a n=1\nadvance 1s\nupdate configmaps shop/b n=1\nadvance 1s\ncreate configmaps shop/c\nadvance 5s\nupdate configmaps shop/a n=2\n"},
	"delay broken":   {"", "delay event 3s\nupdate configmaps shop/a n=1\nadvance 1s\nbreak watch\nadvance 1m\n"},
	"duplicate":      {"", "duplicate event\nupdate configmaps shop/a n=1\nadvance 1s\nduplicate event\ndelete configmaps shop/b\nadvance 1s\nduplicate event\ncreate configmaps shop/c\n"},
	"swap":           {"", "swap events\nupdate configmaps shop/a n=1\nadvance 1s\nupdate configmaps shop/b n=1\nadvance 1s\nswap events\nupdate configmaps shop/a n=2\nadvance 1s\nupdate configmaps shop/a n=3\n"},
	"swap, deleted":  {"", "swap events\nupdate configmaps shop/a n=1\nadvance 1s\ndelete configmaps shop/a\nadvance 5s\n"},
	"spoil type":     {"", "spoil event type\nupdate configmaps shop/a n=1\nadvance 1m\nupdate configmaps shop/a n=2\n"},
	"spoil kind":     {"", "spoil event kind\nupdate configmaps shop/a n=1\nadvance 1m\nupdate configmaps shop/a n=2\n"},
	"withhold":       {"withhold initial end\n", "update configmaps shop/a n=1\nadvance 2m\n"},
	"fail":           {"", "fail requests internal n=2\nbreak watch\nadvance 10s\nupdate configmaps shop/a n=1\nadvance 5m\n"},
	"fail refused":   {"", "fail requests refused n=3\nbreak watch\ndelete configmaps shop/b\nadvance 5m\nupdate configmaps shop/a n=1\n"},
	"fail gone":      {"", "fail requests expired\nbreak watch\ndelete configmaps shop/b\nadvance 5m\nupdate configmaps shop/a n=1\n"},
	"fail too many":  {"", "fail requests toomany after=5s n=2\nbreak watch\ndelete configmaps shop/b\nadvance 5m\nupdate configmaps shop/a n=1\n"},
	"fail 410":       {"", "fail requests gone\nbreak watch\ndelete configmaps shop/b\nadvance 5m\n"},
	"fail too large": {"", "fail requests toolarge\nbreak watch\ndelete configmaps shop/b\nadvance 5m\n"},
	"fail reset":     {"", "fail requests reset n=2\nbreak watch\ndelete configmaps shop/b\nadvance 5m\n"},
	"fail first":     {"fail requests other n=2\n", "advance 5m\nupdate configmaps shop/a n=1\n"},
	"lag":            {"", "lag server 2s\nupdate configmaps shop/a n=1\nadvance 1s\nupdate configmaps shop/a n=2\nadvance 3s\nlag server 0s\nadvance 5s\ndelete configmaps shop/b\n"},
	"lag forever":    {"", "lag server forever\nupdate configmaps shop/a n=1\nadvance 1m\n"},
}

const configMaps = "exists configmaps shop/a n=0\nexists configmaps shop/b n=0\n"

func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = nil // one waits, by the time at which it was called last in another test's bubble
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	m.Run()
}

// Each line that can be done to a connection is among those that are compared.
func TestWhatIfsAreAll(t *testing.T) {
	for _, line := range []string{
		"break watch", "silence watch", "silence watch for=", "silence watch for=forever", "drop event", "delay event", "duplicate event", "swap events",
		"spoil event kind", "spoil event type", "withhold initial end", "lag server", "lag server forever", "fail requests internal", "fail requests refused", "fail requests expired",
		"fail requests toomany after=", "fail requests other", "fail requests gone", "fail requests toolarge", "fail requests reset",
	} {
		played := false
		for _, of := range whatIfs {
			played = played || strings.Contains("\n"+of.before+of.lines, "\n"+line)
		}
		if !played {
			t.Errorf("no test plays %q", line)
		}
	}
}

// TestWhatIfs does the same to the engine and, on a connection, to a real informer. Their
// handlers must be called alike.
func TestWhatIfs(t *testing.T) {
	for name, of := range whatIfs {
		t.Run(name, func(t *testing.T) {
			want := onEngine(t, configMaps+of.before+"advance 30s\n"+of.lines+"advance 30s\n")
			var got []string
			run(t, func(ctx context.Context, s *testserver.Server, config *rest.Config) {
				faults := whatif.New(s)
				play := func(text string) {
					t.Helper()
					if err := faults.Play(ctx, config.Host, text); err != nil {
						t.Fatal(err)
					}
				}
				play(configMaps + of.before)
				config.Transport = faults
				config.ContentType = "" // the client would take protobuf
				got = calls(ctx, kubernetes.NewForConfigOrDie(config), func() {
					play("advance 30s\n" + of.lines + "advance 30s\n")
				})
			})
			if !slices.Equal(got, want) {
				t.Errorf("the real informer's handler got\n%s\nthat of the engine\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// calls are the calls of an informer's handler while something happens.
func calls(ctx context.Context, client kubernetes.Interface, meanwhile func()) []string {
	began := time.Now()
	factory := informers.NewSharedInformerFactory(client, 0)
	var all []call
	rv := func(o any) string {
		n, _ := strconv.Atoi(o.(*corev1.ConfigMap).ResourceVersion)
		return strconv.Itoa(n - 1) // the engine's server counts from 0
	}
	heard := func(text string, o any) {
		c := o.(*corev1.ConfigMap)
		all = append(all, call{time.Since(began), strings.Replace(text, "KEY", c.Namespace+"/"+c.Name, 1)})
	}
	factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { heard("OnAdd KEY@"+rv(o), o) },
		UpdateFunc: func(old, o any) { heard("OnUpdate KEY@"+rv(old)+"->"+rv(o), o) },
		DeleteFunc: func(o any) {
			if d, is := o.(cache.DeletedFinalStateUnknown); is {
				heard("OnDelete KEY@"+rv(d.Obj)+" tombstone", d.Obj)
				return
			}
			heard("OnDelete KEY@"+rv(o), o)
		},
	})
	factory.Start(ctx.Done())
	meanwhile()
	return describe(all)
}

// call is one call of a handler.
type call struct {
	at   time.Duration
	what string
}

// describe writes calls down. Those of one instant may come in any order, since a list's do, and
// back-offs leave to chance within which second one comes.
func describe(all []call) (text []string) {
	for i := 0; i < len(all); {
		n := i
		for n < len(all) && all[n].at-all[i].at < 10*time.Millisecond {
			n++
		}
		slices.SortFunc(all[i:n], func(a, b call) int { return strings.Compare(a.what, b.what) })
		i = n
	}
	for _, c := range all {
		text = append(text, fmt.Sprintf("minute %d: %s", c.at/time.Minute, c.what))
	}
	return text
}

var called = regexp.MustCompile(`HandlerCalled h (On.*?)( initial)?$`)

// onEngine plays lines to the engine and returns the calls of the handler.
func onEngine(t *testing.T, lines string) []string {
	t.Helper()
	var all []call
	r := script.NewRunner(func(e script.Entry) {
		for _, f := range e.Facts {
			if m := called.FindStringSubmatch(f); m != nil {
				all = append(all, call{time.Duration(e.Time), m[1]})
			}
		}
	})
	if err := r.Play("profile current\ninformer configmaps\nhandler h\nlog calls\n" + lines); err != nil {
		t.Fatal(err)
	}
	return describe(all)
}
