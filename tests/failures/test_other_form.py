import pytest

from deja_hooks.failures.other_form import is_other_form


@pytest.mark.parametrize(
    ("failed", "worked"),
    [
        ("flake8 src", "python -m flake8 src"),
        ("pytest -q tests/x.py", "python3 -m pytest -q tests/x.py"),
        ("pytest", "poetry run pytest"),
        ("git push origin main", "git push -u origin main"),
        ("tsc -p .", "npx tsc -p ."),
        ("cd api && pytest tests", "cd api && python -m pytest tests"),
    ],
)
def test_the_same_thing_started_otherwise(failed: str, worked: str) -> None:
    assert is_other_form(failed, worked)


@pytest.mark.parametrize(
    ("failed", "worked"),
    [
        ("git push origin main", "git status"),
        ("pytest tests/test_parser.py", "pytest tests/test_lexer.py"),
        ("kubectl apply -f prod.yaml", "kubectl get pods"),
        ("terraform apply", "terraform fmt"),
        ("docker compose up -d db", "docker compose ps"),
        ("./deploy.sh prod", "./deploy.sh --dry-run"),
        ("./deploy.sh prod", "./deploy.sh prod --dry-run"),
        ("cargo test pool_drains", "cargo test pool_fills"),
        ("make", "make -k"),
        ("git commit -m x", "git commit -m x --no-verify"),
        ("pytest tests", "pytest tests --deselect=tests/a.py"),
        ("flake8 src", "python -m flake8 src --exit-zero"),
        ("flake8 src", "flake8 src"),
        ("flake8 src", "mypy src"),
        ("", "ls"),
        ("pytest x && true", "python -m pytest x && true"),
    ],
)
def test_anything_else(failed: str, worked: str) -> None:
    assert not is_other_form(failed, worked)
