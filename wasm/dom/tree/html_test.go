package tree

import "testing"

func TestHTML(t *testing.T) {
	n := El("div", "a b",
		Text("p", "", `<b>"Tom" & Jerry</b>`).Attr("title", `"<&>"`),
		El("select", "", Text("option", "", "one").Attr("value", "1"), Text("option", "", "two").Attr("value", "2")).Prop("value", "2"),
		El("input", "").Attr("type", "checkbox").Prop("checked", "true"),
		El("input", "").Attr("type", "checkbox").Prop("checked", ""),
		El("svg:svg", "icon", El("svg:path", "").Attr("d", "M0 0")),
		El("canvas", "").Draw([]byte("drawing")).Style("left", "1px").Flag("hidden", true),
	)
	const want = `<div class="a b"><p title="&quot;&lt;&amp;&gt;&quot;">&lt;b&gt;&quot;Tom&quot; &amp; Jerry&lt;/b&gt;</p>` +
		`<select><option value="1">one</option><option value="2" selected="">two</option></select>` +
		`<input type="checkbox" checked="true"><input type="checkbox">` +
		`<svg class="icon"><path d="M0 0"></path></svg><canvas hidden=""></canvas></div>`
	if got := n.HTML(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
