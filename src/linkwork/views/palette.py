"""One order of colours for plots and pages (Okabe and Ito 2008, told apart by colour-blind readers too)."""

SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#6b7280")
