"""Failures of many tools, as they print them; what differs from day to day stands in braces (see `VARIED`)."""

from __future__ import annotations

from hypothesis import strategies as st

_HEX = st.text("0123456789abcdef", min_size=12, max_size=40).filter(lambda t: sum(c.isdigit() for c in t) > 2)
_NUMBER = st.integers(1, 99_999).map(str)
_FOLDERS = st.sampled_from(["/home/ann/shop", "/Users/bob/work/shop", "/builds/7/shop", "/workspace", "/opt/a-b"])

#: What varies → how.
VARIED = {
    "dir": _FOLDERS,
    "line": st.integers(1, 9_999).map(str),
    "col": st.integers(1, 200).map(str),
    "n": _NUMBER,
    "sha": _HEX,
    "short": st.text("0123456789abcdef", min_size=7, max_size=7).filter(lambda t: sum(c.isdigit() for c in t) > 1),
    "ver": st.tuples(*[st.integers(0, 40)] * 3).map(lambda v: ".".join(map(str, v))),
    "took": st.one_of(
        st.tuples(st.integers(0, 99), st.integers(0, 999)).map(lambda v: f"{v[0]}.{v[1]:03d}s"),
        st.integers(1, 9_999).map(lambda n: f"{n}ms"),
    ),
    "uuid": st.uuids().map(str),
    "port": st.integers(1024, 65_535).map(str),
    "pid": st.integers(2, 4_000_000).map(str),
    "addr": st.integers(0x1000, 0xFFFFFFFFFFFF).map(hex),
    "ip": st.tuples(*[st.integers(1, 254)] * 4).map(lambda v: ".".join(map(str, v))),
    "date": st.datetimes().map(lambda d: f"{d:%Y-%m-%d}" if d.year > 999 else "2024-01-02"),
    "time": st.times().map(lambda t: f"{t:%H:%M:%S}"),
    "stamp" : st.datetimes().map(lambda d: f"{d:%Y-%m-%dT%H:%M:%S}.{d.microsecond:06d}Z" if d.year > 999 else
    "2024-01-02T01:02:03Z" ),
    "tmp": st.text("abcdefghijklmnopqrstuvwxyz0123456789_", min_size=8, max_size=8).map(lambda t: "/tmp/tmp" + t),
}  # fmt: skip

