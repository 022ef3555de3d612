//go:build unix

package provenance_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// gatherings are statements that gather elements, each with an expression and its chain. They follow the
// 11 lines of gatheringProgram.
var gatherings = []struct{ statement, expr, want string }{
	{"r = list(gen(2))", "r[1]", "creation r[1]=8:12; yield gen()=8:5; assignment k=8:3; literal"},
	{"r = tuple(gen(2))\nx = r[1]", "x", "element x=8:13; element r[1]=8:12; yield gen()=8:5; assignment k=8:3; literal"},
	{"r = sorted(gen(2))", "r[0]", "creation r[0]=7:12; yield gen()=7:4; literal"},
	{"r = sorted([b, a])", "r[0]", "creation r[0]=1:12; assignment a=1:10; literal"},
	{"r = [*gen(2)]", "r[1]", "creation r[1]=8:12; yield gen()=8:5; assignment k=8:3; literal"},
	{"r = [a, *gen(2), b]", "r[2]", "creation r[2]=8:12; yield gen()=8:5; assignment k=8:3; literal"},
	{"r = [a, *gen(2), b]", "r[3]", "creation r[3]=2:12; assignment b=2:11; literal"},
	{"r = [x for x in gen(2)]", "r[0]", "creation r[0]=7:12; yield gen()=7:4; literal"},
	{"r = list(x for x in gen(2))", "r[0]", "creation r[0]=7:12; yield gen()=7:4; literal"},
	{"r = list(outer())", "r[0]", "creation r[0]=7:12; yield outer()=7:8; yield gen()=7:4; literal"},
	{"r = list(enumerate(gen(2)))\nx = r[0][1]", "x", "element x=7:13; creation r[0][1]=7:12; yield gen()=7:4; literal"},
	{"r = list(zip([a, b], gen(2)))\nx = r[0][1]", "x", "element x=7:13; creation r[0][1]=7:12; yield gen()=7:4; literal"},
	{"r = list(zip([a, b], gen(2)))\nx = r[1][0]", "x", "element x=2:13; creation r[1][0]=2:12; assignment b=2:11; literal"},
	{"r = dict(zip('ab', gen(2)))", "r['a']", "creation r['a']=7:12?; yield gen()=7:4; literal"},
	{"r = dict({'a': a}, b=b)", "r['b']", "creation r['b']=2:12; assignment b=2:11; literal"},
	{"r = list(filter(None, gen(2)))", "r[0]", "creation r[0]=7:12; yield gen()=7:4; literal"},
	{"r = list(reversed([a, b]))", "r[0]", "creation r[0]=2:12; assignment b=2:11; literal"},
	{"r = max(gen(2))", "r", "element r=8:12; yield gen()=8:5; assignment k=8:3; literal"},
	{"r = next(gen(2))", "r", "element r=7:12; yield gen()=7:4; literal"},
	{"r = sum(gen(2))", "r", "assignment r=15:12; yield gen(2)=:12; fork"},
	{"r = sum(gen(2))", "r via gen()[1]", "assignment r=15:12; yield gen(2)=:12; yield gen()=8:5; assignment k=8:3; literal"},
	{"r = print(*gen(2))", "r", "assignment r=None:12; yield gen(2)=:12; fork"},
	{"g = gen(2)\nr = list(g)", "r[1]", "creation r[1]=8:13; yield gen()=8:5; assignment k=8:3; literal"},
	{"r = [a] * 3", "r[2]", "creation r[2]=1:12; assignment a=1:10; literal"},
	{"r = 2 * [a, b]", "r[3]", "creation r[3]=2:12; assignment b=2:11; literal"},
	{"r = [a] + [b]", "r[1]", "creation r[1]=2:12; assignment b=2:11; literal"},
	{"r = [0]\nr.extend([a] * b)", "r[2]", "mutation r[2]=1:13; assignment a=1:10; literal"},
	{"r = [0]\nr.extend(gen(2))", "r[1]", "mutation r[1]=7:13; yield gen()=7:4; literal"},
	{"r = [0]\nr += [a] * b", "r[2]", "mutation r[2]=1:13?; assignment a=1:10; literal"},
	{"r = [0]\nr += gen(2)", "r[1]", "mutation r[1]=7:13; yield gen()=7:4; literal"},
	{"r = [0, 0, 0]\nr[1:] = [a, b]", "r[2]", "mutation r[2]=2:13?; assignment b=2:11; literal"},
	{"r = {}\nr.update({'a': a}, b=b)", "r['a']", "mutation r['a']=1:13; assignment a=1:10; literal"},
	{"r = {}\nr |= {'a': a}", "r['a']", "mutation r['a']=1:13; assignment a=1:10; literal"},
	{"import heapq\nr = [b]\nheapq.heappush(r, a)", "r[0]", "mutation r[0]=1:14; assignment a=1:10; literal"},
	{"import heapq\nq = [a, b]\nr = heapq.heappop(q)", "r", "element r=1:14; creation q[0]=1:13; assignment a=1:10; literal"},
	{"d = {}\nr = d.setdefault('k', a)", "r", "copy r=1:13; assignment a=1:10; literal"},
	{"d = {'k': 5}\nr = d.setdefault('k', a)", "r", "element r=5:13; creation d['k']=5:12; literal"},
	{"d = {}\nr = d.get('k', a)", "r", "copy r=1:13; assignment a=1:10; literal"},
	{"r = list(x for x in gen(2) if x > 7)", "r[0]", "creation r[0]=8:12; unknown"},
	{"r = list(map(str, gen(2)))", "r[0]", "creation r[0]='7':12; unknown"},
	{"g = gen(2)\nr = [next(g), *g]", "r[1]", "creation r[1]=8:13; unknown"},
	{"r = [x for x in {b, a}]", "r[0]", "creation r[0]=1:12; assignment a=1:10; literal"},
	{"from collections import deque\nr = deque([9], 2)\nr.extend([a, b, 3])", "r[1]", "mutation r[1]=3:14; unknown"},
}

const gatheringProgram = `def gen(n):
    if n > 1:
        k = 8
        yield 7
        yield k
    return None
def outer():
    yield from gen(2)
if True:
    a = 1
    b = 2
`

// TestGatherings follows elements through the functions and operators that gather them from others.
func TestGatherings(t *testing.T) {
	for _, c := range gatherings {
		tree := record(t, pythons.Any(t), gatheringProgram+c.statement+"\n")
		expr, via, _ := strings.Cut(c.expr, " via ")
		if got := describe(find(t, tree, tree.Len()-1, expr, strings.Fields(via)...)); got != c.want {
			t.Errorf("%s of\n%s\nhas the chain %s\nwant            %s", c.expr, c.statement, got, c.want)
		}
	}
}
