"""Names and literals that programs use for each type."""

SEPARATORS = (", ", ",", "-", " ", "", "_", ":", "/", "|", ";", ".", "+", "\n", "--", "a", "=")
PARAMETERS = {
    "int": "n k x num limit count m i value a b y step size threshold target",
    "str": "s text word line string name txt phrase sentence msg t data value a b pattern prefix sub",
    "ch": "ch char c sep letter sub x symbol old new", "li": "nums arr lst numbers values items array a data xs l nums1 list1",
    "ls": "words names items lst parts strings tokens names lines array keys l", "ll": "matrix grid rows lists m nested data",
    "lp": "pairs items records scores data", "dsi": "d counts dic scores mapping inventory ages prices dict1 data stock",
    "dis": "d lookup table mapping names dic", "dss": "d mapping names aliases dic settings config",
    "dsl": "groups graph d index table data", "si": "seen s allowed values", "ti": "point values t coords pair tup",
    "ts": "parts t names fields", "bool": "flag reverse strict ok", "float": "x rate value price amount ratio",
    "opt": "limit default start n maxsplit", "fs": "allowed fixed", "by": "data raw b", "tsi": "pair item entry", "lb": "flags bits",
}
LOCALS = {
    "int": "count total n result i j k x num res idx index length value acc a b y m best pos score start end diff cnt ans c s",
    "str": "result res s text new out output ans word t tmp line temp a b ret new_text string joined cleaned name",
    "ch": "ch c letter x first last", "li": "result res out nums new lst values output temp arr a b copy evens rest new_list ans",
    "ls": "result parts words res out tokens items lst chars new lines pieces names output l", "ll": "rows result grid out",
    "lp": "pairs items result ordered", "dsi": "counts d result freq count dic out counter seen totals", "dis": "d lookup result index",
    "dss": "d mapping result table", "dsl": "groups result d buckets", "si": "seen unique s found visited", "ti": "t pair result bounds",
    "ts": "parts t head", "bool": "found flag ok valid result is_valid done", "float": "avg mean ratio x result rate",
    "opt": "best found value last prev", "fs": "fixed s", "by": "raw b", "tsi": "best item pair entry", "lb": "flags checks",
}
PARAMETERS = {kind: names.split() for kind, names in PARAMETERS.items()}
LOCALS = {kind: names.split() for kind, names in LOCALS.items()}
LITERALS = {
    "digits": lambda r: repr(str(r.randint(0, 99))), "binary": lambda r: repr(bin(r.randint(1, 60))[2:]), "hex": lambda r: repr("%x" % r.randint(1, 400)),
    "letter": lambda r: r.choice("abcxyz"), "spec": lambda r: repr(r.choice(("05d", "b", "x", "+d", ",", "4d", ">6", "<5", "^7", "08b", "o"))),
    "spec2": lambda r: r.choice(("b", "x", "08b", "+d", ",", ">5", "<4", "X")), "abc": lambda r: repr(r.choice(("abc", "aei", "xyz", "eio", "ABC"))),
    "xyz": lambda r: repr(r.choice(("123", "xyz", "***", "uvw", "-_."))), "regex": lambda r: r.choice((r"\d+", "[aeiou]", r"\s+", r"\W", "[a-m]+")),
    "vowels": lambda r: repr(r.choice(("aeiou", "aeiouAEIOU", "0123456789", "abc", " ,.", "xyz", "+-*/"))),
    "decimal": lambda r: repr(r.choice(("2.5", "-0.5", "10", "3.25", " 7.0 ", "1e2"))), "class": lambda r: r.choice(("int", "str", "list", "(int, str)", "dict", "bool", "tuple")),
}
