# csv: DictReader and DictWriter over the C reader, the sniffer's heuristics.
# user: csv
import io
import sys

sys.modules.pop("csv", None)
import csv

rows = list(csv.DictReader(io.StringIO("a,b\n1,2\n3\n4,5,6\n")))
out = io.StringIO()
w = csv.DictWriter(out, ["a", "b"], extrasaction="ignore")
w.writeheader()
w.writerow({"a": 1, "b": "x,y", "c": 0})
text = out.getvalue()
dialect = csv.Sniffer().sniff("a;b\n1;2\n3;4\n").delimiter
del w, out
