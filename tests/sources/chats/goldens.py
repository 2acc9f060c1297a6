"""What each chat below `fixtures/chats` says, written by hand from reading it."""

from __future__ import annotations

from deja_hooks.sources.model import Chunk, Header, Tally, Turn, Usage, Written
from tests.sources.samples import FIXTURES, edit

CHATS = FIXTURES / "chats" / "User" / "workspaceStorage" / "4cbb8af5" / "chatSessions"
INDEX = "/home/user/projects/testing-git/index.ts"
JOKES = "/home/user/projects/testing-git/jokes.csv"
NUMBERS = "// Print numbers 1 through 10\nfor (let i = 1; i <= 10; i++) {\n\tconsole.log(i);\n}\n\n"
OFFER = (
    "I'm GitHub Copilot, and I can help you with a wide range of programming and development tasks! Based on your "
    'current workspace, I can see you have a TypeScript project with an index.ts file that prints "Bonjour" and '
    "numbers 1-10.\n\nHere are some ways I can assist you:\n\n"
    "## Code Development\n"
    "- **Write, edit, and refactor code** in various languages (TypeScript, JavaScript, Python, Java, C#, Go, Rust, "
    "and many more)\n"
    "- **Debug and fix issues** in your existing code\n"
    "- **Add new features** or modify existing functionality\n"
    "- **Optimize performance** and improve code quality\n\n"
    "## Project Management\n"
    "- **Set up new projects** and workspaces from scratch\n"
    "- **Configure build systems** and development environments\n"
    "- **Manage dependencies** and package installations\n"
    "- **Create and modify configuration files**\n\n"
    "## Git and Version Control\n"
    "- **Commit changes** and manage your Git workflow\n"
    "- **Create branches** and handle merges\n"
    "- **View git history** and resolve conflicts\n"
    "- **Work with pull requests** and issues\n\n"
    "## Development Tools\n"
    "- **Run terminal commands** and scripts\n"
    "- **Install and configure VS Code extensions**\n"
    "- **Set up debugging configurations**\n"
    "- **Work with databases** (PostgreSQL support available)\n\n"
    "## Documentation and Testing\n"
    "- **Write documentation** and README files\n"
    "- **Create and run tests**\n"
    "- **Generate code comments** and API documentation\n\n"
    "For your current TypeScript project, I could help you:\n"
    "- Add error handling and input validation\n"
    "- Convert it to a proper CLI tool with argument parsing\n"
    "- Add TypeScript configurations and build scripts\n"
    "- Set up testing frameworks\n"
    "- Add more sophisticated functionality\n\n"
    "What specific task would you like help with today?"
)
UPDATED = (
    "Я вызову метод `update_entry_fields` для обновления полей в существующей записи. Сначала мне нужно получить "
    "список документов, чтобы найти доступные записи для обновления.\n\n"
    "Теперь получу записи из одного из документов, чтобы найти ID записи для обновления:\n\n"
    'Теперь вызову метод `update_entry_fields` для обновления записи с ID "686". Обновлю поле "D" (Цена б2с с ндс) '  # noqa: RUF001
    'и поле "H" (Цена источник 1):\n\n'
    "Метод `update_entry_fields` был успешно вызван! \n\n"
    "Результат обновления:\n"
    "- **ID записи**: 686\n"
    "- **Обновленные поля**:\n"
    '  - Поле "D" (Цена б2с с ндс): установлено значение "1250.00"\n'  # noqa: RUF001
    '  - Поле "H" (Цена источник 1): установлено значение "1180.50"\n'
    "- **Время обновления**: 2025-10-02 19:22:14\n"
    "- **Статус AI обработки**: изменился на `true`\n\n"
    "Запись была успешно обновлена с новыми значениями полей."  # noqa: RUF001
)


def calls(*ids: str) -> frozenset[str]:
    return frozenset(ids)


def header(session: str, started: int, version: str, title: str = "") -> Header:
    return Header(session, "vscode", "vscode-chat", "/home/user/project", "", started, version, title)


def whole(head: Header, turns: tuple[Turn, ...], end: int, updated: int, lines: int, remarks: str = "") -> Chunk:
    """A chat in which every line is understood and no request was withdrawn."""
    return Chunk(
        header=head,
        turns=turns,
        restart=0,
        end=end,
        updated=updated,
        tally=Tally(lines=lines, understood=lines),
        settled=Tally(),
        shutdown=False,
        files_modified=(),
        compactions=(),
        requests=tuple(turn.request for turn in turns),
        remarks=(remarks,) if remarks else (),
    )


