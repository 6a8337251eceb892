"""The answer boundary: which requests are answered, clarified, escalated or withheld, and what is told of a denied one.

Hard boundaries come first and no score overrides them: what a request may not see is left out before anything is ranked;
what is out of force, of another asset or in conflict with an equal is not evidence. Only then may an estimate of
sufficiency decide whether a candidate is written, and a check of the written candidate whether it is released.

`routes` names routes and reasons, `evidence` finds the statements that a question asks about, `examine` says what stands
behind a request, `policy` decides from that, `service` takes a request all the way, `tickets` keeps what was escalated,
`bundle` freezes what a decision was made with.
"""
