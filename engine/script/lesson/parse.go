package lesson

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/engine/script"
)

// Parse reads a lesson. Its errors are of type Error.
func Parse(text string) (*Lesson, error) {
	if len(text) > MaxBytes {
		return nil, fail(1, fault.Number("longLesson max", MaxBytes))
	}
	if !utf8.ValidString(text) {
		return nil, fail(1, fault.Plain("lessonNotUTF8"))
	}
	p := &parser{lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), scriptIndex: -1, l: &Lesson{}}
	if err := p.front(); err != nil {
		return nil, err
	}
	if err := p.title(); err != nil {
		return nil, err
	}
	for p.i < len(p.lines) {
		if err := p.part(); err != nil {
			return nil, err
		}
		if len(p.l.Parts) > maxParts {
			return nil, fail(p.i, fault.Number("manyParts max", maxParts))
		}
	}
	return p.l, p.l.check()
}

type parser struct {
	l           *Lesson
	lines       []string
	i           int // the next line
	scriptIndex int // the Script at whose end the machine stands
}

// n returns the number of the line that was read last.
func (p *parser) n() int { return p.i }

func (p *parser) next() string {
	p.i++
	return p.lines[p.i-1]
}

// front reads what stands between two lines of three hyphens.
func (p *parser) front() error {
	if p.next() != "---" {
		return fail(1, fault.Plain("lessonBegins"))
	}
	for {
		if p.i == len(p.lines) || p.lines[p.i] == "" {
			return fail(p.n(), fault.Plain("noHyphens"))
		}
		line := p.next()
		if line == "---" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch name {
		case "minutes":
			p.l.Minutes, _ = strconv.Atoi(value)
		case "stations":
			p.l.Stations = strings.Fields(value)
		case "trace":
			p.l.Trace = value
		default:
			return fail(p.n(), fault.Unknown("lessonHasNo name", name, []string{"minutes", "stations", "trace"}))
		}
	}
	if p.l.Minutes < 1 || p.l.Minutes > 60 {
		return fail(p.n(), fault.Plain("minutes"))
	}
	return nil
}

// title reads the heading and the paragraph under it.
func (p *parser) title() error {
	for p.i < len(p.lines) && p.lines[p.i] == "" {
		p.i++
	}
	if p.i == len(p.lines) {
		return fail(p.n(), fault.Plain("noTitle"))
	}
	title, ok := strings.CutPrefix(p.next(), "# ")
	if !ok {
		return fail(p.n(), fault.Plain("expectedTitle"))
	}
	p.l.Title = strings.TrimSpace(title)
	if err := p.part(); err != nil {
		return err
	}
	if n := p.n(); len(p.l.Parts) != 1 || p.l.Parts[0].Kind != Paragraph {
		return fail(n, fault.Plain("expectedSummary"))
	}
	p.l.Summary, p.l.Parts = p.l.Parts[0].Text, nil
	return nil
}

// part reads a part, after empty lines. At the file's end there is none.
func (p *parser) part() error {
	for p.i < len(p.lines) && strings.TrimSpace(p.lines[p.i]) == "" {
		p.i++
	}
	if p.i == len(p.lines) {
		return nil
	}
	part := Part{N: p.i + 1, ScriptIndex: p.scriptIndex}
	line := p.lines[p.i]
	var err error
	switch {
	case strings.HasPrefix(line, "```"):
		err = p.block(&part)
	case strings.HasPrefix(line, claimMark):
		return p.claim()
	case strings.HasPrefix(line, "<!--"):
		return p.moment()
	case strings.HasPrefix(line, "## "):
		part.Kind = Heading
		part.Text, err = parseSpans(strings.TrimSpace(p.next()[3:]), part.N)
	case strings.HasPrefix(line, "> "):
		err = p.quote(&part)
	case strings.HasPrefix(line, "- "):
		part.Kind = List
		err = p.items(&part)
	case line[0] == '#' || line[0] == ' ' || line[0] == '\t' || line[0] == '|' || line[0] == '<' || line[0] == '>':
		return fail(part.N, fault.Plain("lessonShape"))
	default:
		part.Kind = Paragraph
		var text string
		for p.i < len(p.lines) && !ends(p.lines[p.i]) {
			text = join(text, strings.TrimSpace(p.next()))
		}
		part.Text, err = parseSpans(text, part.N)
	}
	p.l.Parts = append(p.l.Parts, part)
	return err
}

// ends reports whether a line ends a paragraph before it.
func ends(line string) bool {
	return strings.TrimSpace(line) == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "## ") || strings.HasPrefix(line, "- ") || line[0] == '>' || line[0] == '<'
}

// join puts two lines of a paragraph together.
func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

