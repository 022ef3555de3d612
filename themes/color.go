package themes

import (
	"image/color"
	"math"

	"github.com/lucasb-eyer/go-colorful"
)

// contrast returns the contrast ratio of two colors, 1 to 21 (WCAG 2.2,
// "contrast ratio").
func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance returns the relative luminance of a color, 0 to 1 (WCAG 2.2).
func luminance(c color.Color) float64 {
	r, g, b := exact(c).LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// exact converts a color for calculations. The conversion cannot fail, because all colors of
// npdb are opaque.
func exact(c color.Color) colorful.Color {
	e, _ := colorful.MakeColor(c)
	return e
}

// opaque converts a calculated color to one that can be drawn.
func opaque(c colorful.Color) color.RGBA {
	r, g, b := c.Clamped().RGB255()
	return color.RGBA{r, g, b, 0xff}
}

// mix returns a mixture of two colors; part is the share of b, 0 to 1.
func mix(a, b color.Color, part float64) color.RGBA {
	return opaque(exact(a).BlendOkLab(exact(b), part))
}

// readable returns fg if its contrast ratio to all backgrounds is at least ratio. Otherwise it
// returns the nearest lighter or darker color for which this is true, or if there is none, black or
// white.
func readable(fg color.Color, ratio float64, backgrounds ...color.Color) color.RGBA {
	worst := func(c color.Color) float64 {
		least := math.Inf(1)
		for _, bg := range backgrounds {
			least = min(least, contrast(c, bg))
		}
		return least
	}
	end := color.Color(color.White)
	if worst(color.Black) > worst(color.White) {
		end = color.Black
	}
	const steps = 50
	for i := range steps {
		if c := mix(fg, end, float64(i)/steps); worst(c) >= ratio {
			return c
		}
	}
	return opaque(exact(end))
}

// apart returns how different two colors look: their distance in OKLab. The distance of black and
// white is 1. Two colors with a distance of about 0.02 can barely be distinguished side by side.
func apart(a, b color.Color) float64 {
	l1, a1, b1 := exact(a).OkLab()
	l2, a2, b2 := exact(b).OkLab()
	return math.Sqrt((l1-l2)*(l1-l2) + (a1-a2)*(a1-a2) + (b1-b2)*(b1-b2))
}

// gray is the chroma in OKLCH below which a color counts as gray.
const gray = 0.05

// hueDistance returns the distance of two hues, 0 to 180 degrees.
func hueDistance(a, b float64) float64 {
	return math.Abs(math.Mod(a-b+540, 360) - 180)
}
