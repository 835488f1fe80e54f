package proof

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// How many random scripts of each kind are compared, and the first seed.
var (
	Seeds = flag.Int64("seeds", 40, "how many random scripts of each kind to compare")
	From  = flag.Int64("from", 1, "the first seed")
)

// Op is an operation of a script: a line of JSON.
type Op map[string]any

// Player plays a script to real code and returns what it prints, line by line.
type Player func(t *testing.T, script []Op) []string

// Family is a kind of script: what makes one up, and what plays it to real code.
type Family struct {
	Name   string
	Script func(*rand.Rand) []Op
	Play   Player
	// Fixed is how many operations at the start of a script have to stay.
	Fixed int
	// Args are arguments of the driver, beside -controller, such as the version that it is to be.
	Args []string
	// Gates returns those that the driver can turn over. It must then differ on one of the scripts, if there are a hundred
	// or more. It may be nil.
	Gates func(bin string) []string
}

// Controller compares random scripts of what stands after the informer. The first one
// of a family that differs is shrunk and printed. Where the real code leaves it to chance what comes of a
// script, such as when two workers wake at the same moment, one of its plays has to be like the engine's.
func Controller(t *testing.T, families ...Family) {
	bin := Build(t)
	for _, f := range families {
		t.Run(f.Name, func(t *testing.T) {
			ops, came, chance := map[string]int{}, map[string]int{}, 0
			var left []string
			if f.Gates != nil && *Seeds >= 100 {
				left = f.Gates(bin)
			}
			for seed := *From; seed < *From+*Seeds; seed++ {
				script := f.Script(rand.New(rand.NewSource(seed)))
				for _, op := range script {
					ops[op["op"].(string)]++
				}
				real, ours := f.Play(t, script), f.Engine(t, bin, script)
				for _, line := range real {
					for _, what := range outcomes(line) {
						came[what]++
					}
				}
				if Differs(real, ours) < 0 {
					left = slices.DeleteFunc(left, func(gate string) bool {
						told := Differs(f.Engine(t, bin, script, "-flip", gate), ours) >= 0
						if told {
							t.Logf("seed %d tells the engine with %s turned over", seed, gate)
						}
						return told
					})
					continue
				}
				if chance++; f.differs(t, bin, script) >= 0 {
					t.Errorf("seed %d: the engine differs from the real code:\n%s", seed, f.report(t, bin, script))
					return
				}
			}
			if len(left) > 0 {
				t.Errorf("no script tells the real code from the engine with another gate: %s", strings.Join(left, ", "))
			}
			t.Logf("%6d scripts; what comes of %d of them is left to chance", *Seeds, chance)
			for _, counts := range []map[string]int{ops, came} {
				for _, what := range slices.Sorted(maps.Keys(counts)) {
					t.Logf("%6d %s", counts[what], what)
				}
			}
		})
	}
}

// outcomes returns the branches that the real code took in an operation, as far as its line tells:
// what was answered with yes or no, and what was done or waited for, without names and numbers
// other than HTTP's.
func outcomes(line string) (all []string) {
	fields := Decode(line)
	for name, value := range fields {
		switch value := value.(type) {
		case bool:
			all = append(all, fmt.Sprint(fields["op"], " ", name, "=", value))
		case []any:
			if name != "trace" && name != "blocked" {
				continue
			}
			for _, said := range value {
				words := slices.DeleteFunc(strings.Fields(fmt.Sprint(said)), func(w string) bool {
					number, _ := strconv.Atoi(w)
					return number < 100 && (len(w) == 1 || strings.ContainsAny(w, "0123456789=@#/")) || number > 599
				})
				all = append(all, name+": "+strings.Join(words, " "))
			}
		}
	}
	return all
}

// Engine plays a whole script on the driver, with more arguments.
func (f *Family) Engine(t *testing.T, bin string, script []Op, args ...string) []string {
	t.Helper()
	return Answers(t, bin, script, slices.Concat([]string{"-controller"}, f.Args, args)...)
}

// plays is how often the real code plays a script that differs.
const plays = 8

// differs returns the number of the line in which the last play of the real code differs, or -1 if one of its plays is like the engine's.
func (f *Family) differs(t *testing.T, bin string, script []Op) (at int) {
	ours := f.Engine(t, bin, script)
	for range plays {
		if at = Differs(f.Play(t, script), ours); at < 0 {
			return -1
		}
	}
	return at
}

// report plays the shortest script that shows the difference.
func (f *Family) report(t *testing.T, bin string, script []Op) string {
	short := Shrink(script, max(f.Fixed, 1), func(s []Op) int { return f.differs(t, bin, s) })
	var b bytes.Buffer
	for _, op := range short {
		line, _ := json.Marshal(op)
		fmt.Fprintf(&b, "%s\n", line)
	}
	real, ours := f.Play(t, short), f.Engine(t, bin, short)
	if at := Differs(real, ours); at >= 0 {
		fmt.Fprintf(&b, "operation %d:\nreal   %s\nengine %s\n", at, real[at], ours[at])
	}
	return b.String()
}

// Shrink removes operations as long as a script still differs. Differs returns the
// number of the first line that does, or -1. The first fixed operations stay.
func Shrink[T any](script []T, fixed int, differs func([]T) int) []T {
	if at := differs(script); at >= 0 {
		script = script[:at+1]
	}
	for size := len(script) / 2; size > 0; {
		shorter := false
		for from := fixed; from+size <= len(script); {
			if without := slices.Concat(script[:from], script[from+size:]); differs(without) >= 0 {
				script, shorter = without, true
			} else {
				from += size
			}
		}
		if !shorter {
			size /= 2
		}
	}
	return script
}

// Differs returns the number of the first line that differs, or -1. Fields named in
// ignored are not compared.
func Differs(a, b []string, ignored ...string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] && !reflect.DeepEqual(Decode(a[i], ignored...), Decode(b[i], ignored...)) {
			return i
		}
	}
	return -1
}

// Decode reads a line without the fields named in ignored.
func Decode(line string, ignored ...string) map[string]any {
	var out map[string]any
	if err := json.Unmarshal([]byte(line), &out); err != nil {
		return map[string]any{"line": line}
	}
	for _, name := range ignored {
		delete(out, name)
	}
	return out
}

// Fields reads an operation's fields into a struct.
func Fields(op Op, into any) {
	b, err := json.Marshal(op)
	if err == nil {
		d := json.NewDecoder(strings.NewReader(string(b)))
		d.DisallowUnknownFields()
		err = d.Decode(into)
	}
	if err != nil {
		panic(err)
	}
}
