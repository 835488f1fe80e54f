package address

import (
	"reflect"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/wasm/link"
)

var examples = []struct {
	fragment string
	want     Address
}{
	{"#lesson=keys&path=debug&at=2", Address{Source: Source{Lesson: "keys"}, Moment: "2", Page: Page{Path: "debug"}}},
	{"#lesson=known-objects&at=replaced", Address{Source: Source{Lesson: "known-objects"}, Moment: "replaced"}},
	{"#lesson=listener&at=slow&choose=handler+h+takes=1s", Address{Source: Source{Lesson: "listener"}, Moment: "slow", Chosen: []string{"handler h takes=1s"}}},
	{"#trace=shop", Address{Source: Source{Trace: "shop"}}},
	{"#library=05-one-handler&when=2.1.loop.Popped&step=14&lang=zh", Address{Source: Source{Library: "05-one-handler"}, Page: Page{Lang: "zh"}, Steps: []link.PathStep{{Moment: "2.1.loop.Popped", Step: 14}}}},
	{"#script=informer+pods%0Acreate+pod+default/a+app=a%0A", Address{Source: Source{Script: "informer pods\ncreate pod default/a app=a\n"}}},
	{"#capture=%7B%22informerscope%22:%22trace%22,%22version%22:1%7D%0A&step=3", Address{Source: Source{Capture: `{"informerscope":"trace","version":1}` + "\n"}, Steps: []link.PathStep{{Step: 3}}}},
	{"#script=---%0A%23+A%0A&at=2&draft=%23+B%0A", Address{Source: Source{Script: "---\n# A\n"}, Moment: "2", Draft: "# B\n"}},
	{"#url=captures/monday.jsonl.gz&informer=deployments.apps&profile=v0.34", Address{Source: Source{URL: "captures/monday.jsonl.gz"}, Informer: "deployments.apps", Profile: "v0.34"}},
	{"#file=pods.json&size=1200&step=7", Address{Source: Source{File: "pods.json", Size: 1200}, Steps: []link.PathStep{{Step: 7}}}},
	{"#file=+&step=7", Address{Source: Source{Pasted: true}, Steps: []link.PathStep{{Step: 7}}}},
	{"#trace=shop&workers=2&index=app&resync=60000&work=5&handler=takes=0.05:metrics&handler=takes=20,resync=60000,workqueue:%3Cb%3E%26+%E5%AE%A1%E8%AE%A1&handler=:x:y",
		Address{Source: Source{Trace: "shop"}, Setup: &link.Setup{Workers: 2, Index: "app", Resync: 60e9, WorkTime: 5e6, Handlers: []link.Handler{
			{Name: "metrics", Duration: 50e3}, {Name: "<b>& 审计", Duration: 20e6, Resync: 60e9, Workqueue: true}, {Name: "x:y"}}}}},
	{"#trace=shop&when=3.1.loop.Popped&step=20&when=4.1.pop/0.ListenerNextCh&step=30&do=takes+audit+1s&do=advance+to+30s&when=9-2.1.run/2.HandlerCalled&step=99&follow=shop/web-0&object=shop/web-0&rv=812&tab=object&unit=event&axis=time&search=relist&ask=behind%28audit%29+%3E+1000&ask=x",
		Address{Source: Source{Trace: "shop"}, Steps: []link.PathStep{{Moment: "3.1.loop.Popped", Step: 20}, {Moment: "4.1.pop/0.ListenerNextCh", Step: 30, Line: "takes audit 1s"}, {Step: -1, Line: "advance to 30s"}, {Moment: "9-2.1.run/2.HandlerCalled", Step: 99}},
			Follow: "shop/web-0", Object: Version{"shop/web-0", "812"}, Tab: "object", Unit: "event", Axis: "time", Search: "relist", Stops: []string{"behind(audit) > 1000", "x"}}},
	{"#file=a.json&step=9&view=card", Address{Source: Source{File: "a.json"}, Steps: []link.PathStep{{Step: 9}}, Page: Page{Card: true}}},
	{"#file=a.json&lists=recorded&handlers=recorded&step=9", Address{Source: Source{File: "a.json"}, Listed: true, Recorded: true, Steps: []link.PathStep{{Step: 9}}}},
	{"#trace=shop&profile=current&lists=recorded&step=9&beside=setup&profile=v0.36&lists=recorded&workers=1", Address{Source: Source{Trace: "shop"}, Profile: "current", Listed: true, Steps: []link.PathStep{{Step: 9}}, Second: link.SecondSetup{Setup: link.Setup{Profile: "v0.36", Workers: 1, Listed: true}}}},
	{"#trace=shop&step=9&beside=profile&profile=v0.34", Address{Source: Source{Trace: "shop"}, Steps: []link.PathStep{{Step: 9}}, Second: link.SecondProfile{Profile: "v0.34"}}},
	{"#trace=shop&profile=classic&lang=zh&beside=setup&profile=v0.34&workers=1&handler=:a", Address{Source: Source{Trace: "shop"}, Profile: "classic", Page: Page{Lang: "zh"}, Second: link.SecondSetup{Setup: link.Setup{Profile: "v0.34", Workers: 1, Handlers: []link.Handler{{Name: "a"}}}}}},
	{"#library=10-factory&beside=apart&informer=audit", Address{Source: Source{Library: "10-factory"}, Second: link.SecondApart{Handler: "audit"}}},
	{"#trace=shop&step=9&do=compact&beside=future&when=2.1.loop.Popped&step=3&do=break+watch", Address{Source: Source{Trace: "shop"}, Steps: []link.PathStep{{Step: 9, Line: "compact"}},
		Second: link.SecondLane{Path: []link.PathStep{{Moment: "2.1.loop.Popped", Step: 3, Line: "break watch"}}}}},
	{"#file=a.json&size=7&beside=capture&file=b.json&size=9", Address{Source: Source{File: "a.json", Size: 7}, Second: link.SecondCapture{Name: "b.json", Size: 9}}},
	{"#file=a.json&beside=capture&trace=shop", Address{Source: Source{File: "a.json"}, Second: link.SecondCapture{URL: "traces/shop.trace.jsonl.gz", Name: "shop.trace.jsonl.gz"}}},
	{"#trace=shop&beside=capture&url=captures/b.json", Address{Source: Source{Trace: "shop"}, Second: link.SecondCapture{URL: "../captures/b.json", Name: "b.json"}}},
	{"#trace=shop&beside=capture&file=+&size=9", Address{Source: Source{Trace: "shop"}, Second: link.SecondCapture{Size: 9}}},
	{"#trace=shop&beside=resync", Address{Source: Source{Trace: "shop"}, Second: link.SecondResync{}}},
}

