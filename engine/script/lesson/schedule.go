package lesson

import (
	"github.com/informerscope/informerscope/engine/explore"
	"github.com/informerscope/informerscope/engine/script"
)

// Bounds are those of the search for a schedule. They are small enough for a page, which holds the states that were
// seen in memory, and a world for each step in a row.
var Bounds = explore.Limits{States: 300_000, Depth: 2000}

// Seek begins to look for a schedule in which option k of the question that is part i would be right. The machine of r
// stands at the question's moment. It gets the commands of the script that answers the question, and is then left to
// the search: the script's own schedule doesn't count.
func (p *Player) Seek(r *script.Runner, i, k int) (found *script.Inquiry, err error) {
	r.OnInquiry(func(q *script.Inquiry) { found = q })
	for _, line := range append(Without(p.Rewritten(p.Lesson.Parts[p.Lesson.revealedBy(i)].Lines)), p.Lesson.Parts[i].Ask.Cans[k]) {
		switch verb(line.Text) {
		case "run", "advance", "step":
		default:
			if err := r.Line(line.Text, line.N); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}
