# html.parser: a subclass of ours called back from a scanning loop.
# user: html.parser _markupbase
import sys

for name in ("html.parser", "_markupbase"):
    sys.modules.pop(name, None)
from html.parser import HTMLParser


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.found.append(data.strip())


p = Links()
p.feed('<a href="x">go &amp; see</a><!-- c --><br>')
p.close()
found = p.found
