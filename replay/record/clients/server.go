package clients

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

// Server is an API server with ConfigMaps, which speaks JSON, protobuf and what else its version of
// apimachinery encodes. It notes what it was asked to write, and what it sent.
type Server struct {
	Lag   time.Duration // how late watches get events
	Fault Fault

	mu      sync.Mutex
	news    *sync.Cond
	rv      int64
	objects map[string]*corev1.ConfigMap
	log     []event
	stopped bool
	sending int64 // up to which resourceVersion a list or watch has begun to be sent
	asked   int   // writes
	updates int

	Writes []string // verb, key, resourceVersion and status
	Sent   []string // by watches: type, key and resourceVersion
}

type event struct {
	typ    string
	object *corev1.ConfigMap
	rv     int64
	at     time.Time
}

// NewServer returns a server without objects.
func NewServer() *Server {
	s := &Server{objects: map[string]*corev1.ConfigMap{}, rv: 100}
	s.news = sync.NewCond(&s.mu)
	return s
}

// Stop ends all watches.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	s.news.Broadcast()
}

// Noted returns what was written and what was sent so far.
func (s *Server) Noted() (writes, sent []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.Writes...), append([]string(nil), s.Sent...)
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	if len(parts) > 2 && parts[2] == "namespaces" {
		parts = append(parts[:2:2], parts[4:]...)
	}
	name := ""
	if len(parts) > 3 {
		name = parts[3]
	}
	if len(parts) < 3 || parts[2] != "configmaps" {
		http.NotFound(w, req)
		return
	}
	switch {
	case req.Method == http.MethodGet && name == "":
		if watch, _ := strconv.ParseBool(req.URL.Query().Get("watch")); watch {
			s.watch(w, req)
			return
		}
		s.list(w, req)
	case req.Method == http.MethodGet:
		s.mu.Lock()
		o := s.objects["shop/"+name]
		s.mu.Unlock()
		if o == nil {
			s.answer(w, req, 404, failure(404, metav1.StatusReasonNotFound))
			return
		}
		s.answer(w, req, 200, o)
	default:
		s.write(w, req, name)
	}
}

func failure(code int32, reason metav1.StatusReason) *metav1.Status {
	return &metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Reason: reason, Code: code, Message: "the server says " + string(reason)}
}

// info returns how answers to a request are encoded.
func info(req *http.Request) runtime.SerializerInfo {
	accept, _, _ := strings.Cut(req.Header.Get("Accept"), ",")
	media, _, _ := strings.Cut(accept, ";")
	all := scheme.Codecs.SupportedMediaTypes()
	for _, i := range all {
		if i.MediaType == strings.TrimSpace(media) {
			return i
		}
	}
	return all[0] // JSON
}

var v1 = schema.GroupVersion{Version: "v1"}

func (s *Server) answer(w http.ResponseWriter, req *http.Request, status int, o runtime.Object) {
	i := info(req)
	w.Header().Set("Content-Type", i.MediaType)
	w.WriteHeader(status)
	if err := scheme.Codecs.EncoderForVersion(i.Serializer, v1).Encode(o, w); err != nil {
		panic(err)
	}
}

func (s *Server) list(w http.ResponseWriter, req *http.Request) {
	s.mu.Lock()
	l := &corev1.ConfigMapList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.FormatInt(s.rv, 10)}}
	for _, o := range s.objects {
		l.Items = append(l.Items, *o.DeepCopy())
	}
	s.sending = max(s.sending, s.rv)
	s.mu.Unlock()
	s.answer(w, req, 200, l)
}

func (s *Server) write(w http.ResponseWriter, req *http.Request, name string) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	sent := &corev1.ConfigMap{}
	if req.Method != http.MethodDelete {
		if _, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, sent); err != nil {
			panic(fmt.Sprintf("%v: %q", err, body))
		}
	}
	s.mu.Lock()
	s.asked++
	f, nth := s.Fault, s.asked
	s.mu.Unlock()
	if f.Refuse > 0 && nth%f.Refuse == 0 {
		s.answer(w, req, 500, failure(500, metav1.StatusReasonInternalError))
		return
	}
	status, o := s.apply(req.Method, name, sent)
	if req.Method == http.MethodPut && status == 200 {
		s.mu.Lock()
		s.updates++
		nth = s.updates
		s.mu.Unlock()
		if f.Lose > 0 && nth%f.Lose == 0 {
			panic(http.ErrAbortHandler)
		}
	}
	s.answer(w, req, status, o)
}

func (s *Server) apply(method, name string, sent *corev1.ConfigMap) (int, runtime.Object) {
	return s.applyAs(method, name, sent, true)
}

