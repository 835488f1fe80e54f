package redact

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// places are the lines of a file of testdata, each with the heading above it.
func places(t *testing.T, name string) (lines, headings []string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	heading := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "## "):
			heading = line[3:]
		case line != "" && line[0] != '#':
			lines, headings = append(lines, line), append(headings, heading)
		}
	}
	if len(lines) == 0 {
		t.Fatal("the file has no places")
	}
	return lines, headings
}

// inTrace makes a line of a trace of a place.
func inTrace(place string) string {
	if line, ok := strings.CutPrefix(place, "line "); ok {
		return line
	}
	return `{"t":1,"id":1,"event":{"type":"ADDED","object":` + place + `}}`
}

var planted = regexp.MustCompile(`⟦(.*?)⟧`)

// plantedLine is a line without its marks, and the secrets in it as a JSON decoder
// reads them.
func plantedLine(t *testing.T, place string) (line string, secrets []string) {
	t.Helper()
	line = planted.ReplaceAllStringFunc(inTrace(place), func(marked string) string {
		secret := planted.FindStringSubmatch(marked)[1]
		text, encoded := strings.CutPrefix(secret, "base64:")
		var said string
		if err := json.Unmarshal([]byte(`"`+text+`"`), &said); err != nil {
			t.Fatalf("%s: %v", place, err)
		}
		if encoded {
			said = base64.StdEncoding.EncodeToString([]byte(said))
			secret = said
		}
		secrets = append(secrets, strings.TrimRight(said, "="))
		return secret
	})
	if !json.Valid([]byte(line)) || len(secrets) == 0 {
		t.Fatalf("nothing is planted in %s", line)
	}
	return line, secrets
}

// TestPlanted takes out secrets of all kinds, and looks for what is left of them.
// What was taken out must not look like a secret any more, either, and must have
// looked like one before.
func TestPlanted(t *testing.T) {
	lines, headings := places(t, "testdata/planted.txt")
	left, all := 0, 0
	for i, place := range lines {
		line, secrets := plantedLine(t, place)
		out := string(redactor(t, Options{}).Line([]byte(line)))
		said := everything(t, out)
		gone := true
		for _, secret := range secrets {
			all++
			if strings.Contains(out, secret) || strings.Contains(said, secret) {
				left, gone = left+1, false
				t.Errorf("%s: %s is left of\n%s", headings[i], secret, line)
			}
		}
		if !gone {
			continue
		}
		before, after := NewCheck(), NewCheck()
		before.Line([]byte(line))
		after.Line([]byte(out))
		if found, _ := before.Found(); len(found) == 0 {
			t.Errorf("%s: Check finds nothing in\n%s", headings[i], line)
		}
		if found, _ := after.Found(); len(found) > 0 {
			t.Errorf("%s: Check still finds %v in\n%s", headings[i], found, out)
		}
	}
	t.Logf("%d of %d secrets are left", left, all)
}

func TestInnocent(t *testing.T) {
	lines, _ := places(t, "testdata/innocent.txt")
	for _, place := range lines {
		line := inTrace(place)
		if out := string(redactor(t, Options{}).Line([]byte(line))); out != line {
			t.Errorf("%s\nbecomes\n%s", line, out)
		}
	}
}

// RULES.md lists the names that the rules go by.
func TestNamesAreDocumented(t *testing.T) {
	b, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := set(string(b))
	var all []string
	for _, list := range [][256][]string{passwordEnds, secretEnds, linkEnds, maybeEnds} {
		for _, ends := range list {
			all = append(all, ends...)
		}
	}
	for word := range maybeWords {
		all = append(all, word)
	}
	for _, word := range all {
		if !documented[word] {
			t.Errorf("%s is not documented", word)
		}
	}
}
