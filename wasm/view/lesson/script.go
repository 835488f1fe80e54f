package lesson

import (
	"slices"
	"strings"

	"github.com/informerscope/informerscope/wasm/dom/tree"
	"github.com/informerscope/informerscope/wasm/view/words"
)

// script returns what the script of part i does to the machine in one line of words. The lines of script stand behind it, without
// those that only prove what the lesson says. They are open where the reader is to type lines for the same scene.
func (r *reading) script(i int) *tree.Node {
	x := r.m.Learning.Parts[i]
	var says, lines []string
	for _, s := range x.Says {
		says = append(says, r.w.Plain(s))
	}
	if len(says) == 0 {
		return nil
	}
	for _, line := range x.Lines {
		if verb, _, _ := strings.Cut(line, " "); !slices.Contains([]string{"expect", "can", "log", "show"}, verb) {
			lines = append(lines, line)
		}
	}
	return r.withScript(tree.Text("span", "", capital(strings.Join(says, r.w.T("ui.lines.between")))), lines...).Flag("open", r.asks && r.m.Learning.Teaches(i))
}

// capital returns a sentence with its first letter in upper case.
func capital(text string) string {
	if text != "" && 'a' <= text[0] && text[0] <= 'z' {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}

// withScript returns words with lines of script that the reader can ask for. On paper and in the speaker's window there are none.
func (r *reading) withScript(words *tree.Node, lines ...string) *tree.Node {
	if !r.asks {
		return tree.El("div", "lesson-script", words)
	}
	return tree.El("details", "lesson-script", tree.El("summary", "", words), tree.Text("pre", "", strings.Join(lines, "\n")))
}

// answer returns the value of an option, or of what the machine says, as a reader has it: without the brackets and signs of a transcript.
func answer(w *words.Words, value string) string {
	list, whole := strings.CutPrefix(value, "[")
	list, closed := strings.CutSuffix(list, "]")
	switch {
	case value == "yes", value == "no", value == "true", value == "false":
		return w.T("ui.answer." + value)
	case whole != closed:
		return value
	case list == "" || list == "nothing" || list == "none":
		return w.T("ui.answer.nothing")
	}
	between := ", "
	if verb, _, _ := strings.Cut(list, " "); whole && !strings.Contains(list, ", ") && !slices.Contains(verbs, verb) && !strings.Contains(list, "=") {
		between = " "
	}
	if strings.HasPrefix(list, "watches=") { // what an informer costs
		between = " "
	}
	items := strings.Split(list, between)
	for i, item := range items {
		if what, n, ok := strings.Cut(item, "="); ok && slices.Contains(costs, what) {
			items[i] = w.Tn("ui.answer."+what, "n", n)
			continue
		}
		parts := strings.Split(item, " ")
		for k, part := range parts {
			key, at, versioned := strings.Cut(part, "@")
			old, is, changed := strings.Cut(at, "->")
			switch {
			case changed: // as what handlers print
				parts[k] = key + " " + old + " → " + is
			case versioned && whole:
				parts[k] = key + " " + at
			case versioned:
				parts[k] = w.Tn("ui.answer.version", "key", key, "rv", at)
			}
		}
		items[i] = strings.Join(parts, " ")
	}
	return strings.Join(items, ", ")
}

// costs are what an answer counts of an informer.
var costs = []string{"watches", "lists", "objects", "copies"}

// verbs begin an item of an answer that has several words.
var verbs = []string{"OnAdd", "OnUpdate", "OnDelete", "Added", "Updated", "Deleted", "Replaced", "Sync"}
