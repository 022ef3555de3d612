//go:build unix

package session_test

// Reasons for which several answers differ from pdb's.
const (
	byLibrary  = "library code is passed over: s does not enter it, n and r do not stop in it"
	byItself   = "pdb.run would debug a string in a second debugger: npdb keeps tracing, says so, and the string runs"
	byFinal    = "n and r in a generator or coroutine go to its final return, pdb's to the StopIteration that its caller sees"
	byUsage    = "the usage is that of npdb's command"
	byTheClass = "a value whose class has no __repr__ of its own, or one that raises, is told by its attributes"
)

// differences lists npdb's intentional differences from pdb in the scenarios of CPython
// 3.13's test_pdb. The table is exact: an answer that begins or ceases to be pdb's fails
// the test.
var differences = map[string][]difference{
	"test_pdb_breakpoint_commands":                               {{answer: 26, why: byUsage}, {answer: 29, why: "a condition that raises is told of"}},
	"test_pdb_breakpoint_with_filename":                          {{answer: 1, rest: true, why: "a breakpoint in library code"}},
	"test_pdb_breakpoints_preserved_across_interactive_sessions": {{rest: true, why: byItself}},
	"test_pdb_empty_line":                                        {{answer: 3, why: "where n stops is told before what ;; asks there, not after it"}},
	"test_list_commands":                                         {{answer: 7, why: "list takes files, modules and functions too, and says that none has that name"}, {answer: 10, rest: true, why: byLibrary}},
	"test_pdb_return_to_different_file":                          {{answer: 4, rest: true, why: byLibrary}},
	"test_pdb_invalid_arg":                                       {{answer: 1, why: byUsage}, {answer: 2, why: byUsage}, {answer: 3, rest: true, why: "moves take a count"}},
	"test_pdb_run_with_incorrect_argument":                       {{why: byItself}},
	"test_pdb_run_with_code_object":                              {{rest: true, why: byItself}},
	"test_pdb_next_command_for_coroutine":                        {{answer: 6, rest: true, why: byFinal}},
	"test_pdb_return_command_for_generator":                      {{answer: 5, rest: true, why: byFinal}},
	"test_pdb_next_command_in_generator_for_loop":                {{answer: 4, rest: true, why: byFinal}},
	"test_pdb_next_command_subiterator":                          {{answer: 5, rest: true, why: byFinal}},
	"test_pdb_issue_20766":                                       {{answer: 1, why: "npdb, not Pdb, handles an interrupt, and takes no signal for it"}, {answer: 2, why: "the same"}},
	"test_pdb_issue_gh_80731":                                    {{answer: 2, why: byTheClass}},
	"test_pdb_issue_gh_65052":                                    {{answer: 2, why: byTheClass}, {answer: 3, why: byTheClass}, {answer: 5, why: byTheClass}, {answer: 6, why: "what its __repr__ raises is worded as for any expression"}, {answer: 7, why: "the same"}},
}
