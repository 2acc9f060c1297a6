# Sets deja-hooks up for this user, or takes it away again: with uv, pipx or a virtual environment, whichever is there.
#
#   install\install.ps1 [--from SOURCE] [--with uv|pipx|venv] [ARGUMENTS of deja-hooks install]
#   install\install.ps1 --uninstall [--from SOURCE] [--with uv|pipx|venv] [ARGUMENTS of deja-hooks uninstall]
#
# SOURCE is a folder, an archive, or what pip installs by name; without it, the checkout that this script lies in.
# Ends with 0 only if Copilot is wired (or unwired). For Windows PowerShell 5.1 and later; if scripts are not allowed
# to run here: powershell -ExecutionPolicy Bypass -File install\install.ps1
#
# There is no `param` block: PowerShell would take `--dry-run` for a parameter of its own.

$ErrorActionPreference = 'Stop'
$name = 'deja-hooks'
$data = Join-Path $env:LOCALAPPDATA $name
$venv = Join-Path $data 'venv'
$usage = @(
    'usage: install.ps1 [--from SOURCE] [--with uv|pipx|venv] [ARGUMENTS of deja-hooks install]',
    '       install.ps1 --uninstall [--from SOURCE] [--with uv|pipx|venv] [ARGUMENTS of deja-hooks uninstall]'
)

function Stop-Here([string]$why) {
    [Console]::Error.WriteLine('install.ps1: ' + $why)
    exit 1
}

function Test-Here([string]$program) {
    $null -ne (Get-Command $program -CommandType Application -ErrorAction SilentlyContinue)
}

# Runs a program; only what it says on a failure matters, and its exit status ($LASTEXITCODE).
function Invoke-Quietly([string]$program, [string[]]$words) {
    $ErrorActionPreference = 'SilentlyContinue'
    $global:LASTEXITCODE = 1
    & $program @words 2>$null
}

# The source as a requirement with the extra that the recall tool needs.
function Get-Requirement([string]$from) {
    if ($from -match '^(git\+|https?://|file:)') { return $name + '[mcp] @ ' + $from }
    return $from + '[mcp]'
}

# The first Python that is new enough and can make environments. Windows Store aliases start slowly, and redirect
# the cache folder: they are passed over.
function Find-Python {
    $check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
    foreach ($candidate in @('python3', 'python', 'py')) {
        $found = Get-Command $candidate -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
        if ($null -eq $found -or $found.Source -like '*\WindowsApps\*') { continue }
        Invoke-Quietly $found.Source @('-c', $check) | Out-Null
        if ($LASTEXITCODE -eq 0) { return $found.Source }
    }
    Stop-Here 'no Python >= 3.10 is on the PATH: install one (winget install Python.Python.3.13), or uv, or pipx.'
}

