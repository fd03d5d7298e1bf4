"""``lw.answers``: what the verbs return, from a topology to Floquet multipliers."""

from linkwork.analysis.inverse.inverse_function import InverseFunction
from linkwork.analysis.motion.integrate import EquationRun
from linkwork.analysis.position.ranking import CoordinateRanking, CutRanking
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.analysis.realtime.stepped import RealTime
from linkwork.answer import Answer, Column, Grid
from linkwork.compiler.program import Program
from linkwork.coordinates.coordinates import Coordinates
from linkwork.equations import Equations
from linkwork.results.accuracy import Accuracy
from linkwork.results.assembled import AssembledPose
from linkwork.results.assembly_modes import AssemblyModes
from linkwork.results.audit import Audit
from linkwork.results.dragged import DraggedPoint
from linkwork.results.ellipsoids import Ellipsoid
from linkwork.results.envelope import Envelope
from linkwork.results.equilibrium import Equilibria, Equilibrium
from linkwork.results.equilibrium_path import CriticalPoint, EquilibriumPath, Snap
from linkwork.results.equivalent_linkage import EquivalentLinkage
from linkwork.results.floquet import FloquetMultipliers
from linkwork.results.frequency_response import FrequencyResponse
from linkwork.results.friction_at_rest import FrictionAtRest
from linkwork.results.interference import Encounter, Interference, PairClearance
from linkwork.results.inverse_dynamics import InverseDynamics
from linkwork.results.linear_motion import LinearMotion
from linkwork.results.linearisation import Linearisation
from linkwork.results.loads import MotorLoads, PeakLoads
from linkwork.results.measured import MeasuredValues, NamedValues
from linkwork.results.measures import Centrodes
from linkwork.results.pacing import Pacing
from linkwork.results.point_paths import PointPath
from linkwork.results.root_locus import RootLocus
from linkwork.results.run_modes import RunModes
from linkwork.results.solved_positions import SolvedPositions
from linkwork.results.study import Failures, Study
from linkwork.results.vibration_modes import VibrationMode, VibrationModes
from linkwork.topology import Topology
from linkwork.topology.assembly_mode import AssemblyMode
from linkwork.topology.limits.motion_limits import MotionLimits
from linkwork.topology.mobility.singularity import Cause, Diagnosis

__all__ = sorted(name for name in globals() if not name.startswith("_"))
