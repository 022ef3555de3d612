# statistics: exact sums, generator expressions, exceptions.
# user: statistics
import sys

sys.modules.pop("statistics", None)
import statistics

data = [2, 4, 4, 5]
mean = statistics.mean(data)
median = statistics.median(data)
mode = statistics.mode(data)
spread = statistics.pvariance([1.0, 2.0, 4.0])
try:
    statistics.mean([])
except statistics.StatisticsError as e:
    why = str(e)
