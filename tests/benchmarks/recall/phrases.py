"""How people and assistants put things: the sentences of the made-up history, and of what is asked about it.

`{name}` is an identifier, `{spoken}` its words, `{head}` its first word, `{part}` a part of the project, `{value}` what
was settled, `{old}` what was there before, `{why}` the reason.
"""

from __future__ import annotations

__all__ = [
    "ABOUT",
    "ASIDES",
    "BY_ASSISTANT",
    "BY_USER",
    "CHATTER",
    "ELSEWHERE",
    "LATE",
    "LONG",
    "MEMORY",
    "NEUTRAL",
    "ONE",
    "REASONS",
]


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.strip().splitlines())


#: What the matter of a session begins with.
ABOUT = _lines("""
why does {part} slow down when {name} is left at {old}?
{part} misbehaves again. I suspect {name}, have a look
what should {name} be for {part}? right now it is {old}
can you find out where {name} comes from and whether {old} makes sense for {part}
two customers complained about {part}. Check {name} first please
please look at {name} in {part}, the alert fired three times this week
I think we never chose {name} deliberately, did we? Look at how {part} uses it
the nightly run of {part} failed; the only thing that changed is {name}
""")

#: The assistant settles it.
BY_ASSISTANT = _lines("""
We decided to set {name} to {value}, because {why}.
Decision: {name} = {value}. The reason is that {why}.
Going with {value} for {name}: {why}.
Settled on {value} for {name}, since {why}. The tests of {part} pass.
I pinned {name} to {value}, because {why}.
The root cause was {name}: at {old} it was far too low for {part}. It is {value} now, because {why}.
Fixed. {name} had been left at {old}; with {value} the failure is gone, because {why}.
After measuring three settings, {value} won for {name}: {why}.
Agreed, {value} it is for {name}, because {why}.
{name} stays at {value} on purpose: {why}. Please don't raise it without asking.
It turned out that {why}. So {name} is now {value}, and {part} has a test for it.
Instead of {old}, {name} should be {value}, since {why}. I changed it and all tests pass.
I looked at the traces of {part}. The culprit is {name}. We take {value} from now on, because {why}.
""")

#: The user settles it.
BY_USER = _lines("""
ok, let's make {name} {value} then, because {why}
use {value} for {name} please. {why}, that's why
no, {name} must be {value}: {why}
I talked to the team, we go with {value} for {name}, since {why}
let's settle this: {name} = {value}. {why}
""")

REASONS = _lines("""
the upstream closes idle connections earlier than that
a restart must not lose what is in flight
the partner bans us for an hour otherwise
half of the requests never come back after the second try
the old machines have only two cores
users noticed the lag in the morning peak
the disk filled up twice last month
finance closes the books before the job ends
it doubled the memory of the worker for nothing
the vendor's own limit is slightly above it
our slowest region needs that long
smaller values made the test flaky
larger values hid a deadlock for weeks
support asked for something they can explain on the phone
the battery drains overnight otherwise
the regulator wants it written down
two workers wrote the same row at once
nobody waits longer than that, says the analytics
""")

#: An earlier matter in passing: a mention that settles nothing.
ASIDES = _lines("""
by the way, {name} shows up in the logs here too, but that is unrelated
(I saw {name} while reading, it has nothing to do with this)
this is not about {name} this time, I checked
""")