def agent_edit() -> Chunk:
    first, second = "request_7a040c40-4542-4606-a202-7adbcb6c7738", "request_16102909-1a2a-4e8c-965c-8bbfbbe79756"
    written = (
        "id,setup,punchline",
        "1,Why do programmers prefer dark mode?,Because light attracts bugs.",
        "2,Why did the developer go broke?,Because he used up all his cache.",
        "3,Why do Java developers wear glasses?,Because they can't C#.",
        "4,What's a programmer's favorite hangout place?,Foo Bar.",
        "5,Why did 7sadfh32u23gdaWF cross the road?,To debug the chicken's code.",
    )
    put_in = f"{written[0]}\n{written[5]}"
    call = "call_2mAYjHD3viJTd5RkgaRK09YX"
    usage = Usage("request", first, 1770580262625, "gpt-4o", 3, 9723, exact=False, output=33, elapsed=5098, first=1254)
    turns = (
        Turn(
            offset=0,
            at=1770580257491,
            user="Add a joke about 7sadfh32u23gdaWF to jokes.csv",
            assistant=(
                'jokes.csv\nI added a joke about "7sadfh32u23gdaWF" to the jokes.csv file. '
                "Let me know if you need further assistance!"
            ),
            work=(edit(1770580257491, "insert_edit_into_file", JOKES, "", put_in, call),),
            ended=True,
            request=first,
            written=tuple(Written(JOKES, text) for text in written),
            calls=calls("call_Y0oBR3OEnt5WFiWMURxzbvu5", call),
            usage=(usage,),
        ),
        Turn(
            offset=1,
            at=1770583417096,
            user="follow up message",
            assistant=(
                'The joke about "7sadfh32u23gdaWF" has been successfully added to the jokes.csv file. '
                "Let me know if there's anything else you'd like to modify or add!"
            ),
            work=(),
            ended=True,
            request=second,
            files=(JOKES,),
            usage=(
                Usage(
                    "request",
                    second,
                    1770583418690,
                    "gpt-4o",
                    1,
                    9948,
                    exact=False,
                    output=40,
                    elapsed=1577,
                    first=1336,
                ),
            ),
        ),
    )
    head = header("7de89a80-6d93-43e7-be0a-0a9afe980198", 1770580242421, "0.37.1", "Adding a joke to jokes.csv file")
    return whole(head, turns, 16770, 1770583418690, 6)


def patched() -> Chunk:
    request = "request_patched_001"
    turn = Turn(
        0,
        1770580260000,
        "What is the meaning of life?",
        "The meaning of life is 42.",
        (),
        True,
        request,
        usage=(Usage("request", request, 1770580260000, "", elapsed=1500, first=500),),
    )
    return whole(header("empty_then_patched", 1770580242421, ""), (turn,), 698, 1770580260000, 3)


def mcp_tools() -> Chunk:
    request = "request_603bd3c1-5404-4a45-882f-bae7460ba833"
    turn = Turn(
        0,
        1759432900204,
        "вызови метод update_entry_fields",
        UPDATED,
        (),
        True,
        request,
        calls=calls(
            "toolu_vrtx_01TgbbcamZikdukcrWst3ohf",
            "toolu_vrtx_01PASYFoHX6uV3dgiSxqZLcT",
            "toolu_vrtx_01M92t4roxU5DKsABy58ZnhN",
        ),
        usage=(Usage("request", request, 1759432900204, "claude-sonnet-4", 4, elapsed=38452, first=3395),),
    )
    head = header("flat_mcp_tools", 1759432900204, "0.31.3")
    return whole(head, (turn,), 19495, 1759432900204, 1, "no version is given: read as version 3")


def simple(end: int) -> Chunk:
    """The same chat twice: as the document of an older build, and as the log that came of it."""

    def turn(
        place: int, at: int, request: str, user: str, assistant: str, rounds: int, elapsed: int, first: int
    ) -> Turn:
        usage = (Usage("request", request, at, "claude-sonnet-4", rounds, elapsed=elapsed, first=first),)
        return Turn(place, at, user, assistant, (), True, request, usage=usage)

    offered = turn(
        0,
        1759845073835,
        "request_5db7fb17-1726-48b4-b737-c0cb4c97caa8",
        "What can you help me with?",
        OFFER,
        1,
        12361,
        4581,
    )
    changed = turn(
        1,
        1759845101282,
        "request_e838f1ef-f292-49ab-92fc-3317408b67f1",
        "Change Bonjour World to hello world",
        'I\'ll change "Bonjour World" to "hello world" in your selected text.\n\nindex.ts\n'
        'Done! I\'ve changed "Bonjour World" to "hello world" in line 10 of your index.ts file.',
        2,
        9509,
        3009,
    )
    searched = turn(
        2,
        1759850150757,
        "request_6a383028-ec48-40b3-b20c-bb91b6612fa1",
        "Search for any other mentions of Bonjour",
        'I\'ll search for any other mentions of "Bonjour" in your workspace.\n\n'
        'I found one more mention of "Bonjour" in your code! It\'s on line 1 of index.ts:\n\n'
        "```typescript\nconsole.log('Bonjour');\n```\n\n"
        'Would you like me to change this one to "hello" as well to make it consistent?',
        2,
        8787,
        4636,
    )
    call = "toolu_vrtx_01UAL9wRmnDUwNjStDn4qhne"
    before, after = f"{NUMBERS}console.log('Bonjour World');", f"{NUMBERS}console.log('hello world');"
    turns = (
        offered._replace(files=(INDEX,)),
        changed._replace(
            work=(edit(1759845101282, "replace_string_in_file", INDEX, before, after, call),),
            written=(Written(INDEX, after),),
            calls=calls(call),
        ),
        searched._replace(files=(INDEX,), calls=calls("toolu_vrtx_01QZ8eYAhaNiLjhip28kHbk7")),
    )
    title = "Assistance with TypeScript project tasks"
    head = header("331fed7f-cfd6-409c-8502-06a56322b636", 1759845046680, "0.31.5", title)
    return whole(head, turns, end, 1759850150757, 1)
