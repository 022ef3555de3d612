package report

func (b *bars) draw(m *markup) {
	m.add("<figure>\n<h2>%s</h2>\n", b.Title)
	if len(b.Legend) > 0 {
		m.WriteString(`<ul class="legend">`)
		for _, l := range b.Legend {
			m.legend(l.Color, l.Name)
		}
		m.WriteString("</ul>\n")
	}
	m.add(`<svg viewBox="0 0 600 %d" role="img" aria-label="%s">`+"\n", b.Height, b.Title)
	m.add(`<path class="grid" d="M150 0V%[1]dM315 0V%[1]dM480 0V%[1]d"/>`+"\n", b.Height)
	for _, r := range b.Rows {
		m.add(`<g transform="translate(0 %d)"><text x="142" y="14" text-anchor="end">%s</text>`, r.Y, r.Label)
		m.add(`<rect class="f0" x="150" y="3" width="%d" height="14" rx="2"/>`+"\n", r.Width)
		for _, k := range r.Marks {
			m.add(`<rect class="f%d" x="%d" y="0" width="3" height="20"><title>%s</title></rect>`+"\n", k.Color, k.X(), k.Name)
		}
		m.add(`<text x="488" y="14">%s</text><text class="dim" x="596" y="14" text-anchor="end">%d</text></g>`+"\n", r.Text, r.N)
	}
	m.WriteString("</svg>\n</figure>\n")
}

// legend adds an entry of a plot's legend.
func (m *markup) legend(color int, name string) {
	m.add(`<li><i class="f%d"></i>%s</li>`, color, name)
}

func (c *curves) draw(m *markup) {
	m.add("<figure>\n<h2>%s</h2>\n"+`<ul class="legend">`, c.Title)
	for _, l := range c.Lines {
		m.legend(l.Color, l.Name)
	}
	m.add("</ul>\n"+`<svg viewBox="0 0 440 276" role="img" aria-label="%s">`+"\n", c.Title)
	m.WriteString(`<path class="grid" d="M44 18H424M44 128H424M44 238H424"/>
<text class="dim" x="38" y="22" text-anchor="end">100%</text><text class="dim" x="38" y="132" text-anchor="end">50%</text><text class="dim" x="38" y="242" text-anchor="end">0%</text>
`)
	for _, l := range c.Lines {
		m.add(`<path class="line s%d" d="%s"/>`, l.Color, l.Path)
		for _, p := range l.Points {
			m.add(`<circle class="f%d" cx="%d" cy="%d" r="3.5"><title>%s</title></circle>`, l.Color, p.X, p.Y, p.Text)
		}
		m.WriteString("\n")
	}
	for _, t := range c.Ticks {
		m.add(`<text class="dim" x="%d" y="256" text-anchor="middle">%s</text>`, t.X, t.Text)
	}
	m.add("\n"+`<text class="dim" x="424" y="273" text-anchor="end">%s</text>`+"\n</svg>\n</figure>\n", c.Under)
}

func (p *reliability) draw(m *markup) {
	m.add("<figure>\n<h2>%[1]s</h2>\n"+`<svg viewBox="0 0 300 264" role="img" aria-label="%[1]s">`+"\n", p.Title)
	m.WriteString(`<path class="grid" d="M44 18H264V238H44ZM44 238L264 18" stroke-dasharray="4 3"/>` + "\n")
	for _, s := range p.Spots {
		m.add(`<path class="line s1" d="M%d %dV%d"/>`, s.X, s.Base, s.Y)
		m.add(`<circle class="f0" cx="%d" cy="%d" r="%.1f" opacity=".85"><title>%s</title></circle>`+"\n", s.X, s.Y, s.R, s.Text)
	}
	m.WriteString(`<text class="dim" x="38" y="22" text-anchor="end">100%</text><text class="dim" x="38" y="242" text-anchor="end">0%</text>
<text class="dim" x="44" y="256">said 0%</text><text class="dim" x="264" y="256" text-anchor="end">said 100%</text>
</svg>
`)
	m.add("<figcaption>How often it was right (up) of what it said (right); a larger spot has more answers. Off by %s in the mean (ECE).</figcaption>\n</figure>\n", p.ECE)
}
