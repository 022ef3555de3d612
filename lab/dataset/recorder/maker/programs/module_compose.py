"""Composed scripts: random parts, composed of random parts, used by a random driver."""

from .module_body import Body
from .module_except import part_context, part_exception, part_match
from .module_expr import Scope
from .module_flow import part_closure, part_decorator, part_functools, part_generator
from .module_nest import part_chain, part_mutual, part_nested, part_order, part_pipeline, part_tries
from .module_objects import fault, part_container, part_helper, part_machine
from .module_parts import part_class, part_function, part_record, part_recursion, part_star

PARTS = ((part_function, 6), (part_star, 3), (part_recursion, 7), (part_class, 16), (part_record, 6), (part_generator, 8), (part_closure, 7),
        (part_decorator, 6),
         (part_functools, 5), (part_exception, 7), (part_context, 4), (part_match, 6),
         (part_container, 4), (part_helper, 4), (part_machine, 3),
         (part_chain, 8), (part_mutual, 2), (part_tries, 5), (part_pipeline, 4), (part_order, 6), (part_nested, 4))
_WHAT = [p for p, _ in PARTS]
_HOW_OFTEN = [w for _, w in PARTS]


def compose(rng, difficulty):
    """Returns (imports, definitions, driver, whether it may raise) of a random script."""
    g = Body(rng, difficulty)
    g.may_raise = False
    count = rng.choices((1, 2, 3), (6 - 4 * difficulty, 4, 0.3 + 3 * difficulty))[0]
    imports, defs, uses = [], [], []
    before = Scope()
    before.assignable = set()
    driver = []
    for _ in range(count):
        d, u, i = rng.choices(_WHAT, _HOW_OFTEN)[0](g)
        defs += d
        uses.append(u)
        imports += [x for x in i if x not in imports]
    if rng.random() < 0.35:
        for _ in range(rng.randint(1, 2)):
            driver += g.assign(before)
    queue = [use for group in uses for use in group]
    if rng.random() < 0.3:
        rng.shuffle(queue)
    for use in queue:
        driver += use(before)
        if rng.random() < 0.2:
            driver += g.statement(before, 1)
    if rng.random() < 0.35 and before.vars:
        names = [v for v, k in before.vars.items() if "." not in v]
        shown = rng.sample(names, min(len(names), rng.randint(1, 3)))
        driver.append(f"print({', '.join(shown)})" if rng.random() < 0.6 else f"assert {shown[0]} is not None" if rng.random() < 0.3 else f"print(f'{{{shown[0]}}}')")
    if rng.random() < 0.08:
        driver += fault(g, before)
    return imports, defs, driver, g.may_raise
