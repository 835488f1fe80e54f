package clients

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/format/file"
	"github.com/informerscope/informerscope/replay/record"
	"github.com/informerscope/informerscope/replay/report/controller"
	"github.com/informerscope/informerscope/replay/trace/worker"
)

var keep = flag.String("keep", "", "keep the recordings of faults in this folder")

// Fault is what goes wrong while a controller works. In all of them the watch is late, and somebody
// else writes to the parents, so that reconciles begin before the cache has the controller's
// last write.
type Fault struct {
	Name   string
	Break  int // a watch breaks off after so many events; 0 for never
	Refuse int // each so many-th write is answered with 500; 0 for none
	Lose   int // each so many-th update gets no answer; 0 for none

	Endless bool // a streaming list never ends
}

// Faults are those that controllers are recorded with.
var Faults = []Fault{{Name: "late"}, {Name: "broken", Break: 7}, {Name: "refused", Refuse: 4}, {Name: "lost", Lose: 3}}

// EachFault records a controller once with each fault. Start starts it, and returns its cache, and
// a function that ends it.
func EachFault(t *testing.T, kind string, start func(t *testing.T, r *Recording) (store Store, stop func())) {
	all := 0
	for _, f := range Faults {
		t.Run(f.Name, func(t *testing.T) {
			r := Start(t, "application/json", 30*time.Millisecond)
			r.Server.Fault = f
			store, stop := start(t, r)
			r.Wait(func() bool { return r.Counted("reconcile") > 0 })
			// Somebody else goes on until all is done: a key that failed often is put off for minutes,
			// unless an event brings it back.
			for i := 0; i < 8 || !r.Server.Counted(); i++ {
				for _, name := range Parents {
					r.Server.Touch(name, i)
				}
				<-time.After(12*time.Millisecond + time.Duration(max(0, i-8))*10*time.Millisecond)
			}
			r.Wait(func() bool { return r.Caught(store) })
			stop()
			all += r.confirm(kind + "-" + f.Name)
		})
	}
	if all == 0 && !t.Failed() {
		t.Error("no reconcile was stale")
	}
}

// Witness knows from the server and from the cache itself which reconciles were stale.
type Witness struct {
	mu     sync.Mutex
	writes map[string][]written // by the key that was reconciled
	before map[string]bool
	sure   map[string][]bool // for each reconcile of a key: the server had not begun to send an own write
	maybe  map[string][]bool // the same: the cache didn't have an own write just before it began
}

type written struct {
	key string
	rv  int64
}

// NewWitness returns a witness who has seen nothing.
func NewWitness() *Witness {
	return &Witness{writes: map[string][]written{}, before: map[string]bool{}, sure: map[string][]bool{}, maybe: map[string][]bool{}}
}

// Before notes that a reconcile of a key is about to begin. The store has what the controller reads.
func (w *Witness) Before(key string, store interface {
	GetByKey(key string) (obj any, exists bool, err error)
}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lacks := false
	for _, own := range w.writes[key] {
		obj, exists, err := store.GetByKey(own.key)
		lacks = lacks || err != nil || !exists || number(obj.(metav1.Object).GetResourceVersion()) < own.rv
	}
	w.before[key] = lacks
}

// Began notes that the reconcile of a key has begun. begun tells up to which resourceVersion the server has begun to send what an
// object is among.
func (w *Witness) Began(key string, begun func(object string) int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lacks := false
	for _, own := range w.writes[key] {
		lacks = lacks || own.rv > begun(own.key)
	}
	w.sure[key] = append(w.sure[key], lacks)
	w.maybe[key] = append(w.maybe[key], w.before[key])
}

func (r *Recording) wrote(key string, o *corev1.ConfigMap) {
	r.Wrote(key, o.Namespace+"/"+o.Name, number(o.ResourceVersion))
}

// Wrote notes that a reconcile of a key has written an object, which the store has by that key.
func (w *Witness) Wrote(key, object string, rv int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes[key] = append(w.writes[key], written{object, rv})
}

