package tree

// Patcher keeps what is on the page.
type Patcher struct {
	out   buffer
	root  *Node
	attrs map[string]string // of the document's root element
	next  uint32
	free  []uint32
}

// Patch makes the page show root, with attributes on the document's root
// element, and motion if anything moved. The buffer that it returns is used
// again by the next Patch.
func (p *Patcher) Patch(root *Node, document map[string]string, motion *Motion) []byte {
	p.out.begin()
	if motion != nil {
		p.motion(motion)
	}
	if p.root == nil {
		p.next = firstID
		root = p.create(root)
		p.out.op(opInsert, appID, uint64(root.id), 0)
	} else {
		root = p.update(p.root, root, appID, 0)
	}
	p.root = root
	p.document(document)
	return p.out.bytes
}

// document comes after the tree, so whoever sees the step's number there sees
// the step.
func (p *Patcher) document(attrs map[string]string) {
	for name, v := range attrs {
		if had, ok := p.attrs[name]; !ok || had != v {
			n, s := p.out.str(name), p.out.str(v)
			p.out.op(opAttr, documentID, n, s)
		}
	}
	for name := range p.attrs {
		if _, ok := attrs[name]; !ok {
			p.out.op(opNoAttr, documentID, p.out.str(name))
		}
	}
	p.attrs = attrs
}

func (p *Patcher) motion(m *Motion) {
	args := make([]uint64, 0, 3+6*len(m.Moves))
	forward := uint64(1)
	if m.Back {
		forward = 0
	}
	args = append(args, uint64(m.Millis), forward, uint64(len(m.Moves)))
	for _, v := range m.Moves {
		for _, s := range []string{v.Letter, v.Key, v.Label, v.From, v.To, v.Motion} {
			args = append(args, p.out.str(s))
		}
	}
	p.out.op(opMotion, args...)
	args = append(args[:0], uint64(len(m.Lit)))
	for _, s := range m.Lit {
		args = append(args, p.out.str(s))
	}
	p.out.op(opLit, args...)
}

// owned returns n, or a copy of it if n is on the page at another place: a view may keep a node and
// draw it elsewhere. Its id is needed until that place is seen to.
func (n *Node) owned() *Node {
	if n.id == 0 {
		return n
	}
	c := *n
	c.id, c.kids = 0, make([]*Node, len(n.kids))
	for i, k := range n.kids {
		c.kids[i] = k.owned()
	}
	return &c
}

// create makes an element of n, or of a copy of n, and returns that.
func (p *Patcher) create(n *Node) *Node {
	n = n.owned()
	if k := len(p.free); k > 0 {
		n.id, p.free = p.free[k-1], p.free[:k-1]
	} else {
		n.id, p.next = p.next, p.next+1
	}
	id := uint64(n.id)
	p.out.op(opCreate, id, p.out.str(n.tag))
	if n.class != "" {
		p.set(id, attr{isAttr, "class", n.class})
	}
	if n.text != "" {
		p.out.op(opText, id, p.out.str(n.text))
	}
	for i, k := range n.kids {
		n.kids[i] = p.create(k)
		p.out.op(opInsert, id, uint64(n.kids[i].id), 0)
	}
	// A select takes its value only when its options are there.
	for _, a := range n.attrs {
		p.set(id, a)
	}
	if n.canvas != nil {
		p.draw(n)
	}
	return n
}

func (p *Patcher) set(id uint64, a attr) {
	name, value := p.out.str(a.name), p.out.str(a.value)
	p.out.op([...]byte{opAttr, opProp, opStyle}[a.kind], id, name, value)
}

func (p *Patcher) draw(n *Node) {
	p.out.op(opCanvas, uint64(n.id), uint64(len(n.canvas)))
	p.out.bytes = append(p.out.bytes, n.canvas...)
}

