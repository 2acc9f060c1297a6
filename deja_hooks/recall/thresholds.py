"""Every number that decides whether and how much is said, in one place.

Characters count the whole packet, fence included. The rarity cut and the budgets are those of the design; the
rest was set on the arms of `tests/recall/test_prompt_arms.py` (recalled where there is something, silent where not).
"""

# -- budgets, characters
PROMPT_BUDGET = 1_500
BRIEF_BUDGET = 600
SESSION_START_BUDGET = 2_000
TOOL_BUDGET = 480
COMPACTION_BUDGET = 4_000
REPLY_BUDGET = 9_000
ITEM_LIMIT = 500

# -- how much of a history is looked at
#: Postings read for one term; a term with more is common and says nothing.
POSTINGS = 160
#: Postings read for one term by `search`, which may take its time.
SEARCH_POSTINGS = 2_000
#: Words of a prompt that are looked up, identifiers first.
MOST_WORDS = 40
#: Characters of a prompt that are read, at its head and at its tail.
PROMPT_WINDOW = 4_000
#: Sessions that the session-start packet looks at.
RECENT_SESSIONS = 12
#: Edits of one file, and turns of one name, that are looked at before an edit.
RECENT_EDITS = 20

# -- rarity and evidence
#: A term is rare in at most this many sessions of the project …
RARE_SESSIONS = 3
#: … or this share of them.
RARE_SHARE = 0.05
#: Share of the prompt's informative weight that plain words must cover to speak without an identifier.
PLAIN_COVERAGE = 0.34
#: The same where only one rare word matches.
SINGLE_COVERAGE = 0.5
#: A second session is named beside the best one from this share of its score on.
SECOND_SHARE = 0.6
#: Weight of a word that the project has never heard, beside a rare one's 1.
UNKNOWN_WEIGHT = 0.5
#: Weight of a word that stands everywhere, in bits (a rare one has 5 to 10).
COMMON_WEIGHT = 0.1
#: Weight of a name beside that of a plain word of the same rarity.
NAME_WEIGHT = 1.5

# -- how often
#: Full prompt packets in one session; after them one line each.
FULL_PACKETS = 5
#: Sessions named in one prompt packet.
PROMPT_SESSIONS = 2
#: VS Code's usual compactions fire nothing: what was said counts as dropped after this many further prompts.
VSCODE_FORGETS_AFTER = 12
#: A session with a prompt and no end is in progress for this long after its last event, ms.
LIVE_MS = 20 * 60_000

# -- reading transcripts
#: Bytes of new transcript that one hook reads; PreCompact, which has more time, reads more.
TRANSCRIPT_BYTES = 256 * 1024
COMPACTION_BYTES = 4 << 20
