package words_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/indexer"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/engine/script"
	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/format"
	"github.com/informerscope/informerscope/replay/trace"
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/view/viewtest"
)

// saidInChinese are errors of what a viewer writes, with what the page says in Chinese.
func saidInChinese() map[error]string {
	parse := func(text string) error {
		_, err := script.Parse(text)
		return err
	}
	expression := func(text string) error {
		_, err := ask.Parse(text)
		return err
	}
	return map[error]string{
		parse("informer pods\n\nrestart server up=1s"): `第 3 行第 16 列：没有选项 "up"；可用的有 down=, warm=`,
		parse("informer pods resync=soon"):             "第 1 行第 15 列：时长 \"soon\" 无效，应为 1.5s 这样的时长",
		parse("profile v9"):                            `第 1 行第 9 列：没有名为 "v9" 的 profile；应为 classic, delta, ordered, batched, current, v0.38.0-beta.0，或 client-go v0.22.0 至 v0.37.2 的某个版本`,
		parse("bogus, here a, b or c"):                 `第 1 行第 1 列：没有命令 "bogus,"；可用的有 blind, break, …`,
		expression("pop("):                             "缺少：带引号的key，或右括号",
		expression("actor() in 3"):                     `"3" 不应在这里，应为方括号中的列表`,
		expression(`delta("{kind} or 1")`):             `没有名为 "{kind} or 1" 的delta 类型；可用的有 Added, Updated, Deleted, Replaced, Sync, Bookmark, ReplacedAll, SyncAll`,
		expression("within(1, pop(), pop())"):          "这里应为时长，而这是数字",
		errors.New("a, b or c"):                        "a, b or c",
		nil:                                            "",
	}
}

// An error is said in the language of the page with all that it is put together from, and
// what is quoted from the viewer is not translated.
func TestErrorsInChinese(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	for err, want := range saidInChinese() {
		if got := w.Fault(link.Fault(err)); got != want {
			t.Errorf("%v is said as %q, not as %q", err, got, want)
		}
	}
}

// What is wrong with a capture is said in Chinese, too, whether the page's reader has found it or
// the converting program, which hands its errors over as JSON.
func TestCaptureErrorsInChinese(t *testing.T) {
	read := func(text string) error {
		r := format.NewReader(format.Options{MaxLine: 1000})
		r.Write([]byte(text))
		if err := r.Close(); err != nil {
			return err
		}
		return r.Trace().Problems[0]
	}
	converted := func(text string) error {
		open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
		_, err := convert.Convert(io.Discard, []convert.Input{{Name: "a", Open: open}}, convert.Options{})
		return trace.ReadFault(trace.AppendFault(nil, err), err.Error())
	}
	const event = `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}}` + "\n"
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	for _, c := range []struct {
		err  error
		want string
	}{
		{read(""), "输入为空"},
		{read(event + "{" + strings.Repeat(" ", 2000) + "}\n" + event), "第 2 行，字节 83：值超过 1000 字节"},
		{read(event + `{"type":5}` + "\n" + event), "第 2 行，字节 83：type 是数字，应为字符串"},
		{read(`{"kind":"Status","message":"pods is forbidden, or gone"}`), "第 1 行，字节 0：API server 拒绝了请求：pods is forbidden, or gone"},
		{read(`{"kind":"PodList","items":[1]}`), "第 1 行，字节 0：list 的第 0 项：该值是数字，应为对象"},
		{converted("BZh9"), "a：输入用 bzip2 压缩：请解压（bzip2 -d），或改用 gzip 或 zstd 压缩"},
		{converted(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"RequestReceived"}`), "a：1 个审计事件中，没有一个是对变更的响应（stage 为 ResponseComplete 的 create、update、patch、delete），也没有完整的 list"},
		{trace.ReadFault([]byte(`{"id":"ofTomorrow"}`), "the moon is full"), "the moon is full"},
		{trace.ReadFault(nil, "Failed to fetch"), "Failed to fetch"},
	} {
		if got := w.Fault(link.Fault(c.err)); got != c.want {
			t.Errorf("%v is said as %q, not as %q", c.err, got, c.want)
		}
	}
}

// What a lister or an index answers instead of objects is said in Chinese, too.
func TestQueryErrorsInChinese(t *testing.T) {
	w := viewtest.Speaking(viewtest.Catalogue(t, "zh"))
	for selector, want := range map[string]string{
		"=":        "无法解析选择条件：遇到 '='，这里应为：!、标识符或结尾",
		"!":        "无法解析选择条件：遇到结尾，这里应为：标识符",
		"a,":       "无法解析选择条件：遇到结尾，这里应为：',' 之后的标识符",
		"a=b c":    "无法解析选择条件：遇到 'c'，这里应为：',' 或结尾",
		"a b":      "无法解析选择条件：遇到 'b'，这里应为：in, notin, =, ==, !=, >, <",
		"a > b":    "无法解析选择条件：遇到 'b'，这里应为：整数",
		"a in b":   "无法解析选择条件：遇到 'b'，这里应为：'('",
		"a in (b=": "无法解析选择条件：遇到 '='，这里应为：',' 或 ')'",
	} {
		_, err := indexer.ParseSelector(selector)
		if err == nil {
			t.Fatalf("%q is no error", selector)
		}
		if got := w.Fault(link.Fault(err)); got != want {
			t.Errorf("%q is said as %q, not as %q", err, got, want)
		}
	}
	x, err := indexer.New(object.NewTable(nil), indexer.Gates{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.GetNamed("pods", "", `a" not found`); w.Fault(link.Fault(err)) != `pods "a\" not found" 不存在` {
		t.Errorf("%q is said as %q", err, w.Fault(link.Fault(err)))
	}
}
