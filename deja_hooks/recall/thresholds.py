"""Every number that decides whether and how much is said, in one place.

Characters count the whole packet, fence included. The rarity cut and the budgets are those of the design; the
rest says beside each number what it was set on.
"""

# -- budgets, characters
PROMPT_BUDGET = 1_500
BRIEF_BUDGET = 600
SESSION_START_BUDGET = 2_000
TOOL_BUDGET = 480
COMPACTION_BUDGET = 4_000
REPLY_BUDGET = 9_000
#: Of what the tool answers, by mode; to a question as to a prompt.
SEARCH_BUDGET = 2_000
FILE_BUDGET = 2_000
FIX_BUDGET = 2_000
SESSION_BUDGET = 6_000
ITEM_LIMIT = 500
#: What the settings may make of a packet's budget, at least and at most. At least: the fence (up to 280) and a line, of
#: a compaction the instructions and the commands that failed. At most: twice the design's figure; after a compaction
#: less, so that with a tool's packet beside it the reply stays under VS Code's 8 KiB.
BUDGET_BOUNDS = {
    "session_start": (600, 2 * SESSION_START_BUDGET),
    "prompt": (600, 2 * PROMPT_BUDGET),
    "before_edit": (400, 2 * TOOL_BUDGET),
    "before_command": (400, 2 * TOOL_BUDGET),
    "after_failure": (400, 2 * TOOL_BUDGET),
    "after_compaction": (1_000, 7_000),
}

# -- how much of a history is looked at
#: Postings read for one term; a term with more is common and finds no session by itself.
POSTINGS = 160
#: The same by `search`, over all projects (300: LoCoMo's hit@1 falls by .2, hit@5 by .4).
SEARCH_POSTINGS = 600
#: Postings read for one text: of a long one, fewer for each term, though never less than a hook reads.
MOST_POSTINGS = 8_000
#: Postings that find sessions, rarest terms first. (1,500: nothing gained, and the cost grows with the history.)
POSTING_BUDGET = 500
#: Sessions that are scored in full.
MOST_LIKELY = 40
#: Sessions whose texts are read, and the best turns of each: by a hook, by `search`.
READ_SESSIONS, READ_TURNS = 4, 2
SEARCH_SESSIONS, SEARCH_TURNS = 10, 4
#: Words of a prompt that are looked up, identifiers first.
MOST_WORDS = 40
#: Characters of a prompt that are read, at its head and at its tail.
PROMPT_WINDOW = 4_000
#: Sessions that the session-start packet looks at.
RECENT_SESSIONS = 12
#: Edits of one file, and turns of one name, that are looked at before an edit.
RECENT_EDITS = 20

# -- rank, chosen on the MRR of LoCoMo's conversations, each held out in turn (hit@1 78.4, hit@5 93.8, MRR .851)
#: What a session's score is made of: its best turn, its best sentence, the whole session, the day asked for.
TURN_SHARE = 0.7
SENTENCE_SHARE = 1.0
SESSION_SHARE = 0.5
DATE_WEIGHT = 6.0
#: What the turns before and after one add to it; what is added where it decides about a rare term.
NEIGHBOUR_SHARE = 0.3
DECIDED_SHARE = 0.5
#: A word that stands only in work (a file name, a command) counts less than a spoken one.
WORK_SHARE = 0.5
#: Weight of a word that the project has never heard, beside a rare one's 1.
UNKNOWN_WEIGHT = 0.5
#: Weight of a name beside that of a plain word of the same rarity.
NAME_WEIGHT = 1.5
#: Weight of a known word in the place of one that is unknown and may be a misspelt one.
NEAR_WEIGHT = 0.5
#: A session that the user promoted stands above an equal one, not above one that says much more.
PROMOTED = 1.2

# -- rarity and evidence
#: A term is rare in at most this many sessions of the project …
RARE_SESSIONS = 3
#: … or this share of them.
RARE_SHARE = 0.05
#: A name that more sessions speak of is evidence for those that settled something about it, where so few did.
SETTLED_SESSIONS = 6
#: A plain word is evidence where at most this share of the sessions has it: in a small project all words are in few.
PLAIN_SHARE = 0.5
#: Confidence, a logistic regression of two shares (see `confidence`). Fitted on 760 questions of LoCoMo and as many of
#: other conversations, each conversation held out in turn: AUC .860; carried to DevMemBench unfitted: .823 for its
#: abstention questions, .991 for LoCoMo's. (Best sentence, margin to the second session, rarest word: +.002.)
WITHIN_TURN, KNOWN, BASE = 3.85, 4.0, 5.54
#: How often a session with a rare name of the text is the right one, at least: DevMemBench 96 %, the arms 100 %.
NAMED = 0.8
#: Confidence from which on a hook speaks where no name matches (one with a rare name is above it): so that at most a
#: tenth of another conversation's questions is answered. Of questions as they stand, at .6 / .65 / .7 / .8 a hook
#: answers 52 / 49 / 44 / 36 % of LoCoMo's own (86 % of them by the right session first), 11 / 9 / 8 / 6 % of another
#: conversation's; 55 / 51 / 47 / 37 % of DevMemBench's own, 4 / 4 / 3 / 3 of its 25 without an answer, and none of 200
#: of LoCoMo's that were asked there.
CONFIDENT = 0.65
#: A second session is named beside the best one from this share of its score on.
SECOND_SHARE = 0.6

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
#: Longest wait of PreCompact for the CLI's log, in s (the log lags by 0.1 s; by 0.25 on a quarter of a core).
LOG_LAG_S = 0.5