func number(rv string) int64 {
	n, err := strconv.ParseInt(rv, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// confirm ends the recording, and confirms it. It returns how many reconciles were stale for sure.
func (r *Recording) confirm(name string) (sure int) {
	r.Server.Stop()
	if err := r.Rec.Close(); err != nil || r.Rec.Lost() > 0 {
		r.T.Fatal(err, r.Rec.Lost())
	}
	r.http.CloseClientConnections()
	r.http.Close()
	return r.Confirm(r.T, name, r.out.Bytes(), r.Server.extra())
}

// Confirm holds what is reported of a recording that has ended against the witness, and against how many objects the
// server has that were created once too often. Reconciles that began while a write was on its way may be reported or
// not. It returns how many were stale for sure.
func (w *Witness) Confirm(t testing.TB, name string, recording []byte, extra int) (sure int) {
	t.Helper()
	var log worker.Log
	tr, err := file.Read(bytes.NewReader(recording), format.Options{OtherLine: log.Line})
	if err != nil || tr.ProblemCount > 0 {
		t.Fatalf("%v, %v", err, tr.Problems)
	}
	report := controller.Summarise(tr, &log)
	if len(report.Controllers) != 1 {
		t.Fatalf("%+v", report)
	}
	c := &report.Controllers[0]
	stale := map[int64]bool{}
	for _, s := range c.Stale {
		stale[s.Reconcile] = true
	}
	maybe, nth := 0, map[string]int{}
	for _, x := range log.Reconciles {
		i := nth[x.Key]
		nth[x.Key]++
		if i >= len(w.sure[x.Key]) {
			t.Fatalf("the witness has not seen reconcile %d of %s", i, x.Key)
		}
		is, may := w.sure[x.Key][i], w.maybe[x.Key][i]
		if is && !stale[x.ID] || stale[x.ID] && !may {
			t.Errorf("reconcile %d of %s, at %v: stale is %v; to the server %v, to the cache %v", i, x.Key, time.Duration(x.Began), stale[x.ID], is, may)
		}
		if is {
			sure++
		}
		if may {
			maybe++
		}
	}
	if d := extra - len(c.Duplicates); d < sure-maybe || d > maybe-sure {
		t.Errorf("%d duplicates are reported, and the server has %d (%d are on the edge)", len(c.Duplicates), extra, maybe-sure)
	}
	t.Logf("%s: %d reconciles, %d stale, %d duplicates, %d on the edge", name, len(log.Reconciles), sure, extra, maybe-sure)
	if *keep == "" || t.Failed() || sure == 0 || sure != maybe {
		return sure
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(recording); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(*keep, fmt.Sprintf("%s.stale%d.duplicates%d.trace.jsonl.gz", name, sure, extra))
	if err := os.WriteFile(name, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return sure
}

// Touch writes to a parent, as somebody else.
func (s *Server) Touch(name string, i int) {
	s.mu.Lock()
	o := s.objects["shop/"+name].DeepCopy()
	s.mu.Unlock()
	o.Annotations = map[string]string{"touched": strconv.Itoa(i)}
	s.applyAs("PUT", name, o, false)
}

// Counted reports whether all parents have counted to Steps.
func (s *Server) Counted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range Parents {
		if len(s.objects["shop/"+name].Data["count"]) < Steps {
			return false
		}
	}
	return true
}

// begun returns up to where the server has begun to send.
func (s *Server) begun() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sending
}

// extra counts the children that nobody needs: each parent is to have one.
func (s *Server) extra() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range Parents {
		children := 0
		for _, o := range s.objects {
			if o.Labels["parent"] == name {
				children++
			}
		}
		n += max(children-1, 0)
	}
	return n
}

// StartWorkers runs a controller of client-go's, with two workers.
func StartWorkers[T any](r *Recording, q record.TypedRateLimitingInterface[T], handle func(h record.EventHandler) any, item func(key string) T, key func(T) string) (store Store, stopped func()) {
	stop := make(chan struct{})
	cached, client := r.Informer(stop, handle, func(key string) { q.Add(item(key)) })
	workers := work(r, q, cached, client, key)
	return cached, func() {
		q.ShutDown()
		workers.Wait()
		close(stop)
	}
}
