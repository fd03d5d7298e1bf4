from linkwork.model.declarations import *  # noqa: F403
