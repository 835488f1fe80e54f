package session

// Command is something that the viewer can do. One table feeds the buttons, the
// keyboard, the list of keys and the palette.
type Command struct {
	Name  string   // stable: an element's data-act; the catalogues have its title under "ui.do." and it
	Keys  []string // at first, as Pressed.name writes them
	Digit bool     // its keys are digits, and the one that was pressed says its argument
	Fixed bool     // its keys can't be changed

	front   bool   // its keys work in a dialog and in a field, too
	mode    string // its keys count only where provides says yes, and there they go before the keys of other commands
	needs   string // what provides must say yes to; the catalogues say under "ui.not." that it is missing
	takes   bool   // it needs one of its choices
	listed  bool   // in Groups
	machine bool   // it is about the machine, which is shown then
	files   bool   // it opens or saves files of the viewer's, or knows a cluster, so it is refused in a frame
	from    int    // the digit that stands for the argument 0
	do      func(m *Model, arg, value string) []Cmd
}

// Group is a part of the table.
type Group struct {
	Name     string // the catalogues have its title under "ui.keys." and it
	Commands []*Command
}

// Groups has the commands that have a title, in the order of the list of keys. byName has those of single elements, too.
// The functions of commands look others up here, so commands.go fills them when the program starts.
var (
	Groups []Group
	byName = map[string]*Command{}
)

// plain makes a command of a function without argument.
func plain(f func(m *Model) []Cmd) func(m *Model, _, _ string) []Cmd {
	return func(m *Model, _, _ string) []Cmd { return f(m) }
}

// set makes a command of a function without argument. Only a painting follows it.
func set(f func(m *Model)) func(m *Model, _, _ string) []Cmd {
	return func(m *Model, _, _ string) []Cmd { f(m); return nil }
}

var digits = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
