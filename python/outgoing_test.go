package python_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/python"
)

// TestOutgoing checks what each line of a program may run. The comment on a line contains the
// expected result: nothing, operators or calls, whether the line repeats, and whether it has a
// separate frame.
func TestOutgoing(t *testing.T) {
	const program = `x = 1 # nothing
x = y, 2 # nothing
a, b = b, a # nothing
a, b = x # calls
x = a + b # operators
x += 1 # operators
x.y = 3 # operators
x = f(1) # calls
x = len(y) # operators
x = len(f(1)) # calls
print(x[0]) # operators
chr(2) # calls
import other # calls
if x: # nothing
    pass # nothing
elif f(x): # calls
    x = lambda: f(1) # nothing nested
else:
    del x[0] # operators
for i in x: # calls again
    if i > 2: # operators again
        break # nothing again
    x = i # nothing again
while x: # operators again
    x = 0 # nothing again
x = [f(i) for i in y] # calls again nested
x = (1, # operators again
     a + b) # operators again
with a: # calls again
    x = 2 # nothing
try: # nothing
    x = 1 # nothing
except E: # nothing
    raise # calls
def f(a=1): # nothing
    return a # nothing
def chr(a=f(2)): # calls
    yield a # calls
@d # calls again
def h(): # calls again
    global x # nothing
    return -x # operators
class C: # calls nested
    x = 1 # nothing nested
async def k(): # nothing
    await x # calls
x = 1; f() # calls
x = f"{y}" # operators
x = ( # calls
`
	s := python.Read([]byte(program))
	names := map[python.Outgoing]string{python.RunsNothing: "nothing", python.RunsOperators: "operators", python.RunsCalls: "calls"}
	for i, line := range strings.Split(strings.TrimSuffix(program, "\n"), "\n") {
		_, want, ok := strings.Cut(line, " # ")
		if !ok {
			continue
		}
		got := names[s.Outgoing(i+1)]
		if s.Repeated(i + 1) {
			got += " again"
		}
		if s.Nested(i + 1) {
			got += " nested"
		}
		if got != want {
			t.Errorf("line %d, %s: %s", i+1, line, got)
		}
	}
}
