# colorsys: pure functions on floats.
# user: colorsys
import sys

sys.modules.pop("colorsys", None)
import colorsys

h = colorsys.rgb_to_hsv(0.2, 0.4, 0.4)
back = colorsys.hsv_to_rgb(*h)
l = colorsys.rgb_to_hls(1.0, 0.5, 0.5)
y = colorsys.rgb_to_yiq(0.1, 0.2, 0.3)
again = colorsys.hls_to_rgb(*l)
