"""Figures: one function each, a tidy table in, a matplotlib Figure out; no file is read or written but by `save`.

One style sheet and one palette for all. The two populations differ in colour, in lightness and in shape of
marker, so that they stay apart in grey print and for colour-blind readers. Labels stand at what they name.
"""

from rocite.figures.answerability import POLICY_OUTCOMES, policies_compared, reliability_diagram, risk_coverage_curves, worst_segment
from rocite.figures.budget import budget_curve
from rocite.figures.gates import catch_matrix, outcomes, prefix_sweep, recorded_outcomes, refused_by_kind, risk_coverage, sweep
from rocite.figures.method_check import observed_coverage
from rocite.figures.retrieval import answer_outcomes, recall_by_group
from rocite.figures.separation import margin_by_size, populations, signals, squad_margins
from rocite.figures.style import IMPOSTOR, LABEL_MARKERS, LEGITIMATE, OUTCOME_COLOURS, save, style

__all__ = [
    "IMPOSTOR",
    "LABEL_MARKERS",
    "LEGITIMATE",
    "OUTCOME_COLOURS",
    "POLICY_OUTCOMES",
    "answer_outcomes",
    "budget_curve",
    "catch_matrix",
    "margin_by_size",
    "observed_coverage",
    "outcomes",
    "policies_compared",
    "populations",
    "prefix_sweep",
    "recall_by_group",
    "recorded_outcomes",
    "refused_by_kind",
    "reliability_diagram",
    "risk_coverage",
    "risk_coverage_curves",
    "save",
    "signals",
    "squad_margins",
    "style",
    "sweep",
    "worst_segment",
]
