package chat

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
)

// inside is an nd/1 text that ends in a function with a caller: x is 2, and y is 3 when the
// function returns.
const inside = `<|trace_context_start|>1|def f(x):
2|    y = x + 1
3|    return y
4|a = f(2)
5|print(a)
<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 4]]{}<|action_sep|>4|a = f(2)
<|frame_sep|><|debug_sep|>breakpoint 3<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 4], ["f", 3]]{"x": "2", "y": "3"}<|action_sep|>3|    return y
<|frame_sep|>`

// TestDecode checks, for answers of models, the nd/1 reply to which each one decodes, or the error
// for an invalid one.
func TestDecode(t *testing.T) {
	const returns = `{"outcome":"state","event":"return","line":3,"function":null,"stack":null,"locals":[],"names":null,"kind":"return","value":"3","exit_code":null}`
	const returned = `<|return_sep|>{"x": "..", "y": ".."}<|action_sep|>3|    return y` + "\n" + `<|arg_sep|>"3"<|frame_sep|>`
	const line = `{"outcome":"state","event":"line","line":2,"locals":%}`
	const lined = `<|line_sep|>%<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"
	// with returns the answer returns with one replacement.
	with := func(old, with string) string { return strings.Replace(returns, old, with, 1) }
	locals := func(l string) string { return strings.Replace(line, "%", l, 1) }
	shows := func(l string) string { return strings.Replace(lined, "%", l, 1) }
	deep := strings.Repeat(`{"a":`, 20000) + strings.Repeat("}", 20000)
	for _, c := range []struct{ name, action, answer, want string }{
		// Text around the object.
		{"the object", "step_over", returns, returned},
		{"spread over lines", "step_over", "\n" + strings.ReplaceAll(returns, ",", ",\n  "), returned},
		{"a fence", "step_over", "```json\n" + returns + "\n```", returned},
		{"a fence without a language", "step_over", "```\n" + returns + "\n```\n", returned},
		{"thoughts", "step_over", "<think>\nThe state is {\"outcome\": \"end\"}?\nNo.</think>\n\n" + returns, returned},
		{"thoughts that nothing opens", "step_over", "It returns {\"outcome\": \"end\"}.</think>" + returns, returned},
		{"thoughts that do not end", "step_over", "<think>The state is " + returns, "the answer ends within its thoughts: after them a JSON object is to come"},
		{"words before", "step_over", "d is {'a': 1} and s {1, 2}, {} is empty. The state:\n" + returns, returned},
		{"words with an object before", "step_over", `With {"x": 2} it returns: ` + returns, returned},
		{"words after", "step_over", returns + "\n\nNote that {x} is not changed, and neither is {\"x\": 2}.", returned},
		{"the same twice", "step_over", returns + "\n```json\n" + strings.ReplaceAll(returns, ":", ": ") + "\n```", returned},
		{"two objects", "step_over", returns + "\nCOMMAND step_over\n" + with(`"line":3`, `"line":2`), "there are two JSON objects in the answer, and they differ: it is to be one"},
		{"the mark of thoughts in a value", "step_over", with(`"3"`, `"'</think>'"`), strings.Replace(returned, `"3"`, `"'</think>'"`, 1)},
		{"nothing", "step_over", "", "there is no JSON object in the answer: it is to be one, and nothing else"},
		{"words alone", "step_over", "The function returns {3}.", "there is no JSON object in the answer: it is to be one, and nothing else"},
		{"an array", "step_over", "[" + returns + "]", returned},
		{"cut off", "step_over", returns[:len(returns)-20], "the JSON object of the answer is cut off"},
		{"cut off in a value", "step_over", locals(`[{"name": "x", "value": "[1, `)[:70], "the JSON object of the answer is cut off"},
		{"cut off at once", "step_over", "The state: {", "the JSON object of the answer is cut off"},
		{"cut off after another object", "step_over", `With {"x": 2}: {"outcome"`, "the JSON object of the answer is cut off"},
		{"two objects that are none", "step_over", `{"x": 2,} {"y": 1}`, "the JSON object of the answer cannot be read: invalid character '}' looking for beginning of object key string"},
		{"an empty object", "step_over", `{}`, `the JSON object of the answer has no "outcome"`},
		{"a comma too many", "step_over", with(`null}`, `null,}`), "the JSON object of the answer cannot be read: invalid character '}' looking for beginning of object key string"},
		{"a quote too few", "step_over", with(`"3",`, `"3,`), "the JSON object of the answer cannot be read: invalid character 'e' after object key:value pair"},
		{"Python's quotes", "step_over", strings.ReplaceAll(returns, `"`, `'`), "there is no JSON object in the answer: it is to be one, and nothing else"},
		{"deep nesting", "step_over", deep, "the JSON object of the answer cannot be read: invalid character '{' exceeded max depth"},
		{"a line end in a string", "step_over", with(`"3"`, "\"'''\n'''\""), `the JSON object of the answer cannot be read: invalid character '\n' in string literal`},
		{"a NUL", "step_over", with(`"3"`, "\"\x00\""), `the JSON object of the answer cannot be read: invalid character '\x00' in string literal`},
		{"an escaped NUL", "step_over", with(`"3"`, `"'\u0000'"`), strings.Replace(returned, `"3"`, `"'\u0000'"`, 1)},
		{"half of a pair", "step_over", with(`"3"`, `"'\ud800'"`), `\ud800 is half of a character: a backslash that repr() writes is \\ in JSON`},
		{"the other half", "step_over", with(`"3"`, `"'\udc00\ud800'"`), `\udc00 is half of a character: a backslash that repr() writes is \\ in JSON`},
		{"half of a pair at the end", "step_over", with(`"3"`, `"\ud83d"`), `\ud83d is half of a character: a backslash that repr() writes is \\ in JSON`},
		{"a pair", "step_over", with(`"3"`, `"'\ud83d\ude00'"`), strings.Replace(returned, `"3"`, `"'😀'"`, 1)},
		{"what repr() writes of half of a pair", "step_over", with(`"3"`, `"'\\ud800'"`), strings.Replace(returned, `"3"`, `"'\\ud800'"`, 1)},
		{"bytes that are no UTF-8", "step_over", with(`"3"`, "\"\xff\""), "the JSON object of the answer is not UTF-8"},
		{"unknown fields", "step_over", with(`"outcome"`, `"reasoning":{"outcome":"end"},"confidence":0.9,"outcome"`), returned},

		// The outcome.
		{"no outcome", "step_over", with(`"outcome":"state",`, ""), `the JSON object of the answer has no "outcome"`},
		{"the outcome null", "step_over", with(`"outcome":"state"`, `"outcome":null`), `"outcome" is to be "state", "end", "start" or "unknown", not null`},
		{"another outcome", "step_over", with(`"state"`, `"stopped"`), `"outcome" is to be "state", "end", "start" or "unknown", not "stopped"`},
		{"an outcome that is no string", "step_over", with(`"state"`, `1`), `"outcome" is to be a string or null, not 1`},
		{"an end", "continue", `{"outcome":"end","exit_code":0}`, `<|end_sep|>{"code": 0}<|frame_sep|>`},
		{"an end by an exception", "continue", `{"outcome":"end","exit_code":1,"value":"ValueError('x')"}`, `<|end_sep|>{"code": 1, "exception": "ValueError('x')"}<|frame_sep|>`},
		{"an exit code in quotes", "continue", `{"outcome":"end","exit_code":"-9"}`, `<|end_sep|>{"code": -9}<|frame_sep|>`},
		{"an end without a code", "continue", `{"outcome":"end","exit_code":null}`, `an end is to have an "exit_code": 0, or 1 after an exception that nobody caught`},
		{"half a code", "continue", `{"outcome":"end","exit_code":0.5}`, `"exit_code" is to be an integer, not 0.5`},
		{"a code that is none", "continue", `{"outcome":"end","exit_code":99999999999}`, "the exit code 99999999999"},
		{"an exception that is none", "continue", `{"outcome":"end","exit_code":1,"value":["ValueError"]}`, `"value" is to be a string with its repr(), such as "[1, 2]" or "None", not ["ValueError"]`},
		{"the start", "inv_breakpoint 1", `{"outcome":"start"}`, `<|start_sep|><|frame_sep|>`},
		{"nobody knows", "step_over", Unknown(), `<|unknown_sep|><|frame_sep|>`},

		// The event and the line.
		{"no event", "step_over", with(`"event":"return",`, ""), `a state is to have an "event": "call", "line", "return" or "exception"`},
		{"another event", "step_over", with(`"event":"return"`, `"event":"yield"`), `a state is to have an "event": "call", "line", "return" or "exception"`},
		{"an event that is no string", "step_over", with(`"event":"return"`, `"event":{}`), `"event" is to be a string or null, not {}`},
		{"no line", "step_over", with(`"line":3`, `"line":null`), `a state is to have a "line"`},
		{"a line in quotes", "step_over", with(`"line":3`, `"line":"3"`), returned},
		{"a line with the file that there is", "step_over", with(`"line":3`, `"line":"a:3"`), returned},
		{"a line of a file that there is not", "step_over", with(`"line":3`, `"line":"b:3"`), `a line is to be a number from 1, not "b:3"`},
		{"line 0", "step_over", with(`"line":3`, `"line":0`), `a line is to be a number from 1, not 0`},
		{"a line below 0", "step_over", with(`"line":3`, `"line":-3`), `a line is to be a number from 1, not -3`},
		{"half a line", "step_over", with(`"line":3`, `"line":3.5`), `a line is to be a number from 1, not 3.5`},
		{"two lines", "step_over", with(`"line":3`, `"line":"3,4"`), `a line is to be a number from 1, not "3,4"`},
		{"a line's text", "step_over", with(`"line":3`, `"line":"3|    return y  # and so on, for a long time"`), `a line is to be a number from 1, not "3|    return y  # and so on, for a long…`},
		{"a line that the program lacks", "step_over", with(`"line":3`, `"line":6`), "the program has no line 6"},

		// The value.
		{"no kind", "step_over", with(`"kind":"return"`, `"kind":null`), `a return is to have a "kind": "return", "yield" or "unwind"`},
		{"another kind", "step_over", with(`"kind":"return"`, `"kind":"exception"`), `a return is to have a "kind": "return", "yield" or "unwind"`},
		{"a yield", "step_over", with(`"kind":"return"`, `"kind":"yield"`), strings.Replace(returned, `"3"`, `{"yield": "3"}`, 1)},
		{"an unwind", "step_over", with(`"kind":"return"`, `"kind":"unwind"`), strings.Replace(returned, `"3"`, `null`, 1)},
		{"no value of a return", "step_over", with(`"value":"3"`, `"value":null`), `a return is to have a "value", a string with its repr(): of None it is "None"`},
		{"no value of a yield", "step_over", strings.Replace(with(`"value":"3",`, ``), `"kind":"return"`, `"kind":"yield"`, 1), `a yield is to have a "value", a string with its repr(): of None it is "None"`},
		{"no value of an exception", "step_over", `{"outcome":"state","event":"exception","line":2}`, `an exception is to have a "value", a string with its repr(): of None it is "None"`},
		{"an exception", "step_over", `{"outcome":"state","event":"exception","line":3,"kind":null,"value":"KeyError('x')"}`, `<|exception_sep|>{"x": "..", "y": ".."}<|action_sep|>3|    return y` + "\n" + `<|arg_sep|>"KeyError('x')"<|frame_sep|>`},
		{"a number as a value", "step_over", with(`"3"`, `-1.5e3`), strings.Replace(returned, `"3"`, `"-1.5e3"`, 1)},
		{"true", "step_over", with(`"3"`, `true`), strings.Replace(returned, `"3"`, `"True"`, 1)},
		{"false", "step_over", with(`"3"`, `false`), strings.Replace(returned, `"3"`, `"False"`, 1)},
		{"a list as a value", "step_over", with(`"3"`, `[1, 2]`), `"value" is to be a string with its repr(), such as "[1, 2]" or "None", not [1, 2]`},
		{"a value that a line has not", "step_into", `{"outcome":"state","event":"line","line":2,"value":"3","kind":"return"}`, shows(`{"x": "..", "y": ".."}`)},

		// The locals.
		{"no locals", "step_into", `{"outcome":"state","event":"line","line":2}`, shows(`{"x": "..", "y": ".."}`)},
		{"another value", "step_into", locals(`[{"name":"x","value":"5"}]`), shows(`{"x": "5", "y": ".."}`)},
		{"a value as before", "step_into", locals(`[{"name":"x","value":"2"}]`), shows(`{"x": "..", "y": ".."}`)},
		{"one more", "step_into", locals(`[{"name":"z","value":"5"}]`), shows(`{"x": "..", "y": "..", "z": "5"}`)},
		{"one more, between", "step_into", locals(`[{"name":"z","value":"5"}],"names":["x","z","y"]`), shows(`{"x": "..", "z": "5", "y": ".."}`)},
		{"one less", "step_into", locals(`[],"names":["y"]`), shows(`{"y": ".."}`)},
		{"a number", "step_into", locals(`[{"name":"x","value":5}]`), shows(`{"x": "5", "y": ".."}`)},
		{"a truth value", "step_into", locals(`[{"name":"x","value":false}]`), shows(`{"x": "False", "y": ".."}`)},
		{"an object, in its order", "step_into", locals(`{"z":"'a'","x":1}`), shows(`{"x": "1", "y": "..", "z": "'a'"}`)},
		{"an empty object", "step_into", locals(`{}`), shows(`{"x": "..", "y": ".."}`)},
		{"an object with a name twice", "step_into", locals(`{"z":"1","z":"2"}`), `the local "z" comes twice in "locals"`},
		{"one local that is in no list", "step_into", locals(`{"name":"x","value":"1"}`), `"locals" is to be a list of {"name": …, "value": …}, both strings, not {"name":"x","value":"1"}`},
		{"two variables that are named so", "step_into", locals(`{"name":"'n'","value":"1","y":"3"}`), shows(`{"x": "..", "y": "..", "name": "'n'", "value": "1"}`)},
		{"names twice", "step_into", locals(`[{"name":"x","value":"5"},{"name":"x","value":"5"}]`), `the local "x" comes twice in "locals"`},
		{"a value that is missing", "step_into", locals(`[{"name":"x"}]`), `the local "x" is to have a value, a string with its repr()`},
		{"a value that is null", "step_into", locals(`[{"name":"x","value":null}]`), `the local "x" is to have a value, a string with its repr()`},
		{"a value that is a list", "step_into", locals(`[{"name":"x","value":[1]}]`), `the value of "x" is to be a string with its repr(), such as "[1, 2]" or "None", not [1]`},
		{"a value that is an object", "step_into", locals(`{"x":{"a":1}}`), `the value of "x" is to be a string with its repr(), such as "[1, 2]" or "None", not {"a":1}`},
		{"a name that is missing", "step_into", locals(`[{"value":"1"}]`), `each of "locals" is to be {"name": …, "value": …}, both strings`},
		{"a name that is no string", "step_into", locals(`[{"name":1,"value":"1"}]`), `"locals" is to be a list of {"name": …, "value": …}, both strings, not [{"name":1,"value":"1"}]`},
		{"names alone", "step_into", locals(`["x","y"]`), `"locals" is to be a list of {"name": …, "value": …}, both strings, not ["x","y"]`},
		{"a text", "step_into", locals(`"x = 5"`), `"locals" is to be a list of {"name": …, "value": …}, both strings, not "x = 5"`},
		{"a name whose value is missing", "step_into", locals(`[],"names":["x","y","z"]`), `"z" is among the "names" and new here: "locals" is to have its value`},
		{"a name that comes twice", "step_into", locals(`[],"names":["x","x"]`), `"x" comes twice in "names"`},
		{"a value without a name", "step_into", locals(`[{"name":"z","value":"1"}],"names":["x","y"]`), `"z" has a value in "locals": "names" is to have it too, or to be null`},
		{"names as an object", "step_into", locals(`[],"names":{"x":1}`), `"names" is to be a list of strings or null, not {"x":1}`},
		{"names that are no strings", "step_into", locals(`[],"names":[1]`), `"names" is to be a list of strings or null, not [1]`},

		// The stack.
		{"the function that is on top", "step_over", with(`"function":null`, `"function":"f"`), returned},
		{"another function", "step_over", with(`"function":null`, `"function":"g"`), `the function "g" is not the one on top of the stack, which is "f"`},
		{"a function that is no string", "step_over", with(`"function":null`, `"function":1`), `"function" is to be a string or null, not 1`},
		{"a call", "step_into", `{"outcome":"state","event":"call","line":1,"function":"f","locals":[{"name":"x","value":"9"}]}`, `<|call_sep|><|stack_sep|>"f"{"x": "9"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"},
		{"a call without its function", "step_into", `{"outcome":"state","event":"call","line":1,"locals":[]}`, "the name of the new function is needed here, and is not told"},
		{"an empty stack where none is needed", "step_over", with(`"stack":null`, `"stack":[]`), returned},
		{"a stack where none is needed", "step_into", locals(`[{"name":"x","value":"2"}],"stack":[{"function":"<module>","line":4},{"function":"f","line":2}]`), shows(`<|stack_sep|>[["<module>", 4], ["f", 2]]{"x": "2"}`)},
		{"no stack after continue", "continue", returns, "the whole stack is needed here, the outermost frame first, and is not told"},
		{"an empty stack after continue", "continue", with(`"stack":null`, `"stack":[]`), "the whole stack is needed here, the outermost frame first, and is not told"},
		{"a stack with a line that is not known", "continue", locals(`[],"stack":[{"function":"<module>","line":null},{"function":"f","line":"2"}]`), shows(`<|stack_sep|>[["<module>", null], ["f", 2]]{}`)},
		{"a stack whose top has no line", "continue", locals(`[],"stack":[{"function":"f"}]`), shows(`<|stack_sep|>[["f", 2]]{}`)},
		{"a stack at another line", "continue", locals(`[],"stack":[{"function":"f","line":3}]`), "the state is at line 2, where the stack's top is not"},
		{"a stack and another function", "continue", locals(`[],"function":"g","stack":[{"function":"f","line":2}]`), `the function "g" is not the one on top of the stack, which is "f"`},
		{"a stack with a line that there is not", "continue", locals(`[],"stack":[{"function":"g","line":7},{"function":"f","line":2}]`), "the program has no line 7"},
		{"a stack with a line that is none", "continue", locals(`[],"stack":[{"function":"f","line":"two"}]`), `a line is to be a number from 1, not "two"`},
		{"a stack without functions", "continue", locals(`[],"stack":[{"line":2}]`), `a frame of the stack is to have a "function", a string`},
		{"a stack with a function that is none", "continue", locals(`[],"stack":[{"function":2,"line":2}]`), `a frame of the stack is to have a "function", a string`},
		{"a stack with a function that is null", "continue", locals(`[],"stack":[{"function":null,"line":2}]`), `a frame of the stack is to have a "function", a string`},
		{"a stack of names", "continue", locals(`[],"stack":["f"]`), `"stack" is to be a list of {"function": …, "line": …} or null, not ["f"]`},
		{"a stack of one frame", "continue", locals(`[],"stack":{"function":"f","line":2}`), `"stack" is to be a list of {"function": …, "line": …} or null, not {"function":"f","line":2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, gen.Standing(t, inside), c.action, c.answer, c.want)
		})
	}
	const several = `{"outcome":"state","event":"return","line":"b:2","kind":"return","value":"1"}`
	for _, c := range []struct{ name, action, answer, want string }{
		{"a line with its file", "step_over", several, `<|return_sep|>{}<|action_sep|>b:2|    return 1` + "\n" + `<|arg_sep|>"1"<|frame_sep|>`},
		{"a line without a file", "step_over", strings.Replace(several, `"b:2"`, `2`, 1), `a line is to be written with its file, such as "a:12", not 2`},
		{"a line without a file, in quotes", "step_over", strings.Replace(several, `b:2`, `2`, 1), `a line is to be written with its file, such as "a:12", not "2"`},
		{"a file's name", "step_over", strings.Replace(several, `b:2`, `b.py:2`, 1), `a line is to be written with its file, such as "a:12", not "b.py:2"`},
		{"a file that there is not", "step_over", strings.Replace(several, `b:2`, `c:2`, 1), "the program has no line c:2"},
		{"a line that the file lacks", "step_over", strings.Replace(several, `b:2`, `b:3`, 1), "the program has no line b:3"},
		{"another file", "step_over", strings.Replace(several, `b:2`, `a:2`, 1), `line a:2 is not in the file of "f", which is on top of the stack`},
		{"a stack", "continue", strings.Replace(several, `"kind"`, `"stack":[{"function":"<module>","line":"a:2"},{"function":"f","line":"b:2"}],"kind"`, 1), `<|return_sep|><|stack_sep|>[["<module>", "a:2"], ["f", "b:2"]]{}<|action_sep|>b:2|    return 1` + "\n" + `<|arg_sep|>"1"<|frame_sep|>`},
		{"a stack of numbers", "continue", strings.Replace(several, `"kind"`, `"stack":[{"function":"f","line":2}],"kind"`, 1), `a line is to be written with its file, such as "a:12", not 2`},
		{"a stack without lines", "continue", strings.Replace(several, `"kind"`, `"stack":[{"function":"<module>"},{"function":"f"}],"kind"`, 1), `<|return_sep|><|stack_sep|>[["<module>", null], ["f", "b:2"]]{}<|action_sep|>b:2|    return 1` + "\n" + `<|arg_sep|>"1"<|frame_sep|>`},
	} {
		t.Run("files/"+c.name, func(t *testing.T) { check(t, gen.Standing(t, gen.SeveralFiles), c.action, c.answer, c.want) })
	}
}

// check decodes an answer to an action. want is the nd/1 reply, or else the error.
func check(t *testing.T, at *dsl.Node, action, answer, want string) {
	t.Helper()
	a, err := dsl.ParseAction(action)
	if err != nil {
		t.Fatal(err)
	}
	step, err := Decode(at, a, answer)
	if err != nil {
		if fault := (*Error)(nil); !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%s\nwant %s", err, want)
		}
		return
	}
	if text, err := at.Reply(a, step.Reply); err != nil || text != want {
		t.Errorf("it is read as %s, %v\nwant %s", text, err, want)
	}
}
