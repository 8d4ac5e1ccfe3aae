"""One attempt of a rollout in an agent participant, from the first mention of its key to the last.

Decided here: which state follows which event. Not decided here: whether a `/run` is admitted
(`running.py`), what is counted and exported (`policy.py`). A refused key and the watermark are
facts of the rollout, not states of the key. May import `chart`, guards and sources.
"""

from statemachine import State

from fencepost_spec.chart import Chart, rule
from fencepost_spec.receipts.guards import (
    boundary_advances,
    cannot_freeze,
    external_wait_is_open,
    handler_has_ended,
    handler_is_there,
    has_no_record,
    has_record,
    identity_matches,
    model_wait_is_allowed,
    model_wait_is_open,
    record_is_the_same,
    refusal_came,
    reply_came,
)
from fencepost_spec.receipts.sources import (
    DECISION,
    DERIVED,
    GYM_2942,
    GYM_2942_REVIEW,
    GYM_3349,
    RL_4265_REVIEW,
)


# fmt: off
class AgentExecution(Chart):
    """The life of one key `(rollout id, attempt)`."""

    unknown = State(initial=True)
    pending_restored = State()
    running = State()
    park_requested = State()
    parked_with_boundary = State()
    parked_without_boundary = State()
    external_wait_frozen = State()
    model_wait_frozen = State()
    completed_unacknowledged = State()
    acknowledged = State()
    retiring = State()
    retired = State()

    run_called = (
        rule("R-EXE-1", "an admitted run starts its handler, once", GYM_2942,
             unknown.to(running), facts=("3.2", "I1"))
        | rule("R-EXE-2",
               "the first run of a restored key takes its record, and nobody takes it again",
               GYM_2942,
               pending_restored.to(running), facts=("3.2", "I3", "P8"))
        | rule("R-EXE-3",
               "a repeated run of a finished key gets the stored result and starts nothing",
               GYM_2942,
               completed_unacknowledged.to(completed_unacknowledged, internal=True),
               facts=("3.2", "I9", "P4"))
    )
    record_installed = (
        rule("R-EXE-4", "a restored record waits under the next attempt", GYM_2942,
             unknown.to(pending_restored), facts=("3.3", "I3"))
    )
    source_restored = (
        rule("R-EXE-5", "the attempt that a record was taken from never runs again", GYM_2942,
             unknown.to(retired), facts=("3.3", "I3"))
    )
    continuation_discarded = (
        rule("R-EXE-6", "a discarded continuation leaves the key free to start afresh", GYM_3349,
             pending_restored.to(unknown), facts=("3.3", "P8"))
    )
    superseded = (
        rule("R-EXE-7",
             "a later attempt that starts takes the place of a restored record nobody claimed",
             DECISION,
             pending_restored.to(retired), facts=("R17", "P8"))
    )
    boundary_recorded = (
        rule("R-EXE-8",
             "running work goes on after a record of its own that rises; any other is refused",
             GYM_2942,
             running.to(running, internal=True, cond=(identity_matches, boundary_advances)),
             facts=("3.3", "I12", "I13", "R9"))
        | rule("R-EXE-9", "an equal record is committed once", GYM_2942,
               running.to(running, internal=True, cond=(identity_matches, record_is_the_same)),
               facts=("3.3", "I12"))
        | rule("R-EXE-10", "a requested park happens at the next boundary", GYM_2942,
               park_requested.to(parked_with_boundary, cond=(identity_matches, boundary_advances)),
               facts=("3.3", "I7", "I12"))
        | rule("R-EXE-11", "an equal record parks too: the work stands at a boundary", DECISION,
               park_requested.to(parked_with_boundary, cond=(identity_matches, record_is_the_same)),
               facts=("R10", "I12"))
    )
    park_called = (
        rule("R-EXE-12",
             "a park that comes when no prepare is active is answered at once, never held",
             GYM_2942_REVIEW,
             running.to(running, internal=True), facts=("A5", "P3", "R21"))
        | rule("R-EXE-13",
               "refused work parks at the record it has, its continuation included", GYM_2942,
               park_requested.to(parked_with_boundary, cond=has_record),
               facts=("3.3", "3.5", "I14", "R8", "D2", "I21"))
        | rule("R-EXE-14",
               "refused work without a record parks, and is counted as a blocker", GYM_2942,
               park_requested.to(parked_without_boundary, cond=has_no_record),
               facts=("3.3", "3.5", "I14", "I6"))
        | rule("R-EXE-15",
               "a refusal turns a frozen wait into a park at the same boundary", DECISION,
               external_wait_frozen.to(parked_with_boundary)
               | model_wait_frozen.to(parked_with_boundary), facts=("R12", "I14"))
    )
    wait_entered = (
        rule("R-EXE-16", "running work may enter a marked wait", GYM_3349,
             running.to(running, internal=True), facts=("3.3", "D7"))
        | rule("R-EXE-17",
               "a wait entered while a park is requested parks there and never fails the run",
               DERIVED,
               park_requested.to(parked_with_boundary, cond=has_record), facts=("D7", "R22"))
        | rule("R-EXE-18",
               "a wait entered without a record while a park is requested parks as a blocker",
               DERIVED,
               park_requested.to(parked_without_boundary, cond=has_no_record),
               facts=("D7", "R22", "I6"))
    )
    wait_left = (
        rule("R-EXE-19", "a wait ends when its reply is there", GYM_3349,
             running.to(running, internal=True), facts=("3.3",))
        | rule("R-EXE-20",
               "a wait that ends while a park is requested goes on to a boundary or parks",
               GYM_3349,
               park_requested.to(park_requested, internal=True), facts=("3.3", "I7"))
        | rule("R-EXE-21", "a reply that reaches a frozen wait is held until resume", GYM_3349,
               external_wait_frozen.to(external_wait_frozen, internal=True, cond=reply_came)
               | model_wait_frozen.to(model_wait_frozen, internal=True, cond=reply_came),
               facts=("R12", "D8", "I7", "C7"))
        | rule("R-EXE-22",
               "a refusal is no reply: it ends the wait and the work is asked to park", DECISION,
               external_wait_frozen.to(external_wait_frozen, internal=True, cond=refusal_came)
               | model_wait_frozen.to(model_wait_frozen, internal=True, cond=refusal_came),
               facts=("R12", "I14", "C2"))
    )
    prepare_called = (
        rule("R-EXE-23", "an open external wait with a record freezes where it stands", GYM_3349,
             running.to(external_wait_frozen, cond=(external_wait_is_open, has_record)),
             facts=("3.3", "I7"))
        | rule("R-EXE-24",
               "an open model wait with a record freezes when the prepare allows it", GYM_3349,
               running.to(model_wait_frozen,
                          cond=(model_wait_is_open, model_wait_is_allowed, has_record)),
               facts=("3.3", "I7"))
        | rule("R-EXE-25", "running work is asked to park", GYM_2942,
               running.to(park_requested, cond=cannot_freeze), facts=("3.3", "3.4", "I5"))
    )
    parked_in_place = (
        rule("R-EXE-26",
             "work that is still held may be parked again where it stands; its wake is void",
             DECISION,
             park_requested.to(parked_with_boundary, cond=has_record)
             | park_requested.to(parked_without_boundary, cond=has_no_record), facts=("R4", "A3"))
    )
    prepare_withdrawn = (
        rule("R-EXE-27",
             "a prepare that missed its deadline withdraws its park requests; parked work stays",
             GYM_2942,
             park_requested.to(running), facts=("3.3", "R1"))
        | rule("R-EXE-28", "a missed deadline lets frozen work go on", GYM_3349,
               external_wait_frozen.to(running, cond=handler_is_there)
               | model_wait_frozen.to(running, cond=handler_is_there), facts=("3.3", "R1"))
        | rule("R-EXE-29",
               "frozen work that nobody will go on with stays at its boundary", DECISION,
               external_wait_frozen.to(parked_with_boundary, cond=handler_has_ended)
               | model_wait_frozen.to(parked_with_boundary, cond=handler_has_ended),
               facts=("R1", "R13"))
    )
    resume_called = (
        rule("R-EXE-30", "resume withdraws a park request", GYM_2942,
             park_requested.to(running), facts=("3.3", "P3"))
        | rule("R-EXE-31",
               "resume makes parked work running at once; its wake may come later", GYM_2942_REVIEW,
               parked_with_boundary.to(running, cond=handler_is_there)
               | parked_without_boundary.to(running), facts=("3.3", "A3", "R4", "P3"))
        | rule("R-EXE-32", "resume lets frozen work go on", GYM_3349,
               external_wait_frozen.to(running, cond=handler_is_there)
               | model_wait_frozen.to(running, cond=handler_is_there), facts=("3.3", "P3", "R12"))
        | rule("R-EXE-33",
               "work whose handler has ended is retired at resume, and its key refused", DECISION,
               parked_with_boundary.to(retired, cond=handler_has_ended)
               | external_wait_frozen.to(retired, cond=handler_has_ended)
               | model_wait_frozen.to(retired, cond=handler_has_ended), facts=("R13", "3.3", "P3"))
    )
    finish_completed = (
        rule("R-EXE-34",
             "a finished run keeps its result, and tells its receipt, until that is acknowledged",
             GYM_3349,
             running.to(completed_unacknowledged) | park_requested.to(completed_unacknowledged),
             facts=("3.3", "I8", "I9", "R24"))
    )
    finish_failed = (
        rule("R-EXE-35", "a failed run ends its key, wherever it stands", GYM_2942,
             running.to(retired) | park_requested.to(retired) | parked_with_boundary.to(retired)
             | parked_without_boundary.to(retired) | external_wait_frozen.to(retired)
             | model_wait_frozen.to(retired), facts=("3.3", "I2", "R24"))
    )
    finish_cancelled = (
        rule("R-EXE-36",
             "work whose handler is cancelled stays committable where it stands at a boundary",
             GYM_2942,
             parked_with_boundary.to(parked_with_boundary, internal=True)
             | external_wait_frozen.to(external_wait_frozen, internal=True)
             | model_wait_frozen.to(model_wait_frozen, internal=True), facts=("3.3", "R13"))
        | rule("R-EXE-37", "work whose handler is cancelled elsewhere ends its key", GYM_2942,
               running.to(retired) | park_requested.to(retired)
               | parked_without_boundary.to(retired), facts=("3.3", "I2"))
    )
    retire_called = (
        rule("R-EXE-38",
             "retire stops live work and refuses its key; it counts until its handler has stopped",
             GYM_2942,
             running.to(retiring) | park_requested.to(retiring)
             | parked_with_boundary.to(retiring, cond=handler_is_there)
             | parked_without_boundary.to(retiring)
             | external_wait_frozen.to(retiring, cond=handler_is_there)
             | model_wait_frozen.to(retiring, cond=handler_is_there),
             facts=("3.6", "I28", "R14", "D10", "D11", "I24"))
        | rule("R-EXE-39", "retire ends work whose handler has already ended", GYM_2942,
               parked_with_boundary.to(retired, cond=handler_has_ended)
               | external_wait_frozen.to(retired, cond=handler_has_ended)
               | model_wait_frozen.to(retired, cond=handler_has_ended), facts=("3.6", "R13"))
        | rule("R-EXE-40", "retire of a key that never ran refuses its first run", GYM_2942,
               unknown.to(retired), facts=("3.6", "I2"))
        | rule("R-EXE-41", "retire of a restored key drops its record", GYM_2942,
               pending_restored.to(retired), facts=("3.6", "P8"))
        | rule("R-EXE-42", "retire leaves a finished result alone", GYM_3349,
               completed_unacknowledged.to(completed_unacknowledged, internal=True),
               facts=("3.6", "I9", "B3"))
        | rule("R-EXE-43", "retire of a key that has ended changes nothing", GYM_3349,
               acknowledged.to(acknowledged, internal=True) | retired.to(retired, internal=True)
               | retiring.to(retiring, internal=True), facts=("3.6", "D13", "I2"))
    )
    handler_ended = (
        rule("R-EXE-44",
             "a retired handler that stops leaves nothing behind, whatever it returns", DERIVED,
             retiring.to(retired), facts=("D10", "D11", "I28", "R14"))
    )
    acknowledge_called = (
        rule("R-EXE-45", "the exact receipt releases the result", GYM_3349,
             completed_unacknowledged.to(acknowledged), facts=("3.7", "I10", "P4"))
        | rule("R-EXE-46", "an acknowledgement may be repeated", RL_4265_REVIEW,
               acknowledged.to(acknowledged, internal=True), facts=("3.7", "I10"))
    )
# fmt: on
