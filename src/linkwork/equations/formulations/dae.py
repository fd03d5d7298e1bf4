"""What the formulations by differential and algebraic equations have in common: how they are compiled and begun."""

from __future__ import annotations

from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations.differential_algebraic import implicit_form, statement_of
from linkwork.equations.formulations.base import Scheme
from linkwork.equations.terms import closure_function, position_functions, terms_function
from linkwork.numerics.flows.dae import DaePlaces, by_residual


def dae_scheme(c: Coordinates, form: str, project: str) -> Scheme:
    """The equations F(t, z, ż) = 0 in one of the forms of ``equations/differential_algebraic.py``; *project*: 'steps',
    'output' or 'nothing'."""
    written = implicit_form(statement_of(c), form)
    functions = {"closure": closure_function(c), "terms": terms_function(c, c.b), **position_functions(c)}

    places = DaePlaces(written.rows, written.columns, written.levels, written.grades, written.stabilised)
    return Scheme(functions | dict(written.functions), by_residual(places, c.q.numel(), c.y.numel(), project))
