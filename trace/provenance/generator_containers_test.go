package provenance_test

// list writes a statement that changes or reads a list. It leaves at least two elements.
func (g *generator) list(xs string) {
	p, name := g.place(), g.target()
	statements := []string{
		xs + ".append(" + g.value() + ")",
		xs + ".insert(0, " + p + ")",
		xs + ".insert(1, " + p + ")",
		xs + "[0] = " + p,
		xs + "[-1] = " + g.value(),
		xs + "[0], " + xs + "[1] = " + xs + "[1], " + xs + "[0]",
		xs + ".sort()",
		xs + ".reverse()",
		xs + ".extend([" + p + ", @])",
		xs + " += [" + p + "]",
		xs + "[1] += " + p,
		xs + ".append(" + xs + ".pop(0))",
		xs + ".append(" + xs + ".pop())",
		xs + "[1:2] = [" + p + "]",
		"del " + xs + "[2:]",
		"[" + xs + ".append(_x) for _x in (" + p + ", @)]",
		xs + ".append(" + p + "); " + xs + ".pop(0)",
		xs + " = [_x for _x in " + xs + "]",
		xs + " = [" + p + " for _x in " + xs + "]",
		xs + " = sorted(" + xs + ")",
		xs + " = " + xs + "[:]",
		xs + " = [" + p + ", *" + xs + "]",
		xs + " = [@, " + p + "]",
		xs + " = list(numbers(" + p + ", @)) + [" + p + "]",
		xs + " = [" + p + "] * 2",
		xs + " = sorted(numbers(" + p + ", @))",
		xs + ".extend([" + p + "] * 2)",
		xs + ".extend(numbers(" + p + ", @))",
		xs + " = [" + p + ", *numbers(" + p + ", @)]",
	}
	if g.inFunction {
		g.write(pick(g, statements[:18]))
		return
	}
	if g.IntN(3) == 0 {
		g.write(xs + ".append(@)")
		g.write(pick(g, []string{name + " = " + xs + ".pop()", name + " = " + xs + ".pop(0)", name + ", *_r = " + xs, name + " = min(" + xs + ")", name + " = max(numbers(" + p + ", @))", name + " = next(numbers(" + p + ", @))"}))
		g.bind(name)
		return
	}
	g.write(pick(g, statements))
}

// dict writes a statement that changes or reads a dict.
func (g *generator) dict(d string) {
	p, name := g.place(), g.target()
	switch g.IntN(4) {
	case 0:
		g.write(name + " = " + pick(g, []string{d + ".get('k')", d + ".setdefault('l', @)", d + ".get('z', " + p + ")"}))
		g.bind(name)
	case 1:
		g.write(d + " = " + pick(g, []string{"{'k': " + p + ", 'l': @}", "dict(" + d + ")", "dict(k=" + p + ", l=@)", "{_k: " + p + " for _k in 'kl'}"}))
	default:
		g.write(pick(g, []string{d + "['k'] = " + g.value(), d + "['l'] += " + p, d + ".update(k=" + p + ")", d + ".update({'l': " + p + "})", d + "['k'], " + d + "['l'] = " + d + "['l'], " + p}))
	}
}
