"""Which project a folder belongs to: git's own layouts, made by hand, and paths of both platforms."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.memory.scope import branch, git_dir, label, normal_path, project_key, project_root, relative_path

POSIX = pytest.mark.skipif(Path("/").anchor != "/", reason="paths of POSIX")


def checkout(folder: Path, head: str = "ref: refs/heads/main\n") -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(head)
    return folder


def worktree(repository: Path, folder: Path, name: str, commondir: str = "../..\n") -> Path:
    admin = repository / ".git" / "worktrees" / name
    admin.mkdir(parents=True)
    (admin / "commondir").write_text(commondir)
    (admin / "HEAD").write_text(f"ref: refs/heads/{name}\n")
    (admin / "gitdir").write_text(f"{folder}/.git\n")
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {admin}\n")
    return folder


class TestProject:
    def test_of_a_checkout_and_every_folder_in_it(self, tmp_path: Path) -> None:
        shop = checkout(tmp_path / "code" / "shop")
        inside = shop / "src" / "net"
        inside.mkdir(parents=True)
        for cwd in (str(shop), str(inside), f"{shop}/", f"{shop}/src/../src/net", f"{shop}/gone/deeper"):
            assert project_key(cwd) == f"git:{shop}/.git"
            assert project_root(cwd) == str(shop)
            assert git_dir(cwd) == (str(shop), f"{shop}/.git")

    def test_of_a_deleted_checkout_is_its_folder(self, tmp_path: Path) -> None:
        gone = str(tmp_path / "gone" / "shop")
        assert (project_key(gone), project_root(gone), git_dir(gone)) == (f"dir:{gone}", gone, ("", ""))

    def test_worktrees_share_one(self, tmp_path: Path) -> None:
        shop = checkout(tmp_path / "shop")
        fix = worktree(shop, tmp_path / "trees" / "fix", "fix")
        absolute = worktree(shop, tmp_path / "trees" / "abs", "abs", f"{shop}/.git\n")
        assert project_key(str(fix)) == project_key(str(absolute)) == project_key(str(shop)) == f"git:{shop}/.git"
        assert project_root(str(fix)) == str(fix)
        assert [branch(str(each)) for each in (shop, fix, absolute)] == ["main", "fix", "abs"]

    def test_worktrees_that_point_by_relative_paths(self, tmp_path: Path) -> None:
        """git 2.48 with `worktree.useRelativePaths`."""
        shop = checkout(tmp_path / "shop")
        fix = worktree(shop, tmp_path / "trees" / "fix", "fix")
        (fix / ".git").write_text("gitdir: ../../shop/.git/worktrees/fix\n")
        (shop / ".git" / "worktrees" / "fix" / "gitdir").write_text("../../../../trees/fix/.git\n")
        assert project_key(str(fix)) == f"git:{shop}/.git"

    def test_a_submodule_is_a_project_of_its_own(self, tmp_path: Path) -> None:
        shop = checkout(tmp_path / "shop")
        module = shop / ".git" / "modules" / "vendor" / "lib"
        module.mkdir(parents=True)
        (module / "HEAD").write_text("0123456789abcdef0123456789abcdef01234567\n")
        lib = shop / "vendor" / "lib"
        lib.mkdir(parents=True)
        (lib / ".git").write_text("gitdir: ../../.git/modules/vendor/lib\n")
        assert project_key(str(lib / "src")) == f"git:{module}"
        assert project_root(str(lib / "src")) == str(lib)
        assert branch(str(lib)) == ""
        assert project_key(str(shop / "vendor")) == f"git:{shop}/.git"

    def test_a_checkout_in_a_checkout_is_its_own(self, tmp_path: Path) -> None:
        outer = checkout(tmp_path / "outer")
        inner = checkout(outer / "third" / "inner")
        assert project_key(str(inner / "x")) == f"git:{inner}/.git"
        assert project_key(str(outer / "third")) == f"git:{outer}/.git"

    def test_folders_of_one_name_differ(self, tmp_path: Path) -> None:
        one, other = checkout(tmp_path / "a" / "shop"), checkout(tmp_path / "b" / "shop")
        plain = tmp_path / "c" / "shop"
        plain.mkdir(parents=True)
        keys = {project_key(str(each)) for each in (one, other, plain)}
        assert keys == {f"git:{one}/.git", f"git:{other}/.git", f"dir:{plain}"}

    def test_a_home_without_git_is_a_folder(self, tmp_path: Path) -> None:
        checkout(tmp_path / "home" / "code" / "shop")
        assert project_key(str(tmp_path / "home")) == f"dir:{tmp_path}/home"

    @POSIX
    def test_is_the_same_by_a_linked_folder(self, tmp_path: Path) -> None:
        shop = checkout(tmp_path / "private" / "code" / "shop")
        (tmp_path / "code").symlink_to("private/code")
        (tmp_path / "elsewhere").symlink_to(shop, target_is_directory=True)
        for cwd in (tmp_path / "code" / "shop" / "src", tmp_path / "elsewhere"):
            assert project_key(str(cwd)) == f"git:{shop}/.git"

    @POSIX
    def test_ends_in_a_ring_of_links(self, tmp_path: Path) -> None:
        shop = tmp_path / "shop"
        shop.mkdir()
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        (shop / ".git").write_text(f"gitdir: {tmp_path}/a/x\n")
        assert project_key(str(shop)) in (f"git:{tmp_path}/a/x", f"git:{tmp_path}/b/x")

    @pytest.mark.parametrize(
        "content", [b"", b"gitdir:", b"gitdir: \n", b"hello", b"\xff\xfe", b"gitdir", b"GITDIR: /x", b"\0" * 5000]
    )
    def test_a_git_file_that_points_nowhere_is_passed_over(self, tmp_path: Path, content: bytes) -> None:
        outer = checkout(tmp_path / "outer")
        inner = outer / "inner"
        inner.mkdir()
        (inner / ".git").write_bytes(content)
        assert project_key(str(inner)) == f"git:{outer}/.git"

    @pytest.mark.parametrize("content", [b"gitdir: a\0b\n", b"gitdir: \xff\xfe/x\n", b"gitdir: /" + b"x" * 5000])
    def test_a_hostile_git_file_raises_nothing(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / ".git").write_bytes(content)
        cwd = str(tmp_path / "src")
        assert project_key(cwd).startswith("git:")
        assert branch(cwd) == ""
        assert project_root(cwd) == str(tmp_path)

    @pytest.mark.parametrize("cwd", ["", ".", "./.", "/"])
    def test_of_no_folder(self, cwd: str) -> None:
        assert project_key(cwd) in ("", "dir:/", "git:/.git")

    @settings(max_examples=100, deadline=None)
    @given(st.text(alphabet="/\\.:aC\0é\udcff ~", max_size=20))
    def test_never_raises(self, cwd: str) -> None:
        assert isinstance(project_key(cwd), str)
        assert isinstance(project_root(cwd), str)
        assert isinstance(branch(cwd), str)
        assert normal_path(normal_path(cwd)) == normal_path(cwd)


class TestAnothersRepository:
    """A folder that claims a repository which doesn't know it: an unpacked archive can hold any `.git`."""

    @pytest.fixture
    def shop(self, tmp_path: Path) -> Path:
        shop = checkout(tmp_path / "shop")
        worktree(shop, tmp_path / "trees" / "fix", "fix")
        module = shop / ".git" / "modules" / "lib"
        module.mkdir(parents=True)
        (module / "config").write_text("[core]\n\tbare = false\n\tworktree = ../../../lib\n")
        (shop / "lib").mkdir()
        (shop / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
        return shop

    @pytest.fixture
    def evil(self, tmp_path: Path) -> Path:
        (tmp_path / "evil").mkdir()
        return tmp_path / "evil"

    @pytest.mark.parametrize("inside", ["", "/worktrees/fix", "/modules/lib"])
    @pytest.mark.parametrize("path", ["{shop}/.git", "../shop/.git"])
    def test_by_a_git_file(self, shop: Path, evil: Path, inside: str, path: str) -> None:
        (evil / ".git").write_text(f"gitdir: {path.format(shop=shop)}{inside}\n")
        assert project_key(f"{evil}/src") == f"dir:{evil}"

    @POSIX
    def test_by_a_link(self, shop: Path, evil: Path) -> None:
        (evil / ".git").symlink_to(shop / ".git", target_is_directory=True)
        assert project_key(str(evil)) == f"dir:{evil}"

    @pytest.mark.parametrize("back", [True, False])
    def test_by_a_common_directory(self, shop: Path, evil: Path, back: bool) -> None:
        checkout(evil)
        (evil / ".git" / "commondir").write_text(f"{shop}/.git\n")
        if back:
            (evil / ".git" / "gitdir").write_text(f"{evil}/.git\n")
        assert project_key(str(evil)) == f"dir:{evil}"

    def test_by_a_worktree_of_its_own_making(self, shop: Path, evil: Path) -> None:
        admin = evil / "x" / "worktrees" / "fix"
        admin.mkdir(parents=True)
        (admin / "commondir").write_text(f"{shop}/.git\n")
        (admin / "gitdir").write_text(f"{evil}/.git\n")
        (evil / ".git").write_text("gitdir: x/worktrees/fix\n")
        assert project_key(str(evil)) == f"dir:{evil}"

    def test_those_that_it_knows_keep_it(self, shop: Path, tmp_path: Path) -> None:
        assert project_key(str(tmp_path / "trees" / "fix")) == f"git:{shop}/.git"
        assert project_key(str(shop / "lib")) == f"git:{shop}/.git/modules/lib"

    @POSIX
    def test_a_git_directory_kept_apart(self, tmp_path: Path) -> None:
        """`git init --separate-git-dir`, and Android's `repo`, which makes `.git` a link."""
        for name, link in (("a.git", False), ("b.git", True)):
            apart = tmp_path / "apart" / name
            apart.mkdir(parents=True)
            folder = tmp_path / name.removesuffix(".git")
            folder.mkdir()
            if link:
                (folder / ".git").symlink_to(apart)
            else:
                (folder / ".git").write_text(f"gitdir: {apart}\n")
            assert project_key(str(folder)) == f"git:{apart}"


class TestBranch:
    @pytest.mark.parametrize(
        ("head", "expected"),
        [
            ("ref: refs/heads/main\n", "main"),
            ("ref: refs/heads/feature/retry-budget\n", "feature/retry-budget"),
            ("0123456789abcdef0123456789abcdef01234567\n", ""),
            ("ref: refs/remotes/origin/main\n", ""),
            ("", ""),
        ],
    )
    def test_is_that_of_head_packed_or_not(self, tmp_path: Path, head: str, expected: str) -> None:
        checkout(tmp_path, head)
        (tmp_path / ".git" / "packed-refs").write_text("0123456789abcdef0123456789abcdef01234567 refs/heads/main\n")
        assert branch(str(tmp_path)) == expected

    def test_without_head_or_git(self, tmp_path: Path) -> None:
        (tmp_path / "bare" / ".git").mkdir(parents=True)
        assert (branch(str(tmp_path / "bare")), branch(str(tmp_path))) == ("", "")


@pytest.mark.parametrize(
    ("path", "windows", "expected"),
    [
        ("/a/b", False, "/a/b"),
        ("/a//b/./c/../d/", False, "/a/b/d"),
        ("/../../a", False, "/a"),
        ("a/../../b", False, "../b"),
        ("/", False, "/"),
        ("", False, ""),
        (".", False, ""),
        ("/A/b", False, "/A/b"),
        ("/a\\b", False, "/a\\b"),
        ("C:\\Code\\Shop\\", True, "c:\\code\\shop"),
        ("c:/Code//Shop/..", True, "c:\\code"),
        ("C:\\Code\\.\\Shop", False, "c:\\code\\shop"),
        ("c:/code/shop", False, "c:\\code\\shop"),
        ("\\\\Server\\Share\\dir\\", True, "\\\\server\\share\\dir"),
        ("//server/share/dir", True, "\\\\server\\share\\dir"),
        ("/home/x", True, "\\home\\x"),
    ],
)
def test_normal_path(path: str, windows: bool, expected: str) -> None:
    assert normal_path(path, windows) == expected


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("/code/shop/a/b.py", "/code/shop", "a/b.py"),
        ("/code/shop/a/../b.py", "/code/shop/", "b.py"),
        ("/code/shop2/b.py", "/code/shop", "/code/shop2/b.py"),
        ("/code/shop", "/code/shop", "/code/shop"),
        ("/etc/hosts", "/", "etc/hosts"),
        ("/a/b", "", "/a/b"),
        ("", "/a", ""),
        ("C:\\Code\\Shop\\src\\A.py", "c:\\code\\shop", "src/a.py"),
        ("c:/code/shop/src/a.py", "C:\\Code\\Shop\\", "src/a.py"),
        ("\\\\server\\share\\x\\y.py", "\\\\server\\share", "x/y.py"),
    ],
)
@POSIX
def test_relative_path(path: str, root: str, expected: str) -> None:
    assert relative_path(path, root) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("git:/home/u/code/shop/.git", "code/shop"),
        ("git:/srv/shop.git", "srv/shop.git"),
        ("dir:/home/u/notes", "u/notes"),
        ("dir:/notes", "notes"),
        ("dir:c:\\code\\shop", "code/shop"),
        ("git:c:\\code\\shop\\.git", "code/shop"),
        ("dir:\\\\server\\share\\x", "share/x"),
        ("", ""),
        ("dir:/", ""),
    ],
)
def test_label(key: str, expected: str) -> None:
    assert label(key) == expected
