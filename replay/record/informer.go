package record

import (
	"bytes"
	"math/bits"
	"net/http"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/informerscope/informerscope/replay/trace"
)

// How much is looked at to find who started an informer. To read the stacks of all goroutines, the runtime stops the program, for some
// tens of milliseconds where there are 1 000 of them. That is done for the informers that start within a second of one another at once, and
// not in a larger program.
const (
	mostGoroutines = 1000
	mostStacks     = 4 << 20 // bytes of their text
	stacksLast     = time.Second
	mostReflectors = 1000
	mostAncestors  = 10
)

// reflectors are the goroutines of the reflectors whose starters are known.
type reflectors struct {
	mu   sync.Mutex
	seen map[uint64]struct{}
	last goroutines // that were looked at within stacksLast; nil for none
}

// started says who started the informer whose reflector sends a request on this goroutine; nil if no reflector sends it, or if it was
// said before.
func (s *reflectors) started(req *http.Request) *trace.Started {
	text := make([]byte, 32<<10)
	stacks := parseStacks(text[:runtime.Stack(text, false)])
	var id uint64
	for n, goroutine := range stacks {
		if id = n; !goroutine.reflects() {
			return nil
		}
		if strings.Contains(goroutine.creator.function, reflectorMethod) { // it lists on a goroutine of its own
			id = goroutine.parent
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, seen := s.seen[id]; seen || len(s.seen) == mostReflectors {
		return nil
	}
	if s.seen == nil {
		s.seen = map[uint64]struct{}{}
	}
	s.seen[id] = struct{}{}
	out := &trace.Started{Metadata: strings.Contains(strings.ToLower(req.Header.Get("Accept")), "as=partialobjectmetadata")}
	if runtime.NumGoroutine() > mostGoroutines {
		return out
	}
	if s.last[id] == nil {
		text = make([]byte, min(mostStacks, 64<<10+runtime.NumGoroutine()<<12))
		if s.last == nil {
			time.AfterFunc(stacksLast, s.forget)
		}
		s.last = parseStacks(text[:runtime.Stack(text, true)])
	}
	s.last.starter(id, out)
	return out
}

// forget lets go of the stacks.
func (s *reflectors) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = nil
}

// reflectorMethod is in the names of a reflector's methods.
const reflectorMethod = "k8s.io/client-go/tools/cache.(*Reflector)."

// goroutines are stacks, by the numbers of their goroutines.
type goroutines map[uint64]*stack

// stack is what a goroutine has called.
type stack struct {
	calls   []frame // the innermost first
	creator frame   // that started it
	parent  uint64  // the goroutine on which creator ran
}

// frame is a function's call in a stack.
type frame struct {
	function, file string
	line           int
}

// reflects reports whether a reflector's method is under way, or has started the goroutine.
func (s *stack) reflects() bool {
	isReflector := func(c frame) bool { return strings.Contains(c.function, reflectorMethod) }
	return isReflector(s.creator) || slices.ContainsFunc(s.calls, isReflector)
}

// parseStacks reads what runtime.Stack has written. The last stack may be cut.
func parseStacks(text []byte) goroutines {
	all := goroutines{}
	var s *stack
	var to *frame
	for line := range bytes.Lines(text) {
		line := strings.TrimSuffix(string(line), "\n")
		switch {
		case strings.HasPrefix(line, "goroutine "):
			n, _, _ := strings.Cut(line[len("goroutine "):], " ")
			id, err := strconv.ParseUint(n, 10, 64)
			if err != nil {
				return all
			}
			s = &stack{}
			all[id], to = s, nil
		case s == nil || line == "":
		case strings.HasPrefix(line, "\t"):
			if to != nil {
				file, _, _ := strings.Cut(line[1:], " +0x")
				if colon := strings.LastIndexByte(file, ':'); colon > 0 {
					to.file = file[:colon]
					to.line, _ = strconv.Atoi(file[colon+1:])
				}
			}
			to = nil
		case strings.HasPrefix(line, "created by "):
			function, n, _ := strings.Cut(line[len("created by "):], " in goroutine ")
			s.creator.function, to = function, &s.creator
			s.parent, _ = strconv.ParseUint(n, 10, 64)
		default:
			if args := strings.LastIndexByte(line, '('); args > 0 {
				line = line[:args]
			}
			s.calls = append(s.calls, frame{function: line})
			to = &s.calls[len(s.calls)-1]
		}
	}
	return all
}

// starter finds the innermost function that is no library's, on a goroutine or on those that it comes from. What an informer or a cache
// calls, such as a transport or a function that lists, has not started it.
func (all goroutines) starter(id uint64, out *trace.Started) {
	for range mostAncestors {
		s := all[id]
		if s == nil {
			break
		}
		for i := s.caches(); i < len(s.calls); i++ {
			if c := s.calls[i]; !isLibrary(c.function) {
				out.Site, out.Approximate = c.site(), !starts(s.calls[:i])
				return
			}
		}
		if s.creator.function == "" {
			break
		}
		if out.Site = s.creator.site(); !isLibrary(s.creator.function) {
			return
		}
		id = s.parent
	}
	if strings.Contains(out.Func, "manager.(*runnableGroup)") && all.manager(out) {
		return
	}
	if out.Func != "" {
		out.Site, out.Library = trace.Site{Func: out.Func}, true
	}
}

// manager finds the call that runs the manager whose controllers start an informer, for the case that the goroutine that starts them has ended.
// It reports whether the process has exactly one manager.
func (all goroutines) manager(out *trace.Started) bool {
	var by []trace.Site
	for _, s := range all {
		runs := false
		for _, c := range s.calls {
			runs = runs || strings.Contains(c.function, "manager.(*controllerManager).Start")
			if runs && !isLibrary(c.function) {
				by = append(by, c.site())
				break
			}
		}
	}
	if len(by) != 1 {
		return false
	}
	out.Site, out.Approximate = by[0], true
	return true
}

// caches returns how many calls there are up to the outermost one of an informer or of a cache, 0 for none.
func (s *stack) caches() int {
	for i := len(s.calls) - 1; i >= 0; i-- {
		if f := s.calls[i].function; strings.Contains(f, "k8s.io/client-go/tools/cache.") || strings.Contains(f, "sigs.k8s.io/controller-runtime/pkg/cache") {
			return i + 1
		}
	}
	return 0
}

// starts reports whether the libraries were running an informer, or a cache was waiting for one that it had started.
// Otherwise the program has started the informer before.
func starts(calls []frame) bool {
	for _, c := range calls {
		for _, method := range [...]string{"tools/cache.(*sharedIndexInformer).Run", "tools/cache.(*controller).Run", "tools/cache.(*Reflector).Run", "tools/cache.(*Reflector).ListAndWatch", "controller-runtime/pkg/cache/internal.(*"} {
			if strings.Contains(c.function, method) {
				return true
			}
		}
	}
	return false
}

// site returns what the trace tells of a call: of packages and files the last element.
func (c frame) site() trace.Site {
	at := trace.Site{Func: short(path.Base(c.function), maxName)}
	if c.file != "" {
		at.File, at.Line = short(path.Base(c.file), maxName), c.line
	}
	return at
}

// libraries are those between a program and its informers.
var libraries = []string{"k8s.io/client-go/", "k8s.io/apimachinery/", "sigs.k8s.io/controller-runtime/", "golang.org/x/", "github.com/informerscope/informerscope/replay/record.", "github.com/informerscope/informerscope/replay/record/controllerruntime"}

// standard are the first elements of the packages of the standard library.
var standard = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(`archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html
		image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text
		time type unicode unique unsafe vendor weak`) {
		all[name] = true
	}
	return all
}()

