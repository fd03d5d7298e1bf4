"""Linkwork: a mechanism compiler.

A description of a mechanism goes in; specialised machine code for its kinematics and dynamics comes out::

    import linkwork as lw

    model = lw.load("four_bar.yaml")
    print(lw.analyse(model))
    result = lw.simulate(model, until="10 s")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkwork.plugins import registered_by
from linkwork.shown import drawn_by

__version__ = "0.1.0"

if TYPE_CHECKING:
    from linkwork.analysis.inverse.inverse_dynamics import inverse_dynamics
    from linkwork.analysis.inverse.inverse_function import InverseFunction, inverse_function
    from linkwork.analysis.kinematics.solve_kinematics import solve_kinematics
    from linkwork.analysis.methods.oscillator import OscillatorTable, oscillator_table
    from linkwork.analysis.motion.integrate import EquationRun, integrate
    from linkwork.analysis.motion.simulate import Event, simulate
    from linkwork.analysis.position.assemble import assemble, drag_point
    from linkwork.analysis.position.assembly_modes import assembly_modes
    from linkwork.analysis.position.ellipsoids import acceleration_ellipsoid, force_ellipsoid, velocity_ellipsoid
    from linkwork.analysis.position.envelope import envelope
    from linkwork.analysis.position.equivalent_linkage import EquivalentLinkage, equivalent_linkage
    from linkwork.analysis.position.interference import interference
    from linkwork.analysis.position.ranking import (
        CoordinateRanking,
        CutRanking,
        rank_along,
        rank_coordinates,
        rank_cuts,
    )
    from linkwork.analysis.position.solve_positions import solve_positions
    from linkwork.analysis.realtime.stepped import RealTime, realtime
    from linkwork.analysis.statics.equilibrium import find_equilibria, find_equilibrium
    from linkwork.analysis.statics.equilibrium_path import equilibrium_path
    from linkwork.analysis.vibration.floquet import floquet
    from linkwork.analysis.vibration.linearise import linearise
    from linkwork.analysis.vibration.modes import modes
    from linkwork.analysis.vibration.root_locus import root_locus
    from linkwork.analysis.walk.prepare import Mechanism
    from linkwork.analysis.walk.walk import analyse, diagnose, find_limits, formulate, number, prepare
    from linkwork.compiler.export import export_c
    from linkwork.compiler.program import Program, build
    from linkwork.coordinates.mixed import Mixed
    from linkwork.coordinates.natural import Natural
    from linkwork.coordinates.numbering import ALL_COORDINATES, Coordinates
    from linkwork.coordinates.reference_point import ReferencePoint
    from linkwork.coordinates.relative import Relative
    from linkwork.equations import (
        AugmentedLagrangian,
        Baumgarte,
        Canonical,
        CanonicalAugmented,
        CanonicalIndependent,
        CanonicalIndex2,
        Equations,
        GearGuptaLeimkuhler,
        Hybrid,
        Index1,
        Index2,
        Index3,
        Index3AugmentedLagrangian,
        Multipliers,
        Partitioning,
        Penalty,
        RangeSpace,
        RMethod,
        RProjection,
        StabilisedPartitioning,
        VelocityTransformation,
    )
    from linkwork.equations.formulations import ALL_FORMULATIONS
    from linkwork.equations.own import ConstrainedEquations
    from linkwork.equations.reactions.penalty_estimate import PenaltyEstimate
    from linkwork.errors import (
        AssemblyError,
        CompileError,
        EquilibriumError,
        ExpressionError,
        Fault,
        FrozenError,
        LinkworkError,
        ModelError,
        RefusedError,
        ResultError,
        UnitError,
        UnknownNameError,
    )
    from linkwork.extending import register
    from linkwork.formats import dump, load, loads, save, schema
    from linkwork.model import (
        Body,
        Driver,
        Guide,
        Joint,
        Mesh,
        Model,
        Parameter,
        Shape,
    )
    from linkwork.model.couplings import Belt, Gear, LinearCoupling, Planetary, Rack
    from linkwork.model.forces import (
        Actuator,
        Bushing,
        Drag,
        Effort,
        Force,
        Friction,
        Rotor,
        Spring,
        Torque,
        TorsionSpring,
    )
    from linkwork.model.moving_base import MovingBase
    from linkwork.model.relations import Cable, Cam, Curve, Distance, KnifeEdge, LineDistance, Rolling, Track
    from linkwork.numerics.integrators import ALL_METHODS
    from linkwork.numerics.integrators.adams_moulton import adams_bashforth_moulton
    from linkwork.numerics.integrators.amplification import spectral_radius
    from linkwork.numerics.integrators.collocation import Collocation, WilsonTheta
    from linkwork.numerics.integrators.generalised_alpha import GeneralisedAlpha
    from linkwork.numerics.integrators.hht import HHT
    from linkwork.numerics.integrators.newmark import Newmark
    from linkwork.numerics.integrators.root_locus import StabilityRoots
    from linkwork.numerics.integrators.stability import (
        StabilityFunction,
        StabilityLimits,
        stability_function,
        stability_limits,
    )
    from linkwork.results import Result, load_result
    from linkwork.results.accuracy import Accuracy
    from linkwork.results.assembled import AssembledPose
    from linkwork.results.assembly_modes import AssemblyModes
    from linkwork.results.audit import Audit, AuditWarning
    from linkwork.results.dragged import DraggedPoint
    from linkwork.results.ellipsoids import Ellipsoid
    from linkwork.results.envelope import Envelope
    from linkwork.results.equilibrium import Equilibria, Equilibrium
    from linkwork.results.equilibrium_path import CriticalPoint, EquilibriumPath, Snap
    from linkwork.results.floquet import FloquetMultipliers
    from linkwork.results.frequency_response import FrequencyResponse
    from linkwork.results.interference import Encounter, Interference, PairClearance
    from linkwork.results.inverse_dynamics import InverseDynamics
    from linkwork.results.linear_motion import LinearMotion
    from linkwork.results.linearisation import Linearisation
    from linkwork.results.measures import (
        Centrodes,
        centrodes,
        instant_centre,
        mechanical_advantage,
        path_curvature,
        transmission_angle,
    )
    from linkwork.results.point_paths import PointPath, point_path
    from linkwork.results.root_locus import RootLocus
    from linkwork.results.solved_positions import SolvedPositions
    from linkwork.results.vibration_modes import VibrationMode, VibrationModes
    from linkwork.topology import Topology
    from linkwork.topology.limits.motion_limits import MotionLimits
    from linkwork.topology.mobility.singularity import Cause, Diagnosis
    from linkwork.topology.modes.modes import AssemblyMode
    from linkwork.views.stability import stability_region

# public names by stage; every module is imported when one of its names is first used
_NAMES: dict[str, tuple[str, ...]] = {
    # 1: a mechanism is described
    "linkwork.model": (
        "Body",
        "Driver",
        "Guide",
        "Joint",
        "Mesh",
        "Model",
        "Parameter",
        "Shape",
    ),
    "linkwork.model.couplings": ("Belt", "Gear", "LinearCoupling", "Planetary", "Rack"),
    "linkwork.model.relations": ("Cable", "Cam", "Curve", "Distance", "KnifeEdge", "LineDistance", "Rolling", "Track"),
    "linkwork.model.forces": (
        "Actuator",
        "Bushing",
        "Drag",
        "Effort",
        "Force",
        "Friction",
        "Rotor",
        "Spring",
        "Torque",
        "TorsionSpring",
    ),
    "linkwork.model.moving_base": ("MovingBase",),
    "linkwork.extending": ("register",),
    "linkwork.formats": ("dump", "load", "loads", "save", "schema"),
    # 2: analysed
    "linkwork.topology": ("Topology",),
    "linkwork.analysis.walk.walk": ("analyse", "diagnose", "find_limits", "formulate", "number", "prepare"),
    "linkwork.topology.limits.motion_limits": ("MotionLimits",),
    "linkwork.topology.modes.modes": ("AssemblyMode",),
    "linkwork.topology.mobility.singularity": ("Cause", "Diagnosis"),
    "linkwork.analysis.position.assemble": ("assemble", "drag_point"),
    "linkwork.analysis.position.solve_positions": ("solve_positions",),
    "linkwork.results.assembled": ("AssembledPose",),
    "linkwork.results.dragged": ("DraggedPoint",),
    "linkwork.results.solved_positions": ("SolvedPositions",),
    "linkwork.analysis.position.assembly_modes": ("assembly_modes",),
    "linkwork.results.assembly_modes": ("AssemblyModes",),
    "linkwork.analysis.position.equivalent_linkage": ("EquivalentLinkage", "equivalent_linkage"),
    # 3: numbered
    "linkwork.coordinates.numbering": ("ALL_COORDINATES", "Coordinates"),
    "linkwork.coordinates.relative": ("Relative",),
    "linkwork.coordinates.reference_point": ("ReferencePoint",),
    "linkwork.coordinates.natural": ("Natural",),
    "linkwork.coordinates.mixed": ("Mixed",),
    "linkwork.analysis.position.ranking": (
        "CoordinateRanking",
        "CutRanking",
        "rank_along",
        "rank_coordinates",
        "rank_cuts",
    ),
    # 4: formulated
    "linkwork.equations.formulations": ("ALL_FORMULATIONS",),
    "linkwork.equations": (
        "AugmentedLagrangian",
        "Baumgarte",
        "Canonical",
        "CanonicalAugmented",
        "CanonicalIndependent",
        "CanonicalIndex2",
        "Equations",
        "GearGuptaLeimkuhler",
        "Hybrid",
        "Index1",
        "Index2",
        "Index3",
        "Index3AugmentedLagrangian",
        "Multipliers",
        "Partitioning",
        "Penalty",
        "RMethod",
        "RProjection",
        "RangeSpace",
        "StabilisedPartitioning",
        "VelocityTransformation",
    ),
    "linkwork.equations.own": ("ConstrainedEquations",),
    # 5: compiled
    "linkwork.compiler.program": ("Program", "build"),
    "linkwork.compiler.export": ("export_c",),
    # 6: simulated
    "linkwork.analysis.walk.prepare": ("Mechanism",),
    "linkwork.analysis.motion.simulate": ("Event", "simulate"),
    "linkwork.analysis.kinematics.solve_kinematics": ("solve_kinematics",),
    "linkwork.analysis.realtime.stepped": ("RealTime", "realtime"),
    "linkwork.analysis.statics.equilibrium": ("find_equilibria", "find_equilibrium"),
    "linkwork.analysis.statics.equilibrium_path": ("equilibrium_path",),
    "linkwork.results.equilibrium": ("Equilibria", "Equilibrium"),
    "linkwork.results.equilibrium_path": ("CriticalPoint", "EquilibriumPath", "Snap"),
    "linkwork.analysis.motion.integrate": ("EquationRun", "integrate"),
    "linkwork.analysis.inverse.inverse_dynamics": ("inverse_dynamics",),
    "linkwork.analysis.inverse.inverse_function": ("InverseFunction", "inverse_function"),
    "linkwork.results.inverse_dynamics": ("InverseDynamics",),
    "linkwork.analysis.position.ellipsoids": ("acceleration_ellipsoid", "force_ellipsoid", "velocity_ellipsoid"),
    "linkwork.results.ellipsoids": ("Ellipsoid",),
    "linkwork.analysis.position.envelope": ("envelope",),
    "linkwork.results.envelope": ("Envelope",),
    "linkwork.analysis.position.interference": ("interference",),
    "linkwork.results.interference": ("Encounter", "Interference", "PairClearance"),
    "linkwork.equations.reactions.penalty_estimate": ("PenaltyEstimate",),
    "linkwork.analysis.vibration.linearise": ("linearise",),
    "linkwork.analysis.vibration.modes": ("modes",),
    "linkwork.analysis.vibration.root_locus": ("root_locus",),
    "linkwork.results.root_locus": ("RootLocus",),
    "linkwork.results.linearisation": ("Linearisation",),
    "linkwork.results.frequency_response": ("FrequencyResponse",),
    "linkwork.analysis.vibration.floquet": ("floquet",),
    "linkwork.results.floquet": ("FloquetMultipliers",),
    "linkwork.results.linear_motion": ("LinearMotion",),
    "linkwork.results.vibration_modes": ("VibrationMode", "VibrationModes"),
    "linkwork.analysis.methods.oscillator": ("OscillatorTable", "oscillator_table"),
    "linkwork.numerics.integrators": ("ALL_METHODS",),
    "linkwork.numerics.integrators.amplification": ("spectral_radius",),
    "linkwork.numerics.integrators.collocation": ("Collocation", "WilsonTheta"),
    "linkwork.numerics.integrators.generalised_alpha": ("GeneralisedAlpha",),
    "linkwork.numerics.integrators.adams_moulton": ("adams_bashforth_moulton",),
    "linkwork.numerics.integrators.hht": ("HHT",),
    "linkwork.numerics.integrators.newmark": ("Newmark",),
    "linkwork.numerics.integrators.root_locus": ("StabilityRoots",),
    "linkwork.numerics.integrators.stability": (
        "StabilityFunction",
        "StabilityLimits",
        "stability_function",
        "stability_limits",
    ),
    "linkwork.views.stability": ("stability_region",),
    # 7: read
    "linkwork.results": ("Result", "load_result"),
    "linkwork.results.accuracy": ("Accuracy",),
    "linkwork.results.audit": ("Audit", "AuditWarning"),
    "linkwork.results.point_paths": ("PointPath", "point_path"),
    "linkwork.results.measures": (
        "Centrodes",
        "centrodes",
        "instant_centre",
        "mechanical_advantage",
        "path_curvature",
        "transmission_angle",
    ),
    "linkwork.errors": (
        "AssemblyError",
        "CompileError",
        "EquilibriumError",
        "ExpressionError",
        "Fault",
        "FrozenError",
        "LinkworkError",
        "ModelError",
        "RefusedError",
        "ResultError",
        "UnitError",
        "UnknownNameError",
    ),
}
drawn_by("linkwork.views")
registered_by("linkwork.extending")
_HOME = {name: module for module, names in _NAMES.items() for name in names}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'linkwork' has no attribute '{name}'")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