// items reads the items of a list: each is one line.
func (p *parser) items(part *Part) error {
	for p.i < len(p.lines) {
		text, ok := strings.CutPrefix(p.lines[p.i], "- ")
		if !ok {
			break
		}
		p.i++
		s, err := parseSpans(strings.TrimSpace(text), p.n())
		if err != nil {
			return err
		}
		part.Items = append(part.Items, s)
	}
	return nil
}

// quote reads a note for the speaker, or a hint.
func (p *parser) quote(part *Part) error {
	switch strings.TrimSpace(p.next()) {
	case "> [!NOTE]":
		part.Kind = Note
	case "> [!TIP]":
		part.Kind = Hint
	default:
		return fail(part.N, fault.Plain("expectedNote"))
	}
	text, from := "", p.i+1
	flush := func() error {
		if text == "" {
			return nil
		}
		s, err := parseSpans(text, from)
		part.Items, text = append(part.Items, s), ""
		return err
	}
	for p.i < len(p.lines) && strings.HasPrefix(p.lines[p.i], ">") {
		line := strings.TrimSpace(p.next()[1:])
		if line != "" {
			text = join(text, line)
			continue
		}
		if err := flush(); err != nil {
			return err
		}
		from = p.i + 1
	}
	if err := flush(); err != nil {
		return err
	}
	if part.Items == nil {
		return fail(part.N, fault.Named("saysNothing kind", part.Kind.String()))
	}
	return nil
}

// moment reads a line that says where the machine stands from here on.
func (p *parser) moment() error {
	text := strings.TrimSpace(p.next())
	text, ok := strings.CutPrefix(text, "<!-- at ")
	label, ok2 := strings.CutSuffix(text, " -->")
	i, known := p.l.Moment(label)
	if !ok || !ok2 || !known || !isName(label) {
		return fail(p.n(), fault.Plain("expectedAt"))
	}
	p.scriptIndex = i
	return nil
}

// claimMark begins a line below a part that proves what the part says.
const claimMark = "<!-- expect "

// claim reads an expectation that belongs to the part above it.
func (p *parser) claim() error {
	text, ok := strings.CutSuffix(strings.TrimSpace(p.next()), " -->")
	if !ok || len(p.l.Parts) == 0 || p.scriptIndex < 0 {
		return fail(p.n(), fault.Plain("expectedAt"))
	}
	line := Line{strings.TrimPrefix(text, "<!-- "), p.n()}
	part := &p.l.Parts[len(p.l.Parts)-1]
	part.Claims = append(part.Claims, line)
	return script.Check(line.Text, line.N)
}

func (p *parser) block(part *Part) error {
	word, label, _ := strings.Cut(strings.TrimSpace(p.next()[3:]), " ")
	var known []string
	for k := Script; k <= Code; k++ {
		if k.String() == word {
			part.Kind = k
		}
		known = append(known, k.String())
	}
	if part.Kind == 0 {
		return fail(part.N, fault.Unknown("noBlock name", word, known))
	}
	for {
		if p.i == len(p.lines) {
			return fail(part.N, fault.Plain("openBlock"))
		}
		line := p.next()
		if line == "```" {
			break
		}
		if part.Kind == Code {
			part.Lines = append(part.Lines, Line{line, p.n()})
		} else if text := strings.TrimSpace(line); text != "" {
			part.Lines = append(part.Lines, Line{text, p.n()})
		}
	}
	if len(part.Lines) == 0 {
		return fail(part.N, fault.Plain("emptyBlock"))
	}
	if label != "" {
		if _, taken := p.l.Moment(label); taken || part.Kind != Script || !isName(label) || label[0] <= '9' {
			return fail(part.N, fault.Plain("momentName"))
		}
		part.Label = label
	}
	if part.Kind == Script {
		p.scriptIndex = len(p.l.Parts)
		part.ScriptIndex = p.scriptIndex
	}
	return part.inside()
}

// verb returns the first word of a line.
func verb(text string) string {
	v, _, _ := strings.Cut(text, " ")
	return v
}

// inside reads the lines of a block.
func (p *Part) inside() (err error) {
	switch p.Kind {
	case Exercise:
		p.Goals, err = parseGoals(p.Lines)
	case Mend:
		err = p.mend()
	case Script, Compare, Solution:
		for _, line := range p.Lines {
			if err := script.Check(line.Text, line.N); err != nil {
				return err
			}
		}
		if p.Kind == Compare && verb(p.Lines[0].Text) != "profile" {
			return fail(p.N, fault.Plain("compareProfile"))
		}
	case Question:
		p.Ask, err = parseAsk(p.Lines)
	case Control:
		for _, line := range p.Lines {
			t, err := parseTemplate(line)
			if err != nil {
				return err
			}
			p.Controls = append(p.Controls, t)
		}
	case Source:
		for _, line := range p.Lines {
			f := strings.Fields(line.Text)
			if len(f) != 3 || !strings.HasPrefix(f[0], "v0.") || !strings.HasSuffix(f[1], ".go") {
				return fail(line.N, fault.Plain("sourceLine"))
			}
			p.Sources = append(p.Sources, Reference{f[0], f[1], f[2]})
		}
	}
	return err
}

