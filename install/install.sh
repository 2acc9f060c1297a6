#!/bin/sh
# Sets deja-hooks up for this user, or takes it away again: with uv, pipx or a virtual environment, whichever is there.
#
#   install/install.sh [--from SOURCE] [--with uv|pipx|venv] [ARGUMENTS of deja-hooks install]
#   install/install.sh --uninstall [--from SOURCE] [--with uv|pipx|venv] [ARGUMENTS of deja-hooks uninstall]
#
# SOURCE is a folder, an archive, or what pip installs by name; without it, the checkout that this script lies in.
# Ends with 0 only if Copilot is wired (or unwired).
set -eu

name=deja-hooks
data=${XDG_DATA_HOME:-$HOME/.local/share}/$name

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }
here() { command -v "$1" >/dev/null 2>&1; }

usage() {
  say "usage: install.sh [--from SOURCE] [--with uv|pipx|venv] [ARGUMENTS of deja-hooks install]"
  say "       install.sh --uninstall [--from SOURCE] [--with uv|pipx|venv] [ARGUMENTS of deja-hooks uninstall]"
}

# The checkout around this script; empty where it was not started from a file of one.
checkout() {
  folder=$(CDPATH='' cd -- "$(dirname -- "$0")/.." 2>/dev/null && pwd -P) || return 0
  if [ -f "$folder/pyproject.toml" ] && [ -d "$folder/deja_hooks" ]; then say "$folder"; fi
}

# The source as a requirement with the extra that the recall tool needs.
with_extra() {
  case $1 in
    git+* | http://* | https://* | file:*) say "${name}[mcp] @ $1" ;;
    *) say "${1}[mcp]" ;;
  esac
}

# The first Python that is new enough and can make environments.
find_python() {
  for candidate in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python; do
    if here "$candidate" &&
      "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then
      say "$candidate"
      return
    fi
  done
  fail "no Python >= 3.10 with venv is on the PATH: install one (Debian: python3-venv), or uv, or pipx."
}

# program_of TOOL: the path at which TOOL puts the program, whether or not it is there.
program_of() {
  case $1 in
    uv) folder=$(uv tool dir --bin 2>/dev/null) && say "$folder/$name" ;;
    pipx) folder=$(pipx environment --value PIPX_BIN_DIR 2>/dev/null) && say "$folder/$name" ;;
    venv) say "$data/venv/bin/$name" ;;
  esac
}

# into_venv FOLDER REQUIREMENT
into_venv() {
  python=$(find_python) || exit 1
  made=''
  if ! "$1/bin/python" -c '' >/dev/null 2>&1; then
    "$python" -m venv --clear "$1" || return 1
    made=yes
  fi
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade "$2" && return
  if [ -n "$made" ]; then rm -rf -- "$1"; fi
  return 1
}

put_in() {
  say "Installing $name with $tool ..."
  case $tool in
    uv) uv tool install --force --reinstall "$1" ;;
    pipx) pipx install --force "$1" ;;
    venv)
      around=$(missing "$data")
      into_venv "$data/venv" "$1" && return
      printf '%s\n' "$around" | while IFS= read -r folder; do rmdir -- "$folder" 2>/dev/null || break; done
      return 1
      ;;
  esac
}

# missing FOLDER: which of it and the folders around it are not there, innermost first.
missing() {
  each=$1
  while [ ! -d "$each" ]; do
    say "$each"
    each=$(dirname -- "$each")
  done
}

# Whether the program is there and starts; it may have lost its Python.
works() { [ -n "$1" ] && [ -x "$1" ] && "$1" --version >/dev/null 2>&1; }

# The tools that may have installed us, the asked one alone if one was asked for.
tools() {
  for each in ${tool:-uv pipx venv}; do
    if [ "$each" = venv ] || here "$each"; then say "$each"; fi
  done
}