// applyAs writes an object. Noted says that it is the controller that writes.
func (s *Server) applyAs(method, name string, sent *corev1.ConfigMap, noted bool) (int, runtime.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, verb, typ := "shop/"+name, "update", "MODIFIED"
	stored := s.objects[key]
	status, reason := 0, metav1.StatusReason("")
	switch method {
	case http.MethodPost:
		verb, typ = "create", "ADDED"
		if sent.Name == "" {
			sent.Name = sent.GenerateName + strconv.FormatInt(s.rv, 36)
		}
		key = "shop/" + sent.Name
		sent.Namespace = "shop"
		sent.UID = types.UID("u" + strconv.FormatInt(s.rv, 10))
		sent.CreationTimestamp = metav1.Unix(1763672802, 0)
		if s.objects[key] != nil {
			status, reason = 409, metav1.StatusReasonAlreadyExists
		}
	case http.MethodPut:
		switch {
		case stored == nil:
			status, reason = 404, metav1.StatusReasonNotFound
		case sent.ResourceVersion != stored.ResourceVersion:
			status, reason = 409, metav1.StatusReasonConflict
		}
	case http.MethodDelete:
		verb, typ = "delete", "DELETED"
		if stored == nil {
			status, reason = 404, metav1.StatusReasonNotFound
		} else {
			sent = stored.DeepCopy()
		}
	}
	if status != 0 {
		if noted {
			s.Writes = append(s.Writes, fmt.Sprintf("%s %s %d %s", verb, key, status, reason))
		}
		return status, failure(int32(status), reason)
	}
	s.rv++
	sent.ResourceVersion = strconv.FormatInt(s.rv, 10)
	s.objects[key] = sent
	answered, rv := runtime.Object(sent.DeepCopy()), sent.ResourceVersion
	status = 200
	switch typ {
	case "ADDED":
		status = 201
	case "DELETED":
		delete(s.objects, key)
		answered, rv = &metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Success", Details: &metav1.StatusDetails{Name: name, UID: stored.UID}}, ""
	}
	if noted {
		s.Writes = append(s.Writes, fmt.Sprintf("%s %s %d %s", verb, key, status, rv))
	}
	s.log = append(s.log, event{typ, sent.DeepCopy(), s.rv, time.Now()})
	s.news.Broadcast()
	return status, answered
}

// Create creates a ConfigMap of somebody else's.
func (s *Server) Create(o *corev1.ConfigMap) {
	s.applyAs(http.MethodPost, "", o, false)
}

func (s *Server) watch(w http.ResponseWriter, req *http.Request) {
	i := info(req)
	stream := i.StreamSerializer
	w.Header().Set("Content-Type", mediaOf(i))
	encoder := streaming.NewEncoder(stream.Framer.NewFrameWriter(w), scheme.Codecs.EncoderForVersion(stream.Serializer, v1))
	embedded := scheme.Codecs.EncoderForVersion(i.Serializer, v1)
	send := func(typ string, o *corev1.ConfigMap, rv int64) {
		raw, err := runtime.Encode(embedded, o)
		if err != nil {
			panic(err)
		}
		if err := encoder.Encode(&metav1.WatchEvent{Type: typ, Object: runtime.RawExtension{Raw: raw}}); err != nil {
			return
		}
		w.(http.Flusher).Flush()
		s.mu.Lock()
		s.Sent = append(s.Sent, fmt.Sprintf("%s %s/%s @%s", typ, o.Namespace, o.Name, o.ResourceVersion))
		s.mu.Unlock()
	}
	sent := 0
	from, _ := strconv.ParseInt(req.URL.Query().Get("resourceVersion"), 10, 64)
	s.mu.Lock()
	if initial, _ := strconv.ParseBool(req.URL.Query().Get("sendInitialEvents")); initial {
		from = s.rv
		s.sending = max(s.sending, from)
		var all []*corev1.ConfigMap
		for _, o := range s.objects {
			all = append(all, o.DeepCopy())
		}
		s.mu.Unlock()
		for _, o := range all {
			send("ADDED", o, from)
		}
		if s.Fault.Endless {
			<-req.Context().Done()
			return
		}
		send("BOOKMARK", &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{ResourceVersion: strconv.FormatInt(from, 10), Annotations: map[string]string{"k8s.io/initial-events-end": "true"}}}, from)
		s.mu.Lock()
	}
	w.(http.Flusher).Flush()
	next := 0
	for !s.stopped && req.Context().Err() == nil {
		if next == len(s.log) {
			s.news.Wait()
			continue
		}
		e := s.log[next]
		next++
		if e.rv <= from {
			continue
		}
		s.mu.Unlock()
		if late := time.Until(e.at.Add(s.Lag)); late > 0 {
			<-time.After(late)
		}
		s.mu.Lock()
		s.sending = max(s.sending, e.rv)
		s.mu.Unlock()
		send(e.typ, e.object, e.rv)
		if sent++; s.Fault.Break > 0 && sent == s.Fault.Break {
			panic(http.ErrAbortHandler)
		}
		s.mu.Lock()
	}
	s.mu.Unlock()
}

// mediaOf returns the content type of a watch.
func mediaOf(i runtime.SerializerInfo) string {
	switch i.MediaType {
	case "application/vnd.kubernetes.protobuf":
		return i.MediaType + ";stream=watch"
	case "application/cbor":
		return "application/cbor-seq"
	}
	return i.MediaType
}
