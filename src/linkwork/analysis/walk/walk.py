"""The stages of the walk as users call them: each takes any noun that stands before it, or that says where to begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import casadi as ca

from linkwork.algebra.given import FilePath, Parameters, Scalar
from linkwork.analysis.motion import singular
from linkwork.analysis.prepared import prepare as preparing
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.analysis.walk.subject import Noun, Subject, subject_of, topology_of
from linkwork.arguments import verb
from linkwork.compiler import export, program
from linkwork.compiler.backends import Backend
from linkwork.compiler.compiled import CompiledFunction
from linkwork.compiler.program import Program
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations import Equations
from linkwork.equations.formulations import Formulation
from linkwork.errors import RefusedError
from linkwork.position.circuit import LONGEST
from linkwork.progress import told
from linkwork.results.result import Result
from linkwork.results.time_grid import moment
from linkwork.topology import Topology
from linkwork.topology.limits import limits
from linkwork.topology.limits.motion_limits import MotionLimits
from linkwork.topology.mobility.singularity import Diagnosis


@verb
@told("analysing")
def analyse(model: Noun, *, parameters: Parameters | None = None) -> Topology:
    """Analyse a model: tree, loops, assembled position, mobility and redundancy. The result prints as a report.

    parameters: values of live parameters with which it is put together; they are those of the analysis from here on.
    """
    return topology_of(model, "analyse", parameters)


@verb
@told("following the motion to its limits")
def find_limits(
    model: Noun, input: str | None = None, *, parameters: Parameters | None = None, max_steps: int = LONGEST
) -> MotionLimits:
    """Follow the only motion of a mechanism and find the ranges, dead centres and branch points of its coordinates.

    input: a joint, or a coordinate such as 'O.angle', against which positions are given; by default the driven joint,
    else the first joint at the ground. Drivers are left out: they could move the mechanism anywhere.
    parameters: values of live parameters. max_steps: how long the motion is followed, each way. A circuit may take hundreds
    of turns of a gear; where it does not come round by then, ranges are what was seen on the way, and say so.
    """
    return limits.find_limits(topology_of(model, "find_limits", parameters), input, max_steps=max_steps)


@verb
def diagnose(
    model: Noun, time: Scalar | None = None, *, inputs: Sequence[str] = (), parameters: Parameters | None = None
) -> Diagnosis:
    """Tell whether a position is singular, and why: of a model as it is assembled, or of a run at a time.

    inputs: joint coordinates such as ``"O.angle"`` that are meant to be independent; parameters: values of live parameters
    """
    if isinstance(model, Result) and parameters:
        raise RefusedError("a run has its parameters already: give them there, or diagnose the model")
    known = model if isinstance(model, Result) else topology_of(model, "diagnose", parameters)
    return singular.diagnose(known, moment(time), inputs=inputs)


@verb
def number(model: Noun, coordinates: KindChoice | None = None) -> Coordinates:
    """Number the unknowns of a mechanism in a kind of coordinates: by default its own, else relative ones."""
    return _numbered(subject_of(model, "number"), coordinates)


def _numbered(subject: Subject, kind: KindChoice | None) -> Coordinates:
    return preparing.numbered(subject.begun, kind or subject.kind or "relative", stops=subject.stops)


@verb
def formulate(model: Noun, formulation: str | Formulation | None = None) -> Equations:
    """Write the equations of motion in a formulation, chosen by name or as an object with its own parameters.

    Without a choice it is that of what is given, else the first that works in these coordinates.
    """
    subject = subject_of(model, "formulate")
    own = subject.coordinates if subject.state is None else None
    return preparing.formulated(own or _numbered(subject, None), formulation or subject.formulation)


@verb
@told("preparing")
def prepare(
    model: Noun,
    *,
    coordinates: KindChoice | None = None,
    formulation: str | Formulation | None = None,
    backend: str | Backend | None = None,
    shape: str | None = None,
) -> Mechanism:
    """Analyse, number, formulate and compile a model. Asked again for an equal model, it is remembered.

    coordinates, formulation, backend: by default those of what is given, else relative ones, the first formulation that
    works in them, and 'cpu'. What has been analysed, numbered or formulated already is used as it is.
    shape: of the compiled code, 'straight', one operation after another, or 'tables', loops over what repeats; by default
    the first for short functions and the second for long ones. What is computed is the same.
    """
    return _prepared(model, "prepare", coordinates, formulation, program.in_shape(backend, shape))


def _prepared(
    noun: Noun,
    verb: str,
    coordinates: KindChoice | None = None,
    formulation: str | Formulation | None = None,
    backend: str | Backend | None = None,
) -> Mechanism:
    subject = subject_of(noun, verb)
    if subject.state is None and subject.poses is None:
        return subject.prepare(coordinates, formulation, backend)
    if coordinates is None:
        formulation = formulation or subject.formulation
    numbered = _numbered(subject, coordinates)
    return preparing.compiled(preparing.formulated(numbered, formulation), backend or subject.backend)


@verb
def build(
    model: Noun | Mapping[str, ca.Function], backend: str | Backend | None = None, shape: str | None = None
) -> Program:
    """Return the program of a mechanism, or of functions of (t, y, p) by name.

    backend: a name of `ALL_BACKENDS`, or a backend with options of its own; by default that of what is given, else 'cpu'.
    shape: of compiled code, as in `prepare`.
    """
    backend = program.in_shape(backend, shape)
    if isinstance(model, Program) and not isinstance(model.source, Equations):
        return program.build(model.source, backend or model.backend)
    if _has_functions(model):
        return program.build(model, backend or "cpu")  # type: ignore[arg-type]
    return _prepared(model, "build", backend=backend).program


@verb
def export_c(
    model: Noun | Mapping[str, CompiledFunction] | Mapping[str, ca.Function],
    path: FilePath,
    prefix: str = "linkwork_",
) -> Path:
    """Write the program of a mechanism, or functions of (t, y, p) by name, to one self-contained file of C99.

    prefix: goes before each name, so that no name meets a word of C or of its libraries. Returns the path.
    """
    functions = model if _has_functions(model) else build(model)
    return export.export_c(functions, path, prefix)  # type: ignore[arg-type]


def _has_functions(noun: object) -> bool:
    """Whether somebody gives functions themselves, by their names, and no noun of the walk."""
    values = list(noun.values()) if isinstance(noun, Mapping) and not isinstance(noun, Program) else []
    return bool(values) and all(isinstance(item, ca.Function | CompiledFunction) for item in values)