function Get-VenvFile([string]$folder, [string]$program) {
    if ($env:OS -eq 'Windows_NT') { return Join-Path $folder ('Scripts\' + $program + '.exe') }
    return Join-Path $folder ('bin/' + $program)
}

# The path at which a tool puts the program, whether or not it is there.
function Get-ProgramOf([string]$with) {
    if ($with -eq 'venv') { return Get-VenvFile $venv $name }
    if ($with -eq 'uv') { $folder = Invoke-Quietly 'uv' @('tool', 'dir', '--bin') }
    else { $folder = Invoke-Quietly 'pipx' @('environment', '--value', 'PIPX_BIN_DIR') }
    if ($LASTEXITCODE -ne 0 -or -not $folder) { return '' }
    $file = Join-Path ([string]$folder).Trim() $name
    if ($env:OS -eq 'Windows_NT') { return $file + '.exe' }
    return $file
}

function Install-IntoVenv([string]$folder, [string]$requirement) {
    $python = Get-VenvFile $folder 'python'
    if (Test-Path -LiteralPath $python) { Invoke-Quietly $python @('-c', 'pass') | Out-Null }
    else { $global:LASTEXITCODE = 1 }
    if ($LASTEXITCODE -ne 0) {
        $base = Find-Python
        & $base -m venv --clear $folder | Out-Host
    }
    & $python -m pip install --quiet --disable-pip-version-check --upgrade $requirement | Out-Host
}

# Whether the program is there and starts; it may have lost its Python.
function Test-Works([string]$program) {
    if (-not $program -or -not (Test-Path -LiteralPath $program -PathType Leaf)) { return $false }
    Invoke-Quietly $program @('--version') | Out-Null
    return $LASTEXITCODE -eq 0
}

# The tools that may have installed us, the asked one alone if one was asked for.
function Get-Tools([string]$with) {
    if ($with) { return @($with) }
    return @('uv', 'pipx', 'venv') | Where-Object { $_ -eq 'venv' -or (Test-Here $_) }
}

function Find-Program([string]$with) {
    foreach ($each in @(Get-Tools $with)) {
        $found = Get-ProgramOf $each
        if (Test-Works $found) { return $found }
    }
    $found = Get-Command $name -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($null -ne $found -and (Test-Works $found.Source)) { return $found.Source }
    return ''
}

function Remove-Tools([string]$with) {
    foreach ($each in @(Get-Tools $with)) {
        if ($each -eq 'uv' -and (Invoke-Quietly 'uv' @('tool', 'list')) -match ('^' + $name + ' ')) {
            & uv tool uninstall $name | Out-Host
        } elseif ($each -eq 'pipx' -and (Invoke-Quietly 'pipx' @('list', '--short')) -match ('^' + $name + ' ')) {
            & pipx uninstall $name | Out-Host
        } elseif ($each -eq 'venv' -and (Test-Path -LiteralPath $venv)) {
            Remove-Item -LiteralPath $venv -Recurse -Force
            Write-Host ('removed ' + $venv)
            if (-not (Get-ChildItem -LiteralPath $data -Force)) { Remove-Item -LiteralPath $data }
        }
    }
}

# -- arguments: ours first out of the list, the others are passed on

$source = ''; $tool = ''; $uninstall = $false; $dry = $false; $part = $false
$rest = New-Object System.Collections.Generic.List[string]
for ($at = 0; $at -lt $args.Count; $at++) {
    $argument = [string]$args[$at]
    if ($argument -eq '--from' -or $argument -eq '--with') {
        $at++
        if ($at -ge $args.Count) { Stop-Here ($argument + ' needs a value.') }
        if ($argument -eq '--from') { $source = [string]$args[$at] } else { $tool = [string]$args[$at] }
    } elseif ($argument -like '--from=*') { $source = $argument.Substring(7)
    } elseif ($argument -like '--with=*') { $tool = $argument.Substring(7)
    } elseif ($argument -eq '--uninstall') { $uninstall = $true
    } elseif ($argument -eq '--help' -or $argument -eq '-h') {
        $usage | Write-Output
        exit 0
    } else {
        if ($argument -eq '--dry-run') { $dry = $true }
        elseif (@('--purge', '--yes', '--json') -notcontains $argument) { $part = $true }
        $rest.Add($argument)
    }
}
if ($tool -and @('uv', 'pipx', 'venv') -notcontains $tool) {
    $usage | ForEach-Object { [Console]::Error.WriteLine($_) }
    exit 2
}
if ($tool -and $tool -ne 'venv' -and -not (Test-Here $tool)) {
    Stop-Here ($tool + ' is not on the PATH: leave --with out, or install ' + $tool + '.')
}
if (-not $source -and $PSScriptRoot) {
    $checkout = Split-Path -Parent $PSScriptRoot
    if ((Test-Path -LiteralPath (Join-Path $checkout 'pyproject.toml')) -and
        (Test-Path -LiteralPath (Join-Path $checkout 'deja_hooks'))) { $source = $checkout }
}
if ($source -and (Test-Path -LiteralPath $source)) { $source = (Resolve-Path -LiteralPath $source).ProviderPath }

if ($uninstall) {
    $program = Find-Program $tool
    $scratch = ''
    $status = 1
    try {
        if (-not $program) {
            if (-not $source) {
                Stop-Here ($name + ' is not installed any more: say --from SOURCE, to unwire Copilot with a copy of it.')
            }
            $scratch = Join-Path ([IO.Path]::GetTempPath()) ($name + '.' + [Guid]::NewGuid().ToString('N'))
            if ((Test-Here 'uv') -and $tool -ne 'pipx' -and $tool -ne 'venv') {
                $before = @($env:UV_TOOL_DIR, $env:UV_TOOL_BIN_DIR)
                $env:UV_TOOL_DIR = Join-Path $scratch 'tools'
                $env:UV_TOOL_BIN_DIR = Join-Path $scratch 'bin'
                & uv tool install --quiet $source | Out-Host
                $program = Get-ProgramOf 'uv'
                $env:UV_TOOL_DIR = $before[0]
                $env:UV_TOOL_BIN_DIR = $before[1]
            } else {
                Install-IntoVenv $scratch $source
                $program = Get-VenvFile $scratch $name
            }
        }
        if (Test-Works $program) {
            & $program uninstall @rest | Out-Host
            $status = $LASTEXITCODE
        }
    } finally {
        if ($scratch -and (Test-Path -LiteralPath $scratch)) { Remove-Item -LiteralPath $scratch -Recurse -Force }
    }
    if ($status -ne 0) { Stop-Here ('Copilot is still wired: see above. ' + $name + ' itself was left.') }
    if (-not $dry -and -not $part) { Remove-Tools $tool } else { Write-Host ($name + ' itself stays.') }
    exit 0
}

if (-not $source) { Stop-Here 'this script lies in no checkout: say --from SOURCE.' }
if (-not $tool) {
    $tool = 'venv'
    if (Test-Here 'uv') { $tool = 'uv' } elseif (Test-Here 'pipx') { $tool = 'pipx' }
}
$requirement = Get-Requirement $source
if ($dry) {
    Write-Host ('would install ' + $requirement + ' with ' + $tool + ', and run: ' + $name + ' install ' + ($rest -join ' '))
    exit 0
}
Write-Host ('Installing ' + $name + ' with ' + $tool + ' ...')
if ($tool -eq 'uv') { & uv tool install --force --reinstall $requirement | Out-Host }
elseif ($tool -eq 'pipx') { & pipx install --force $requirement | Out-Host }
else { Install-IntoVenv $venv $requirement }
if ($LASTEXITCODE -ne 0) { Stop-Here ($tool + ' could not install ' + $source + ': see above.') }
$program = Get-ProgramOf $tool
if (-not (Test-Works $program)) { Stop-Here ('"' + $program + '" does not start.') }
& $program install @rest | Out-Host
if ($LASTEXITCODE -ne 0) {
    Stop-Here ('Copilot is not wired: see above. Run ' + $program + ' install to try again.')
}
Invoke-Quietly $program @('doctor', '--help') | Out-Null
if ($LASTEXITCODE -eq 0) {
    & $program doctor | Out-Host
    if ($LASTEXITCODE -ne 0) { Stop-Here 'the installation has a fault: see above.' }
}
if (-not (Test-Here $name)) { Write-Host ('The command is ' + $program + ' (its folder is not on your PATH).') }
exit 0
