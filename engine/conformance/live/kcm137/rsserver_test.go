package kcm137

import (
	"encoding/json"
	"time"

	"github.com/informerscope/informerscope/engine/conformance/live/fakeapi"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// rsServer is the API server of rs.*, and what the controller has asked it for.
type rsServer struct {
	*fakeapi.Server
	pods, sets *fakeapi.Resource
	asked      []string // since it was printed: what was done, and what was not found
	rechecked  bool     // the next adoption comes after a GET of its ReplicaSet
	batches    []rsBatch
	seen       map[string]int // the number of each name of an object, as it was created first
	rereads    map[string]reread
}

// reread is where updateReplicaSetStatus stands, which reads a ReplicaSet and writes its status once more if that has failed.
type reread int

const (
	noReread reread = iota
	rereads         // the next GET is its own
	writesAgain
)

// rsBatch is how many pods an owner has asked for at once.
type rsBatch struct {
	due   time.Time
	owner string
	size  int
}

func newRSServer(graceful bool, soon func() time.Time) *rsServer {
	a := &rsServer{
		pods: &fakeapi.Resource{Name: "pods", New: newPod, Change: changeOwner, Graceful: graceful},
		sets: &fakeapi.Resource{Name: "replicasets", New: newSet, Change: changeStatus},
		seen: map[string]int{}, rereads: map[string]reread{},
	}
	a.Server = fakeapi.New(100, a.pods, a.sets)
	a.UIDs, a.ListTakes, a.Soon, a.Answered = "u%03d", 5*time.Millisecond, soon, a.note // lists take as long as in the engine
	return a
}

func newPod() fakeapi.Object {
	return &core.Pod{TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
}

func newSet() fakeapi.Object {
	return &apps.ReplicaSet{TypeMeta: meta.TypeMeta{APIVersion: "apps/v1", Kind: "ReplicaSet"}}
}

// changeStatus writes the status of a ReplicaSet.
func changeStatus(q *fakeapi.Request, o fakeapi.Object) string {
	var body apps.ReplicaSet
	json.Unmarshal(q.Body, &body)
	o.(*apps.ReplicaSet).Status = body.Status
	return ""
}

// changeOwner is the strategic merge patch of owner references with which pods are adopted and released.
func changeOwner(q *fakeapi.Request, o fakeapi.Object) string {
	var p struct {
		Metadata struct {
			OwnerReferences []struct {
				meta.OwnerReference
				Patch string `json:"$patch"`
			}
		}
	}
	json.Unmarshal(q.Body, &p)
	owner, has := p.Metadata.OwnerReferences[0], o.GetOwnerReferences()
	owned := len(has) > 0 && has[0].UID == owner.UID
	switch {
	case owner.Patch == "" && len(has) > 0 && !owned:
		return "invalid" // ValidateOwnerReferences: an object has one controller
	case owner.Patch == "":
		o.SetOwnerReferences([]meta.OwnerReference{owner.OwnerReference})
	case owned:
		o.SetOwnerReferences(nil)
	}
	return ""
}

// see gives an object that was created a number.
func (a *rsServer) see(q *fakeapi.Request) {
	if _, seen := a.seen[q.Name]; !seen && q.Wrote {
		a.seen[q.Name] = len(a.seen)
	}
}

// note notes what the controller has asked for. A pod that another controller has already is none that it has adopted.
func (a *rsServer) note(q *fakeapi.Request) {
	if q.Method == "POST" {
		a.see(q)
		var pod meta.PartialObjectMetadata
		json.Unmarshal(q.Body, &pod)
		if n := len(a.batches); n > 0 && a.batches[n-1].due.Equal(q.Due) && a.batches[n-1].owner == pod.OwnerReferences[0].Name {
			a.batches[n-1].size++
		} else {
			a.batches = append(a.batches, rsBatch{q.Due, pod.OwnerReferences[0].Name, 1})
		}
	}
	switch {
	case q.Watch != nil:
	case q.Method == "PUT":
		if q.Code >= 400 && a.rereads[q.Name] == noReread {
			a.rereads[q.Name] = rereads
		} else {
			delete(a.rereads, q.Name)
		}
	case q.Method == "GET" && a.rereads[q.Name] == rereads:
		if a.rereads[q.Name] = writesAgain; q.Code >= 400 {
			delete(a.rereads, q.Name)
		}
	case q.Method == "GET":
		a.rechecked = true
	case q.Wrote:
		if a.asked = append(a.asked, q.Method+" pods "+q.Name); q.Method == "PATCH" && a.rechecked && meta.GetControllerOf(q.Object) != nil {
			a.asked, a.rechecked = append(a.asked, "GET replicasets"), false
		}
	}
}
