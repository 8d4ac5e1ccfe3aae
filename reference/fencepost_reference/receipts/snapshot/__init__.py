"""A snapshot as values: what is built, asked, joined, chosen and given up. Nothing is read here.

    contents_of(capture)                      building      all files but the participants' parts
    validate_topology, validate_commit        validating    who takes part, and what was committed
    validate_restore                          validating    what was restored
    believe(files)                            believing     a whole snapshot from its files
    join, required_staging_keys               joining       continuations and the rows they need
    select(anchor, candidates)                choosing      which snapshot a run is restored from
    plan_restart(snapshot, topology)          restarting    what goes on, and what is given up

Directories of a real disk are in `fencepost_reference.storage.snapshots` and `snapshot_reading`.
"""
