package audit

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// FuzzEvent: what is read of an event is what encoding/json decodes.
func FuzzEvent(f *testing.F) {
	const line = `{"kind":"Event","level":"RequestResponse","stage":"ResponseComplete","requestURI":"/api/v1/pods?a=1\u0026b=2","verb":"patch",` +
		`"objectRef":{"resource":"pods","namespace":"x","name":"a","uid":"u","apiGroup":"g","apiVersion":"v1","subresource":"status"},` +
		`"responseStatus":{"metadata":{},"reason":"Created","code":201},"requestObject":[1,{"a":null}],` +
		`"responseObject":{"kind":"Pod","metadata":{"name":"a","namespace":"x","uid":"u","resourceVersion":"5","continue":"c",` +
		`"deletionTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":30,"finalizers":["a/b","c"]},"spec":{"x":[-1.5e3]}},` +
		`"requestReceivedTimestamp":"2026-01-01T00:00:00.5Z","stageTimestamp":"2026-01-01T00:00:01Z"}`
	f.Add([]byte(line))
	for _, s := range []string{`{"responseObject":{"metadata":{"finalizers":[]}}}`, `{"responseObject":{"metadata":{"finalizers":["a",]}}}`,
		`{"stage":"a","STAGE":"b"}`, `{"requestURI":"/\u0026\""}`, `{"responseStatus":{"code":1.0}}`, `{"responseObject":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var got event
		var o answer
		err := got.decode(b, &o)
		var want struct {
			Stage      string `json:"stage"`
			Level      string `json:"level"`
			Verb       string `json:"verb"`
			RequestURI string `json:"requestURI"`
			At         string `json:"stageTimestamp"`
			Received   string `json:"requestReceivedTimestamp"`
			ObjectRef  struct {
				Resource    string `json:"resource"`
				Namespace   string `json:"namespace"`
				Name        string `json:"name"`
				UID         string `json:"uid"`
				APIGroup    string `json:"apiGroup"`
				APIVersion  string `json:"apiVersion"`
				Subresource string `json:"subresource"`
			} `json:"objectRef"`
			ResponseStatus struct {
				Code   int    `json:"code"`
				Reason string `json:"reason"`
			} `json:"responseStatus"`
			ResponseObject struct {
				Kind     string `json:"kind"`
				Metadata struct {
					Name              string   `json:"name"`
					Namespace         string   `json:"namespace"`
					UID               string   `json:"uid"`
					ResourceVersion   string   `json:"resourceVersion"`
					Continue          string   `json:"continue"`
					DeletionTimestamp string   `json:"deletionTimestamp"`
					Grace             int64    `json:"deletionGracePeriodSeconds"`
					Finalizers        []string `json:"finalizers"`
				} `json:"metadata"`
			} `json:"responseObject"`
		}
		wanted := json.Unmarshal(b, &want)
		if (err == nil) != (wanted == nil) && jsonscan.WithinMaxDepth(b) {
			t.Fatalf("of %q it says %v, and should say %v", b, err, wanted)
		}
		if err != nil {
			return
		}
		if again := (event{}); again.decode(b, nil) != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("without the object %q is read as %+v, and with it as %+v", b, again, got)
		}
		g := fmt.Sprint(got.Stage, got.Level, got.Verb, got.RequestURI, got.StageTime, got.Received, got.ObjectRef, got.ResponseStatus, o)
		if w := fmt.Sprint(want.Stage, want.Level, want.Verb, want.RequestURI, want.At, want.Received, want.ObjectRef, want.ResponseStatus, want.ResponseObject); g != w {
			t.Fatalf("%q is read as\n%s\nand should be\n%s", b, g, w)
		}
	})
}
