"""Stage 2: connectivity, spanning tree, loops, assembly and mobility."""

from linkwork.topology.analyse import analyse
from linkwork.topology.topology import Topology

__all__ = ["Topology", "analyse"]
