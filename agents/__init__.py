"""Who plays: `agents.make("heuristic")`, and the protocol for bots of one's own (`agents/agent.py`)."""

from agents.agent import Agent
from agents.table import AgentError, make

__all__ = ["Agent", "AgentError", "make"]
