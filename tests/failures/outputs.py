"""Results of tools as hosts hand them over, and odd texts.

The results are copied from own recordings (Copilot CLI 1.0.102, VS Code 1.139.1 and Copilot Chat 0.42.0).
"""

from hypothesis import strategies as st

CLI_TRACEBACK = (
    'Traceback (most recent call last):\n  File "/home/user/project/test_app.py", line 2, in <module>\n'
    "    assert greet() == 'hello', greet()\n           ^^^^^^^^^^^^^^^^^^\nAssertionError: helo\n"
    "<shellId: 0 completed with exit code 1>"
)
VSCODE_FAILED = (
    "E   assert 1 == 2\n1 failed\n\n\n\nCommand exited with code 1\n\n"
    "<PreToolUse-context>\nctx for PreToolUse\n</PreToolUse-context>"
)

#: Any text, and texts of the characters that mean something in an output or a command line.
ODD_TEXTS = st.one_of(st.text(max_size=300), st.text(alphabet="abE0123f:/\\.'\"-_()[] \n\t\x1b#;&|><$`", max_size=200))
