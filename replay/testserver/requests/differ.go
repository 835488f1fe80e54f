package requests

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Differ lists where two texts of the same requests have other answers. Of a refusal it
// compares what a client decides by: code, reason and when to come back. Its words may be
// others. Resources that discovery lists may be in another order.
func Differ(want, got string) (all []string) {
	w, g := blocks(want), blocks(got)
	for i := range max(len(w), len(g)) {
		switch {
		case i >= len(w) || i >= len(g):
			return append(all, fmt.Sprintf("there are %d requests, and not %d", len(g), len(w)))
		case w[i].request != g[i].request:
			return append(all, fmt.Sprintf("the request is %s, and not %s", g[i].request, w[i].request))
		case !slices.EqualFunc(w[i].answers, g[i].answers, equalAnswers):
			all = append(all, fmt.Sprintf("%s\n  the real one: %s\n  this one:     %s", w[i].request, strings.Join(w[i].answers, "\n                "), strings.Join(g[i].answers, "\n                ")))
		}
	}
	return all
}

// block is a request with its answers.
type block struct {
	request string
	answers []string
}

func blocks(text string) (all []block) {
	in := block{}
	end := func() {
		if in.request != "" {
			all = append(all, in)
		}
		in = block{}
	}
	for line := range strings.Lines(text + "\n\n") {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
			end()
		case strings.HasPrefix(line, "= "):
			in.answers = append(in.answers, line[2:])
		default:
			in.request = strings.TrimSpace(in.request + "\n" + line)
		}
	}
	end()
	return all
}

// equalAnswers reports whether two answers are the same to a client.
func equalAnswers(a, b string) bool {
	x, text := essence(a)
	y, other := essence(b)
	if text || other {
		x, _, _ = strings.Cut(x, " ")
		y, _, _ = strings.Cut(y, " ")
	}
	return x == y
}

// essence returns what must be the same of an answer. It may be a refusal with a text that is no
// JSON, as for a path that isn't there.
func essence(answer string) (what string, text bool) {
	head, body, _ := strings.Cut(answer, " ")
	var o map[string]any
	if json.Unmarshal([]byte(body), &o) != nil {
		code, err := strconv.Atoi(head)
		return answer, err == nil && code >= 300
	}
	if o["status"] == "Failure" {
		details, _ := o["details"].(map[string]any)
		return fmt.Sprint(head, " ", o["reason"], " ", details["retryAfterSeconds"]), false
	}
	if list, is := o["resources"].([]any); is && o["kind"] == "APIResourceList" {
		for _, r := range list {
			r, _ := r.(map[string]any)
			delete(r, "storageVersionHash")
			delete(r, "categories")
			verbs, _ := r["verbs"].([]any)
			slices.SortFunc(verbs, byText)
		}
		slices.SortFunc(list, byText)
	}
	if meta, is := o["metadata"].(map[string]any); is {
		delete(meta, "remainingItemCount") // a server may leave it out
	}
	return head + " " + asText(o), false
}

func asText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was JSON
	}
	return string(b)
}

func byText(a, b any) int { return strings.Compare(asText(a), asText(b)) }