// update changes the element of old into now, or replaces it, and returns now, or the copy of it that
// is on the page.
func (p *Patcher) update(old, now *Node, parent, before uint64) *Node {
	if old == now {
		return now
	}
	if old.tag != now.tag || old.key != now.key {
		p.remove(old)
		now = p.create(now)
		p.out.op(opInsert, parent, uint64(now.id), before)
		return now
	}
	now = now.owned()
	now.id = old.id
	id := uint64(now.id)
	if old.class != now.class {
		p.set(id, attr{isAttr, "class", now.class})
	}
	p.content(old, now)
	p.attributes(old, now)
	if now.canvas != nil && string(old.canvas) != string(now.canvas) {
		p.draw(now)
	}
	old.id = 0
	return now
}

func (p *Patcher) content(old, now *Node) {
	if len(now.kids) == 0 && len(old.kids) == 0 {
		if old.text != now.text {
			p.out.op(opText, uint64(now.id), p.out.str(now.text))
		}
		return
	}
	if len(now.kids) == 0 {
		p.children(old, now)
		if now.text != "" {
			p.out.op(opText, uint64(now.id), p.out.str(now.text))
		}
		return
	}
	if old.text != "" {
		p.out.op(opText, uint64(now.id), p.out.str(""))
	}
	p.children(old, now)
}

func (p *Patcher) attributes(old, now *Node) {
	same := len(old.attrs) == len(now.attrs)
	for i := 0; same && i < len(now.attrs); i++ {
		same = old.attrs[i] == now.attrs[i]
	}
	if same {
		return
	}
	for _, a := range now.attrs {
		if had := find(old.attrs, a); had == nil || had.value != a.value {
			p.set(uint64(now.id), a)
		}
	}
	for _, a := range old.attrs {
		if find(now.attrs, a) != nil {
			continue
		}
		switch a.kind {
		case isAttr:
			p.out.op(opNoAttr, uint64(now.id), p.out.str(a.name))
		case isStyle:
			p.out.op(opNoStyle, uint64(now.id), p.out.str(a.name))
		}
	}
}

func find(attrs []attr, a attr) *attr {
	for i := range attrs {
		if attrs[i].name == a.name && attrs[i].kind == a.kind {
			return &attrs[i]
		}
	}
	return nil
}

// children makes old's children into now's. Children with the same key stay the
// same element, and only those that others have overtaken are moved.
func (p *Patcher) children(old, now *Node) {
	byKey := make(map[string]int, len(old.kids))
	for i, k := range old.kids {
		byKey[childKey(k, i)] = i
	}
	kept := make([]bool, len(old.kids))
	from := make([]int, len(now.kids))
	for i, k := range now.kids {
		from[i] = -1
		if j, ok := byKey[childKey(k, i)]; ok && old.kids[j].tag == k.tag && !kept[j] {
			from[i], kept[j] = j, true
		}
	}
	for j, k := range old.kids {
		if !kept[j] {
			p.remove(k)
		}
	}
	last := -1
	moved := make([]bool, len(now.kids))
	for i, k := range now.kids {
		if from[i] < 0 {
			now.kids[i] = p.create(k)
			moved[i] = true
			continue
		}
		now.kids[i] = p.update(old.kids[from[i]], k, uint64(now.id), 0)
		if from[i] < last {
			moved[i] = true
		} else {
			last = from[i]
		}
	}
	before := uint64(0)
	for i := len(now.kids) - 1; i >= 0; i-- {
		k := now.kids[i]
		if moved[i] {
			p.out.op(opInsert, uint64(now.id), uint64(k.id), before)
		}
		before = uint64(k.id)
	}
}

// childKey names children without a key by their number. A NUL keeps these
// names apart from every key of a trace.
func childKey(n *Node, i int) string {
	if n.key != "" {
		return n.key
	}
	return string([]byte{0, byte(i), byte(i >> 8), byte(i >> 16)})
}

func (p *Patcher) remove(n *Node) {
	p.out.op(opRemove, uint64(n.id))
	p.release(n)
}

func (p *Patcher) release(n *Node) {
	p.out.op(opFree, uint64(n.id))
	p.free = append(p.free, n.id)
	n.id = 0
	for _, k := range n.kids {
		p.release(k)
	}
}
