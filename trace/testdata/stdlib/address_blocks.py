# ipaddress: classes full of properties, generators over networks, a module-level cache.
# conformance: history
# user: ipaddress
import sys

sys.modules.pop("ipaddress", None)
import ipaddress

net = ipaddress.ip_network("10.0.0.0/30")
hosts = [str(h) for h in net.hosts()]
inside = ipaddress.ip_address("10.0.0.2") in net
merged = [str(n) for n in ipaddress.collapse_addresses(net.subnets())]
six = ipaddress.ip_address("::ffff:1").compressed
try:
    ipaddress.ip_address("300.1.1.1")
except ValueError as e:
    why = str(e)[:9]