installed_program() {
  for each in $(tools); do
    found=$(program_of "$each") || continue
    if works "$found"; then
      say "$found"
      return
    fi
  done
  found=$(command -v "$name" 2>/dev/null) || return 0
  if works "$found"; then say "$found"; fi
}

# A program that is needed once: nothing of it stays.
borrowed() {
  [ -n "$source" ] || fail "$name is not installed any more: say --from SOURCE, to unwire Copilot with a copy of it."
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/$name.XXXXXX")
  trap 'rm -rf -- "$scratch"' EXIT
  trap 'exit 130' INT TERM HUP
  if here uv && [ "${tool:-uv}" = uv ]; then
    UV_TOOL_DIR="$scratch/tools" UV_TOOL_BIN_DIR="$scratch/bin" uv tool install --quiet "$source"
    program=$scratch/bin/$name
  else
    into_venv "$scratch/venv" "$source"
    program=$scratch/venv/bin/$name
  fi
}

remove_tools() {
  for each in $(tools); do
    case $each in
      uv) if uv tool list 2>/dev/null | grep -q "^$name "; then uv tool uninstall "$name"; fi ;;
      pipx) if pipx list --short 2>/dev/null | grep -q "^$name "; then pipx uninstall "$name"; fi ;;
      venv)
        if [ -d "$data/venv" ]; then
          rm -rf -- "$data/venv"
          say "removed $data/venv"
        fi
        rmdir -- "$data" 2>/dev/null || true
        ;;
    esac
  done
}

# -- arguments: ours first out of the list, the others are passed on

source='' tool='' uninstall='' dry='' part=''
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  count=$((count - 1))
  case $argument in
    --from | --with)
      [ "$count" -gt 0 ] || fail "$argument needs a value."
      if [ "$argument" = --from ]; then source=$1; else tool=$1; fi
      shift
      count=$((count - 1))
      ;;
    --from=*) source=${argument#*=} ;;
    --with=*) tool=${argument#*=} ;;
    --uninstall) uninstall=yes ;;
    --help | -h)
      usage
      exit 0
      ;;
    *)
      case $argument in
        --dry-run) dry=yes ;;
        --purge | --yes | --json) ;;
        *) part=yes ;;
      esac
      set -- "$@" "$argument"
      ;;
  esac
done
case $tool in
  '' | venv) ;;
  uv | pipx) here "$tool" || fail "$tool is not on the PATH: leave --with out, or install $tool." ;;
  *)
    usage >&2
    exit 2
    ;;
esac
[ -n "$source" ] || source=$(checkout)
# Another folder may be the current one when it is used.
if [ -e "$source" ]; then source=$(CDPATH='' cd -- "$(dirname -- "$source")" && pwd -P)/$(basename -- "$source"); fi

if [ -n "$uninstall" ]; then
  program=$(installed_program)
  [ -n "$program" ] || borrowed
  "$program" uninstall "$@" || fail "Copilot is still wired: see above. $name itself was left."
  if [ -z "$dry" ] && [ -z "$part" ]; then
    remove_tools
  else
    say "$name itself stays."
  fi
  exit 0
fi

[ -n "$source" ] || fail "this script lies in no checkout: say --from SOURCE."
if [ -z "$tool" ]; then
  tool=venv
  if here uv; then tool=uv; elif here pipx; then tool=pipx; fi
fi
if [ -n "$dry" ]; then
  say "would install $(with_extra "$source") with $tool, and run: $name install $*"
  exit 0
fi
put_in "$(with_extra "$source")" || fail "$tool could not install $source: see above."
program=$(program_of "$tool") || fail "$tool doesn't say where it puts programs: say --with venv."
works "$program" || fail "$program doesn't start."
"$program" install "$@" || fail "Copilot is not wired: see above. Run $program install to try again."
if "$program" doctor --help >/dev/null 2>&1; then
  "$program" doctor || fail "the installation has a fault: see above."
fi
if ! here "$name"; then
  say "The command is $program (its folder is not on your PATH)."
fi