// isLibrary reports whether a function is not the program's own.
func isLibrary(function string) bool {
	for _, library := range libraries {
		if strings.Contains(function, library) {
			return true
		}
	}
	first, _, _ := strings.Cut(function, "/")
	first, _, _ = strings.Cut(first, ".")
	return standard[first]
}

// sites knows where calls are made, by the program counters of those that lie below them.
type sites struct {
	mu    sync.Mutex
	sites map[uintptr]*trace.Site // nil for a library's
}

var called sites

// caller returns the innermost place among the callers that is no library's.
func (s *sites) caller() trace.Site {
	var pcs [64]uintptr
	// Each caller that is looked at costs, and who reads a cache is mostly a few calls away.
	for from, to := 0, 8; from < to; from, to = to, len(pcs) {
		n := runtime.Callers(3+from, pcs[from:to])
		if at := s.innermost(pcs[from:][:n]); at != nil {
			return *at
		}
	}
	return trace.Site{}
}

// innermost returns the first place that is no library's, or nil.
func (s *sites) innermost(pcs []uintptr) *trace.Site {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, pc := range pcs {
		at, known := s.sites[pc]
		if !known {
			frames := runtime.CallersFrames([]uintptr{pc})
			for more := true; more && at == nil; {
				var f runtime.Frame
				if f, more = frames.Next(); f.Function != "" && !isLibrary(f.Function) {
					site := frame{f.Function, f.File, f.Line}.site()
					at = &site
				}
			}
			if s.sites == nil || len(s.sites) > mostPlaces {
				s.sites = map[uintptr]*trace.Site{}
			}
			s.sites[pc] = at
		}
		if at != nil {
			return at
		}
	}
	return nil
}