#: Work that settles nothing, in the words that every project has.
CHATTER = (
    ("run the tests", "All tests pass. The slowest is the one of {part}, as before."),
    ("rename the helper in {part} and update its callers", "Renamed; four callers in three files were updated."),
    ("add a unit test for {part}", "I added a test for the empty input and one for a very long one."),
    ("why is the build so slow today?", "The cache was cold. The second build takes nine seconds."),
    ("update the readme, it still describes the old {part}", "The readme now describes {part} as it is."),
    ("bump the dependencies", "All of them are at their latest minor version; nothing in {part} had to change."),
    ("format everything please", "Done, twelve files were reformatted, among them two of {part}."),
    ("what does {part} do when the network is down?", "It retries a few times, then gives up and logs an error."),
    ("can you explain {part} to me like I'm new here", "Think of {part} as a queue with a worker behind it. {long}"),
    ("split the big function in {part}", "It is three functions now: read, check and write. No behaviour changed."),
    ("the linter complains about {part}", "Two unused imports and a line that was too long. Both are gone."),
    ("add logging to {part}", "Each step of {part} logs its duration in milliseconds and its outcome."),
    ("review my last commit", "It looks good. One thing: {part} doesn't close its file when an error occurs."),
    ("how many files would change if we moved {part} to its own package?", "About fourteen, most are imports."),
    ("make the error message of {part} friendlier", "It now says what was expected and where to look."),
    ("write the changelog entry", "Added under Unreleased: a sentence on {part} and one on the faster start."),
    ("is there a race in {part}?", "I don't see one: the lock is held from the read to the write."),
    ("show me the timeout handling of {part}", "There is one timeout for the connection and one for the whole call."),
    ("the page of {part} looks odd on small screens", "A missing breakpoint; the layout wraps again."),
    ("remove the dead code around {part}", "Removed ninety lines that nothing called since the spring."),
    ("add a retry limit to {part}", "There was none; now it stops after the configured number of attempts."),
    ("commit this", "Committed on the branch, with a message that names {part}."),
    ("which config values does {part} read?", "Its window, its batch size and the pool size; all have defaults."),
    ("cache the result in {part}", "The last result is kept for a minute; the cache size is bounded."),
)

#: Padding of long answers.
LONG = _lines("""
We went over the layout of {part}, and the options are fine on every machine that we have.
The interface of {part} stays as it is, only the names inside become clearer, and the callers don't notice.
There are three places where {part} reads its configuration, which is two more than it should be.
Tests should cover the empty case, the usual case and the one with too many entries.
The release is planned for the end of the week, so nothing risky before Thursday.
The dashboards show the queue depth, the batch size and the error rate of {part} next to each other.
I would like the retry logic to be one function, with its limit and its timeout as arguments.
The logs of {part} are noisy: one line for each request is enough.
Whoever is on call should see at a glance which worker holds the lease and since when.
The documentation has a page on {part} which nobody has read for a while; check that it is still true.
""")

#: What a long prompt is about, in words that the history has too, but in other sentences.
ELSEWHERE = _lines("""
First read {part} from top to bottom and tell me where you would cut it.
I want the worker loop in a file of its own, next to its configuration.
No public name may change before the release, other teams import them.
Please write tests before you move anything: one for an empty request, one for a huge one.
The error messages are written for us and not for users, so turn them into plain sentences.
Some callers of {part} pass the batch size by position; make that a keyword everywhere.
If you find a retry without a limit on the way, stop and tell me instead of fixing it.
Logging goes through one helper, with the duration of each step in milliseconds.
I have a slight preference for small functions over comments.
At the end I need a summary for the changelog, two sentences at most.
""")

#: Asked with a memory in mind.
MEMORY = _lines("""
what did we set {name} to?
why is {name} what it is?
is {name} still right for the new machines?
remind me what we decided about {name}
what was the story with {name} again?
did we ever settle {name}?
{name}: who chose that value and why
before I touch it: what do we know about {name}?
is there a reason for the current {name}?
have we looked at {name} before?
""")

#: An order like any other, without a word about the past.
NEUTRAL = _lines("""
log a warning when {name} is exceeded
move {name} into the config file
add a unit test for {name}
document {name} in the readme
make {name} configurable from the command line
validate {name} at startup
expose {name} on the status page
use {name} in the new module as well
write a migration that stores {name} per tenant
print {name} in the debug output
""")

ONE = _lines("""
what was that thing with the {head}?
anything known about {head}?
tell me about the {head} setting
how did we configure {head}?
what's our value for {head}
where did the {head} problem end?
""")

LATE = _lines("""
And what was {name} for?
While you are at it, does {name} still apply there?
Oh, and keep {name} as we settled it.
One more thing: should {name} change with this?
""")