func TestReadsWhatItWrites(t *testing.T) {
	for _, x := range examples {
		got, err := Read(x.fragment)
		if err != nil || !reflect.DeepEqual(got, x.want) {
			t.Errorf("%s is read as\n%+v, %v, want\n%+v", x.fragment, got, err, x.want)
		}
		if again := x.want.String(); again != x.fragment {
			t.Errorf("%+v is written\n%s, want\n%s", x.want, again, x.fragment)
		}
	}
}

// A fragment in which no field names something to open is left alone.
func TestLeavesOtherFragmentsAlone(t *testing.T) {
	for _, s := range []string{"", "#", "#top", "#at=3", "#step=9&lang=zh", "#_=_", "#s", "#s1", "lesson"} {
		if a, err := Read(s); err != nil || a.Opens() {
			t.Errorf("%q is read as %+v, %v", s, a, err)
		}
	}
	for _, s := range []string{"#trace=shop&future=7&step=3", "#trace=shop&step=3&beside=dream", "#trace=shop&step=3&beside=capture", "#trace=shop&step=3&beside=setup&profile=x", "#trace=shop&step=3&beside=capture&trace=a&url=b.json", "#trace=shop&step=3&beside=apart&trace=a", "#trace=shop&lists=newer&step=3"} {
		if a, err := Read(s); err != nil || !a.Strange || len(a.Steps) != 1 || a.Second != nil {
			t.Errorf("%s is read as %+v, %v", s, a, err)
		}
	}
}