// mostPlaces is how many calls are remembered.
const mostPlaces = 10000

// registered says where a handler was given to the recorder, and, as soon as it is called, what objects it gets.
type registered struct {
	site   trace.Site
	called atomic.Bool
}

// register tells of a handler.
func (r *Recorder) register(name string) *registered {
	h := &registered{site: called.caller()}
	if h.site != (trace.Site{}) {
		r.enqueueOptional(aRegistered, trace.Registered{Handler: name, Site: h.site})
	}
	return h
}

// noteCall takes note of what a handler of that name is called with.
func (h *registered) noteCall(r *Recorder, name string, obj any) {
	if obj == nil || h.called.Load() || !h.called.CompareAndSwap(false, true) {
		return
	}
	r.enqueueOptional(aRegistered, trace.Registered{Handler: name, Site: h.site, Form: formOf(obj)})
}

// enqueueOptional puts something into the queue that may be missing from the trace without making it wrong.
func (r *Recorder) enqueueOptional(k kind, handle any) {
	r.queue.put(entry{kind: k, t: r.now(), content: handle}, nil, 2*maxName)
}

// formOf tells the Go type of an object, or of a list of objects.
func formOf(obj any) trace.Form {
	t := reflect.TypeOf(obj)
	if t == nil {
		return ""
	}
	switch strings.TrimSuffix(t.String(), "List") {
	case "*unstructured.Unstructured":
		return trace.Unstructured
	case "*v1.PartialObjectMetadata":
		return trace.MetadataOnly
	}
	return trace.Typed
}

// reads counts what the program reads of caches.
type reads struct {
	mu     sync.Mutex
	counts map[trace.CacheRead]int64
}

// mostReads is how many places that read are counted.
const mostReads = 1000

// Read records that the calling code reads a cache: fn is Get or List, kind is the kind of its objects with its group, such as
// "Deployment.apps", and obj is the object or the list that is read into. It is for what stands before a cache, such as package
// controllerruntime. The trace says of each place how often it has read at least: it tells of its first read, the second, the fourth, and
// so on. A Read costs about two microseconds.
func Read(to Recording, fn, kind string, obj any) {
	r := to.recorder()
	if r == nil {
		return
	}
	c := trace.CacheRead{Kind: short(kind, maxName), Fn: short(fn, maxName), Form: formOf(obj), Site: called.caller()}
	r.reads.mu.Lock()
	n, known := r.reads.counts[c]
	if !known && len(r.reads.counts) == mostReads {
		r.reads.mu.Unlock()
		return
	}
	if r.reads.counts == nil {
		r.reads.counts = map[trace.CacheRead]int64{}
	}
	n++
	r.reads.counts[c] = n
	r.reads.mu.Unlock()
	if bits.OnesCount64(uint64(n)) == 1 {
		c.N = n
		r.enqueueOptional(aRead, c)
	}
}

// size counts an object that the recording has not whole, of so many bytes as they came.
func (r *Recorder) size(x *exchange, t int64, objects, n int) {
	before := x.sizes.Objects
	x.sizes.Objects += int64(objects)
	x.sizes.Bytes += int64(n)
	if bits.Len64(uint64(before)) != bits.Len64(uint64(x.sizes.Objects)) {
		r.log.Sizes(t, x.id, x.sizes)
	}
}
