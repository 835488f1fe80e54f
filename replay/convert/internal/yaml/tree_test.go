package yaml

import (
	"strconv"
	"strings"
	"testing"
)

// Values get the types that Kubernetes gives them (sigs.k8s.io/yaml).
func TestYAMLTypes(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{`a: yes`, `{"a":true}`}, {`a: Off`, `{"a":false}`}, {`a: "yes"`, `{"a":"yes"}`}, {`a: y`, `{"a":true}`}, {`a: !!str yes`, `{"a":"yes"}`},
		{`a: true`, `{"a":true}`}, {`a: FALSE`, `{"a":false}`}, {`y: 1`, `{"true":1}`}, {`1: a`, `{"1":"a"}`}, {`"n": 'n'`, `{"n":"n"}`},
		{`a: ~`, `{"a":null}`}, {`a:`, `{"a":null}`}, {`a: ""`, `{"a":""}`}, {`~: 1`, `{"null":1}`},
		{`a: 12`, `{"a":12}`}, {`a: -0`, `{"a":-0}`}, {`a: 010`, `{"a":8}`}, {`a: 0x10`, `{"a":16}`}, {`a: 1_000`, `{"a":1000}`}, {`a: +1`, `{"a":1}`},
		{`a: 18446744073709551615`, `{"a":18446744073709551615}`}, {`a: 1.50`, `{"a":1.50}`}, {`a: .5`, `{"a":0.5}`}, {`a: 1e3`, `{"a":1e3}`}, {`a: 1.`, `{"a":1}`},
		{`a: 2001-01-01`, `{"a":"2001-01-01"}`}, {`a: 2001-01-01T00:00:00Z`, `{"a":"2001-01-01T00:00:00Z"}`}, {`a: 1:30`, `{"a":"1:30"}`}, {`a: 50m`, `{"a":"50m"}`},
		{"a: |\n  x\n  \"y\"\n", `{"a":"x\n\"y\"\n"}`}, {"a: >-\n  x\n  y\n", `{"a":"x y"}`}, {`a: "\U0001F680 <é>"`, `{"a":"🚀 <é>"}`},
		{`a: !!binary aGk=`, `{"a":"hi"}`}, {`a: [1, {b: c}, []]`, `{"a":[1,{"b":"c"},[]]}`},
		{"a: &x {b: 1}\nc: *x", `{"a":{"b":1},"c":{"b":1}}`},
		{`a: .nan`, `JSON can't hold the number ".nan"`}, {`a: -.inf`, `JSON can't hold the number "-.inf"`}, {"a: &x {b: 1}\n<<: *x", `merge keys (<<) are not read`},
		{`? [a]`, `a key of the mapping is not text`}, {`a: !!binary "*"`, `the !!binary value is not base64`}, {`a: *x`, `unknown anchor 'x' referenced`},
		{`# nothing`, ``}, {`~`, ``}, {`a: 08`, `{"a":8}`},
		{"&x [*x]", "the value nests deeper than 1000"},
		{strings.Repeat("[", 2000) + strings.Repeat("]", 2000), "the value nests deeper than 1000"},
		{strings.Repeat("[", 20000), "the value nests deeper than 1000"},
		{strings.Repeat("- ", 20000), "the value nests deeper than 1000"},
		{bomb(9), "the document's aliases stand for more than 100000 nodes, which is the limit"},
		{"a: &x " + strings.Repeat("x", 50_000) + "\nb: [" + strings.Repeat("*x,", 100) + "]", "the object is longer than 1000000 bytes as JSON"},
	} {
		var y tree
		b, err := y.json([]byte(c.yaml), 1_000_000)
		got := string(b)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%.100s: got %.200s, want %s", c.yaml, got, c.want)
		}
	}
}

// bomb is a document whose aliases stand for ten to the power of n nodes.
func bomb(n int) string {
	s := "a0: &a0 x\n"
	for i := 1; i <= n; i++ {
		name := "a" + strconv.Itoa(i)
		s += name + ": &" + name + " [" + strings.Repeat("*a"+strconv.Itoa(i-1)+",", 10) + "]\n"
	}
	return s
}