// Template is a line of script in which one value can be chosen: takes audit
// {0s 20ms 1s}. It stands for the one line of its scene that it matches.
type Template struct {
	Before, After string // the line around the value
	Choices       []string
	N             int
}

func parseTemplate(line Line) (Template, error) {
	before, rest, ok := strings.Cut(line.Text, "{")
	choices, after, ok2 := strings.Cut(rest, "}")
	t := Template{before, after, strings.Fields(choices), line.N}
	if !ok || !ok2 || len(t.Choices) < 2 || strings.ContainsAny(choices+after, "{}") {
		return t, fail(line.N, fault.Named("control example", "takes audit {0s 20ms 1s}"))
	}
	for i := range t.Choices {
		if err := script.Check(t.Line(i), line.N); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Line returns the line of script with choice i.
func (t *Template) Line(i int) string { return t.Before + t.Choices[i] + t.After }

// Chosen returns which choice makes the template the line text, or -1.
func (t *Template) Chosen(text string) int {
	for i := range t.Choices {
		if t.Line(i) == text {
			return i
		}
	}
	return -1
}

// AddOwn adds a value of the reader's own to the choices: the one by which the template makes the line text. It does nothing where the
// template makes no such line, or has it already.
func (t *Template) AddOwn(text string) {
	value, ok := strings.CutPrefix(text, t.Before)
	value, ends := strings.CutSuffix(value, t.After)
	if ok && ends && value != "" && !strings.ContainsAny(value, " \t") && t.Chosen(text) < 0 && script.Check(text, t.N) == nil {
		t.Choices = append(t.Choices[:len(t.Choices):len(t.Choices)], value)
	}
}

// check checks what one part needs of others.
func (l *Lesson) check() error {
	for i := range l.Parts {
		p := &l.Parts[i]
		scene := -1
		if p.Kind >= Script && p.Kind < Source {
			if scene = l.Scene(i); scene < 0 {
				return fail(p.N, fault.Plain("firstProfile"))
			}
		}
		switch p.Kind {
		case Question:
			if i == 0 || l.Parts[i-1].Kind != Paragraph {
				return fail(p.N, fault.Plain("askingText"))
			}
			if p.Ask.Kind != AskCan && l.revealedBy(i) < 0 {
				return fail(p.N, fault.Plain("answerScript"))
			}
		case Control, Mend:
			for j := range p.Controls {
				if err := l.onlyLine(scene, i, &p.Controls[j]); err != nil {
					return err
				}
			}
		case Solution:
			if l.exerciseOf(i) < 0 {
				return fail(p.N, fault.Plain("noExerciseToSolve"))
			}
		case Hint:
			if l.exerciseOf(i) < 0 {
				return fail(p.N, fault.Plain("noExerciseToHint"))
			}
		case Exercise:
			if l.solutionOf(i) < 0 {
				return fail(p.N, fault.Plain("noSolution"))
			}
		}
	}
	return nil
}

// onlyLine checks that a template matches one line of the scene.
func (l *Lesson) onlyLine(scene, i int, t *Template) error {
	n := 0
	for j := scene; j < i; j++ {
		if l.Parts[j].Kind != Script {
			continue
		}
		for _, line := range l.Parts[j].Lines {
			if t.Chosen(line.Text) >= 0 {
				n++
			}
		}
	}
	if n != 1 {
		return fail(t.N, fault.Plain("controlLine"))
	}
	return nil
}

// revealedBy returns the index of the Script that answers question i, or -1.
// Only prose may stand between the two.
func (l *Lesson) revealedBy(i int) int {
	for j := i + 1; j < len(l.Parts); j++ {
		switch p := &l.Parts[j]; {
		case p.Kind == Script && !p.beginsScene():
			return j
		case p.Kind != Paragraph && p.Kind != List && p.Kind != Note:
			return -1
		}
	}
	return -1
}

// exerciseOf returns the index of the Exercise that a hint or a solution belongs
// to, or -1.
func (l *Lesson) exerciseOf(i int) int {
	for i--; i >= 0; i-- {
		switch l.Parts[i].Kind {
		case Exercise:
			return i
		case Hint, Paragraph, Note, List:
		default:
			return -1
		}
	}
	return -1
}

// solutionOf returns the index of the Solution of exercise i, or -1.
func (l *Lesson) solutionOf(i int) int {
	for j := i + 1; j < len(l.Parts); j++ {
		if l.Parts[j].Kind == Solution && l.exerciseOf(j) == i {
			return j
		}
	}
	return -1
}
