"""Collects all scripts of which variants are generated."""

from . import (
    module_scripts_flow1,
    module_scripts_flow2,
    module_scripts_flow3,
    module_scripts_flow4,
    module_scripts_functions1,
    module_scripts_functions2,
    module_scripts_functions3,
    module_scripts_objects1,
    module_scripts_objects2,
    module_scripts_objects3,
)

SCRIPTS = [script for part in (
    module_scripts_objects1,
    module_scripts_objects2,
    module_scripts_objects3,
    module_scripts_functions1,
    module_scripts_functions2,
    module_scripts_functions3,
    module_scripts_flow1,
    module_scripts_flow2,
    module_scripts_flow3,
    module_scripts_flow4,
) for script in part.SCRIPTS]
