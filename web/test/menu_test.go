package test

import "testing"

// A menu is a menu: its keys are those of the ARIA Authoring Practices, it stands in the window
// with as much room as there is, its entries can be hit, and one sees that it goes on.
func TestMenusAreMenus(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.key("3")
	at := b.stepMoves(0)
	focused := func(what, want string) {
		t.Helper()
		b.wait(`document.activeElement?.textContent.startsWith(` + quote(want) + `) || document.activeElement?.ariaLabel === ` + quote(want))
		if n := b.step(); n != at {
			t.Fatalf("after %s the step is %d and not %d", what, n, at)
		}
	}
	label := func(station string) string {
		return eval[string](b, `document.querySelector('[data-station=`+station+`] [data-act=menu]').ariaLabel`)
	}
	const entries = `[...document.querySelectorAll('[role=menu] [role=menuitem]')].map(e => e.querySelector('span').textContent)`
	server := label("server")
	b.focus(`[data-station=server] [data-act=menu]`)
	b.key("ArrowDown")
	b.wait(`document.querySelector('[role=menu]:popover-open')`)
	all := eval[[]string](b, entries)
	focused("opening", all[0])
	for _, k := range []struct {
		key  string
		want string
	}{
		{"ArrowDown", all[1]}, {"End", all[len(all)-1]}, {"ArrowDown", all[0]}, {"ArrowUp", all[len(all)-1]}, {"Home", all[0]},
		{"l", "Let the watch"}, {"l", "Lose the next"}, {"Home", all[0]}, {"d", "Delete an object"},
		{"Home", all[0]}, {"r", "Replace the"}, {"e", "Replace the"}, {"s", "Restart the API"},
	} {
		b.key(k.key)
		focused(k.key, k.want)
	}
	b.key("Escape")
	b.wait(`!document.querySelector('[role=menu]')`)
	focused("Escape", server)
	b.key("Enter")
	b.wait(`document.querySelector('[role=menu]:popover-open')`)
	focused("Enter", all[0])
	b.key("Tab")
	b.wait(`!document.querySelector('[role=menu]')`)
	if eval[bool](b, `document.activeElement === document.body`) {
		t.Error("Tab leads out of the menu to nowhere")
	}

	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {390, 844}} {
		b.size(size[0], size[1])
		for _, station := range []string{"server", "reflector", "queue", "loop", "store", "processor", "work"} {
			b.run(`document.querySelector('[data-station=` + station + `] [data-act=menu]').click()`)
			b.wait(`document.querySelector('[data-station=` + station + `] [role=menu]:popover-open')`)
			if faults := eval[[]string](b, `(() => {
				const menu = document.querySelector('[role=menu]:popover-open'), r = menu.getBoundingClientRect(), out = [];
				if (r.left < 0 || r.top < 0 || r.right > innerWidth + .5 || r.bottom > innerHeight + .5) out.push('it leaves the window: ' + JSON.stringify(r));
				if (menu.scrollHeight > menu.clientHeight + 1 && r.height < .4 * innerHeight) out.push('it has ' + r.height + ' of ' + innerHeight + ' px');
				if (menu.scrollWidth > menu.clientWidth + 1) out.push('it scrolls sideways');
				for (const e of menu.querySelectorAll('[role=menuitem]')) {
					const {width, height} = e.getBoundingClientRect();
					if (width < 24 || height < 24) out.push(e.textContent + ' has ' + width + '×' + height + ' px');
				}
				const middle = menu.querySelector('[role=menuitem]').getBoundingClientRect();
				if (!menu.contains(document.elementFromPoint(middle.x + middle.width / 2, middle.y + middle.height / 2))) out.push('something lies on it');
				return out;
			})()`); len(faults) != 0 {
				t.Errorf("%d×%d, %s: %q", size[0], size[1], station, faults)
			}
			b.key("Escape")
			b.wait(`!document.querySelector('[role=menu]')`)
		}
	}
}

// The key of the search selects what was searched for, so that typing begins anew.
func TestTheSearchBeginsAnew(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.loaded()
	b.writes("relist()")
	b.run(`document.activeElement.blur()`)
	b.key("/")
	b.wait(`document.activeElement?.id === 'expr'`)
	b.key("b")
	b.wait(`document.getElementById('expr').value === 'b'`)
}