#: One failure each; no two of them are the same error.
ERRORS = (
    # Python
    'Traceback (most recent call last):\n  File "{dir}/a.py", line {line}, in <module>\nKeyError: \'retries\'',
    'Traceback (most recent call last):\n  File "{dir}/a.py", line {line}, in <module>\nKeyError: \'timeout\'',
    "ModuleNotFoundError: No module named 'yaml'",
    "ModuleNotFoundError: No module named 'requests'",
    "TypeError: load() got an unexpected keyword argument 'strict'",
    "TypeError: load() missing 1 required positional argument: 'path'",
    "AttributeError: <Pool object at {addr}> has no attribute 'drain'",
    "ValueError: invalid literal for int() with base 10: 'abc'",
    "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position {n}: invalid start byte",
    "sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to server at \"{ip}\", port {port} "
    "failed: "
    "Connection refused",
    "django.db.utils.ProgrammingError: relation \"orders\" does not exist at character {n}",
    "json.decoder.JSONDecodeError: Expecting value: line {line} column {col} (char {n})",
    "{dir}/shop/cart.py:{line}: error: Incompatible return value type (got \"int\", expected \"str\")  [return-value]",
    "{dir}/shop/cart.py:{line}:{col}: F401 'os' imported but unused",
    "{dir}/shop/cart.py:{line}:{col}: E501 line too long ({n} > 120 characters)",
    "ERROR: Could not find a version that satisfies the requirement torch=={ver} (from versions: none)",
    "ERROR: No matching distribution found for flask-gizmo=={ver}",
    "error: externally-managed-environment",
    "FAILED tests/test_cart.py::test_total - AssertionError: total took {took}",
    "FAILED tests/test_cart.py::test_empty - AssertionError: total took {took}",
    "E   ValueError: no rate for EUR on {date}",
    # Node, TypeScript
    "{dir}/src/cart.ts({line},{col}): error TS2304: Cannot find name 'Total'.",
    "{dir}/src/cart.ts({line},{col}): error TS2304: Cannot find name 'Cart'.",
    "{dir}/src/cart.ts:{line}:{col} - error TS2339: Property 'sum' does not exist on type 'Cart'.",
    "Error: Cannot find module 'lodash'\nRequire stack:\n- {dir}/src/a.js",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'chalk' imported from {dir}/src/a.js",
    "TypeError: Cannot read properties of undefined (reading 'total')\n    at sum ({dir}/src/a.js:{line}:{col})",
    "TypeError: Cannot read properties of undefined (reading 'lines')\n    at sum ({dir}/src/a.js:{line}:{col})",
    "Error: listen EADDRINUSE: address already in use :::{port}",
    "npm error Missing script: \"lint:fix\"",
    "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree",
    "npm ERR! 404 Not Found - GET https://registry.example.org/shop-ui - Not found",
    " ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with \"frozen-lockfile\"",
    "  {line}:{col}  error  'x' is assigned a value but never used  no-unused-vars",
    "  {line}:{col}  error  Unexpected console statement  no-console",
    "FAIL src/cart.test.ts\n  \u25cf Cart \u203a adds lines\n\n    expect(received).toBe(expected)\n\n    "
    "Expected: {n}\n    Received: {line}",
    "FAIL src/cart.test.ts\n  \u25cf Cart \u203a removes lines\n\n    expect(received).toBe(expected)\n\n    "
    "Expected: {n}\n    Received: {line}",
    " FAIL  src/pool.test.ts > Pool > drains\nAssertionError: expected {n} to be {line}",
    " FAIL  src/pool.test.ts > Pool > fills\nAssertionError: expected {n} to be {line}",
    # Go
    "./cart.go:{line}:{col}: undefined: Total",
    "./cart.go:{line}:{col}: cannot use x (variable of type int) as string value in argument to f",
    "--- FAIL: TestTotal ({took})\n    cart_test.go:{line}: got {n}, want 3",
    "--- FAIL: TestEmpty ({took})\n    cart_test.go:{line}: got {n}, want 3",
    "panic: runtime error: index out of range [{n}] with length {line}\n\ngoroutine {n} [running]:\nmain.f({addr})",
    "panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: addr={addr} pc={addr}]",
    "go: github.com/acme/pool@v{ver}: invalid version: unknown revision v{ver}",
    "main.go:{line}:{col}: no required module provides package github.com/acme/pool; to add it:",
    # Rust
    "error[E0308]: mismatched types\n --> src/main.rs:{line}:{col}",
    "error[E0433]: failed to resolve: use of undeclared crate or module `serde`\n --> src/main.rs:{line}:{col}",
    "thread 'cart::tests::adds' panicked at src/cart.rs:{line}:{col}:\nassertion `left == right` failed\n  left: {n}",
    "thread 'cart::tests::drops' panicked at src/cart.rs:{line}:{col}:\nassertion `left == right` failed\n  left: {n}",
    "thread 'main' panicked at src/main.rs:{line}:{col}:\nconnection pool exhausted after {took}",
    "error: linker `cc` not found",
    "error: failed to select a version for `tokio`.",
    # Java, Maven, Gradle, .NET
    "[ERROR] {dir}/src/main/java/Cart.java:[{line},{col}] cannot find symbol",
    "[ERROR] {dir}/src/main/java/Cart.java:[{line},{col}] incompatible types: int cannot be converted to String",
    "Exception in thread \"main\" java.lang.NullPointerException: Cannot invoke \"Cart.total()\" because "
    "\"cart\" is null",
    "Exception in thread \"main\" java.lang.UnsupportedClassVersionError: Cart has been compiled by a more "
    "recent version",
    "[ERROR]   CartTest.addsLines:{line} expected:<{n}> but was:<{line}>",
    "[ERROR]   CartTest.dropsLines:{line} expected:<{n}> but was:<{line}>",
    "[ERROR] Failed to execute goal on project shop: Could not resolve dependencies for project acme:shop:jar:{ver}",
    "FAILURE: Build failed with an exception.\n\n* What went wrong:\nCould not resolve com.acme:pool:{ver}.",
    "CartTest > addsLines() FAILED\n    org.opentest4j.AssertionFailedError at CartTest.java:{line}",
    "CartTest > dropsLines() FAILED\n    org.opentest4j.AssertionFailedError at CartTest.java:{line}",
    "Program.cs({line},{col}): error CS0246: The type or namespace name 'Pool' could not be found",
    # C, C++, make, CMake
    "{dir}/src/cart.c:{line}:{col}: error: use of undeclared identifier 'total'",
    "{dir}/src/cart.c:{line}:{col}: error: expected ';' after expression",
    "{dir}/src/cart.c:{line}:{col}: fatal error: zlib.h: No such file or directory",
    "/usr/bin/ld: {dir}/build/cart.o: undefined reference to `pool_drain'",
    "make: *** No rule to make target 'dist'.  Stop.",
    "CMake Error at CMakeLists.txt:{line} (find_package): Could not find package OpenSSL",
    # Docker, git, Kubernetes, databases, the system
    "Error response from daemon: driver failed programming external connectivity on endpoint shop ({sha}): "
    "Bind for 0.0.0.0:{port} failed: port is already allocated",
    "Error response from daemon: No such container: shop-db",
    "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
    "ERROR: failed to solve: process \"/bin/sh -c pip install torch\" did not complete successfully: exit code: {n}",
    "error: failed to push some refs to 'git@{ip}:acme/shop.git'",
    "fatal: not a git repository (or any of the parent directories): .git",
    "error: Your local changes to the following files would be overwritten by merge:",
    "fatal: couldn't find remote ref feature/cart",
    "Error from server (NotFound): deployments.apps \"shop\" not found",
    "Error from server (Forbidden): pods is forbidden: User \"{uuid}\" cannot list resource",
    "psql: error: connection to server at \"localhost\" ({ip}), port {port} failed: FATAL:  role \"ann\" does "
    "not exist",
    "psql: error: connection to server at \"localhost\" ({ip}), port {port} failed: FATAL:  database \"shop\" "
    "does not exist",
    "ERROR:  relation \"customers\" does not exist\nLINE {line}: SELECT",
    "ERROR:  deadlock detected\nDETAIL:  Process {pid} waits for ShareLock on transaction {n}",
    "ERROR 1045 (28000): Access denied for user 'ann'@'{ip}' (using password: YES)",
    "curl: (7) Failed to connect to localhost port {port} after {n} ms: Couldn't connect to server",
    "curl: (60) SSL certificate problem: certificate has expired",
    "bash: line {line}: terraform: command not found",
    "bash: line {line}: jq: command not found",
    "Error: Error acquiring the state lock: ConditionalCheckFailedException: lock {uuid}",
    "redis.exceptions.ConnectionError: Error {n} connecting to {ip}:{port}. Connection refused.",
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='localhost', port={port}): Max retries exceeded with "
    "url: /health (Caused by NewConnectionError('<urllib3.connection.HTTPConnection object at {addr}>: refused'))",
    "OSError: [Errno 98] Address already in use: ('{ip}', {port})",
    "RuntimeError: worker {uuid} died at {stamp} after {took}",
    "RuntimeError: CUDA out of memory. Tried to allocate {n}.{line} MiB",
    "error: cannot lock ref 'refs/heads/main': is at {sha} but expected {sha}",
    "RuntimeError: cannot unpack {tmp}/model.bin",
    "[{date} {time}] ERROR: worker lost the broker",
    "{stamp} ERROR: queue orders is full",
)  # fmt: skip