// Nothing that a link names leads out of the site, to a proxy beside the page, or out of a
// folder.
func TestRefusesWhatLeadsElsewhere(t *testing.T) {
	for fragment, want := range map[string]error{
		"#lesson=../../secret": ErrLesson, "#lesson=a%2Fb": ErrLesson, "#lesson=": ErrLesson, "#lesson=A": ErrLesson,
		"#library=../x": ErrBroken, "#library=x%00": ErrBroken, "#trace=..": ErrBroken, "#trace=a.b": ErrBroken,
		"#url=https://evil.example/x.json": ErrPath, "#url=//evil.example/x.json": ErrPath, "#url=/etc/x.json": ErrPath, "#url=../x.json": ErrPath, "#url=a/../x.json": ErrPath,
		"#url=%2e%2e/x.json": ErrPath, "#url=a%5Cb.json": ErrPath, "#url=javascript:alert(1).x": ErrPath, "#url=data:,x.json": ErrPath, "#url=.git/config.json": ErrPath,
		"#url=api/v1/pods.json": ErrPath, "#url=apis/x/y.json": ErrPath, "#url=k8s/api/v1/pods.json": ErrPath, "#url=version": ErrPath, "#url=x.json?watch=true": ErrPath, "#url=x.json%23y": ErrPath, "#url=": ErrPath,
		"#url=a//b.json": ErrPath, "#url=%E2%80%A4%E2%80%A4/x.json": ErrPath,
		"#trace=shop&library=x": ErrBroken, "#trace=shop&beside=capture&url=../x.json": ErrPath, "#trace=shop&beside=capture&trace=..": ErrBroken, "#trace=shop&beside=apart&beside=apart": ErrBroken, "#trace=shop&beside=apart&script=x": ErrBroken, "#trace=shop&beside=apart&lesson=x": ErrBroken, "#trace=shop&beside=apart&library=x": ErrBroken, "#trace=shop&trace=x": ErrBroken, "#script=%": ErrBroken, "#script=": ErrBroken, "#script=%zz": ErrBroken, "#script=%ff": ErrBroken, "#capture=": ErrBroken, "#capture=informer+pods": ErrBroken, "#trace=shop&beside=capture&capture=x": ErrBroken, "#file=a%0Ab": ErrBroken,
		"#trace=shop&do=a%0Ab": ErrBroken, "#trace=shop&step=-1": ErrBroken, "#trace=shop&step=1e9": ErrBroken, "#trace=shop&workers=99": ErrBroken,
		"#trace=shop&handler=takes=1e99:x": ErrBroken, "#trace=shop&handler=x": ErrBroken, "#trace=shop&resync=NaN": ErrBroken,
		"#trace=shop&follow=" + strings.Repeat("x", 600):        ErrBroken,
		"#trace=shop" + strings.Repeat("&handler=:x", 9):        ErrBroken,
		"#trace=shop" + strings.Repeat("&ask=x", 40):            ErrBroken,
		"#trace=shop" + strings.Repeat("&do=x", 20_000):         ErrLong,
		"#trace=shop&do=" + strings.Repeat("x", link.MaxLine+1): ErrBroken,
		"#script=" + strings.Repeat("x", MaxText):               ErrLong,
	} {
		if a, err := Read(fragment); err != want {
			t.Errorf("%.60s: %v and %+v, want %v", fragment, err, a, want)
		}
	}
}

func TestPackedFragments(t *testing.T) {
	for fragment, want := range map[string]struct {
		data string
		is   bool
		err  error
	}{
		"#s1:q1YqS-_": {"q1YqS-_", true, nil}, "#s2:abc": {"", true, ErrNewer}, "#s10:abc": {"", true, ErrNewer},
		"#s1:<b>": {"", true, ErrBroken}, "#s1:a=b": {"", true, ErrBroken}, "#s1:a&b": {"", true, ErrBroken}, "#s1:" + strings.Repeat("a", MaxText+1): {"", true, ErrLong},
		"#script=x": {}, "#s:x": {}, "#sx:y": {}, "": {}, "#trace=shop": {},
	} {
		if data, is, err := Packed(fragment); data != want.data || is != want.is || err != want.err {
			t.Errorf("Packed of %.30s is %.30q, %v, %v", fragment, data, is, err)
		}
	}
	if _, is, err := Packed(Pack("abc")); !is || err != nil {
		t.Error("Packed doesn't take what Pack has written")
	}
}

// Whatever a link says, what is read of it is bounded, leads to nothing but files of this site,
// and is written and read again without a change.
func FuzzRead(f *testing.F) {
	for _, x := range examples {
		f.Add(x.fragment)
	}
	f.Add("#when=1&when=2&step=3&do=x&step=4")
	f.Fuzz(func(t *testing.T, s string) {
		Packed(s)
		a, err := Read(s)
		if err != nil {
			return
		}
		for _, name := range []string{a.Source.Lesson, a.Source.Library, a.Source.Trace} {
			if name != "" && !IsName(name) {
				t.Errorf("%q is read as a name", name)
			}
		}
		if strings.Contains(a.Source.URL, "..") && strings.Contains("/"+a.Source.URL+"/", "/../") || strings.ContainsAny(a.Source.URL, ":?#\\% ") || strings.HasPrefix(a.Source.URL, "/") {
			t.Errorf("%q is read as the path of a file", a.Source.URL)
		}
		a.Strange = false
		written := a.String()
		if strings.ContainsAny(written, "<>\"'` \n\\") {
			t.Errorf("%q is written %q", s, written)
		}
		again, err := Read(written)
		if err != nil || again.String() != written || !reflect.DeepEqual(again, a) {
			t.Errorf("%q is read as\n%+v, which is written\n%s, which is read as\n%+v, %v", s, a, written, again, err)
		}
	})
}
