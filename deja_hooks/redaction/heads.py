"""Keys known by how they begin: three characters are looked up for each long word, whatever the number of vendors.

The formats are those that the vendors document. A key that doesn't begin its word, or has no long one, is found by
a substring instead (`vendors`, `forms`).
"""

from deja_hooks.redaction.patterns import compiled
from deja_hooks.redaction.values import Span, is_known

__all__ = ["HEADS", "keys_by_head"]

#: No word of code or prose: a digit, a small and a capital letter within the next forty characters.
_MIXED = r"(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Z])(?=[\w-]{0,40}[a-z])"
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
#: The heads of a pattern's words, its kind, and the pattern.
_RULES = tuple(
    line.split(" ", 2)
    for line in (
        # Clouds
        r"ABS aws-key ABSKQmVkcm9ja0FQSUtleS[A-Za-z0-9+/]{40,}={0,2}",
        r"LTA alibaba-key LTAI[A-Za-z0-9]{17,}(?!\w)",
        r"AKI tencent-key AKID[A-Za-z0-9]{32}(?!\w)",
        r"AQV yandex-key AQVN[\w-]{35,38}(?![\w-])",
        r"nfp netlify-token nfp_[A-Za-z0-9]{36}",
        r"fo1 fly-token fo1_[\w-]{40,}",
        r"rnd render-key rnd_[A-Za-z0-9]{28}",
        r"pul pulumi-token pul-[0-9a-f]{40}",
        r"ops 1password-token ops_eyJ[A-Za-z0-9+/_-]{100,}={0,2}",
        r"A3- 1password-key A3-[A-Z0-9]{6}-(?:[A-Z0-9]{6}-[A-Z0-9]{5}|[A-Z0-9]{11})(?:-[A-Z0-9]{5}){3}(?!\w)",
        # A private key that is encoded once more, as kubeconfig has it: "-----BEGIN … PRIVATE KEY".
        r"LS0 private-key LS0tLS1CRUdJTiB(?:QUklWQVRF|SU0EgUFJJVkFUR|FQyBQUklWQVRF|FTkNSWVBURUQg|PUEVOU1NI|EU0EgUFJJ"
        r"VkFUR|QR1AgUFJJVkFUR)[A-Za-z0-9+/]{20,}={0,2}",
        # Forges, builds, packages
        r"glc,glp,glf,gli,gla,gls,glo,glw gitlab-token gl(?:cbt|ptt|ft|ffct|imt|agent|soat|oas|wt)-[\w.-]{16,}",
        r"glc grafana-token glc_[A-Za-z0-9+/]{32,}={0,2}",
        r"GR1 gitlab-token GR1348941[\w-]{20}",
        r"ATB bitbucket-token ATBB[A-Za-z0-9]{24,}",
        r"ATC bitbucket-token ATCTT3[\w=-]{60,}",
        r"CCI circleci-token CCIP(?:AT|RJ)_\w{20,}",
        r"bku buildkite-token bkua_[0-9a-f]{40}",
        r"squ,sqp,sqa sonar-token sq[upa]_[0-9a-f]{40}",
        r"sgp sourcegraph-token sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}",
        r"oy2 nuget-key oy2[a-z0-9]{43}(?!\w)",
        r"cio crates-token cio(?=\w{0,31}\d)[A-Za-z0-9]{32}(?!\w)",
        r"AKC artifactory-key AKCp[A-Za-z0-9]{60,}",
        r"cmV artifactory-token cmVmdGtu[A-Za-z0-9]{50,}",
        r"CLO clojars-token CLOJARS_[0-9a-f]{40,}",
        # Money, mail, chat
        r"sq0 square-key sq0(?:atp|csp|idp)-[\w-]{22,}",
        r"EAA facebook-token EAA(?<![+/=]EAA)" + _MIXED + r"[\w-]{58,}",
        rf"acc plaid-token access-(?:sandbox|development|production)-{_UUID}",
        r"FLW flutterwave-key FLWSECK(?:_TEST)?-[0-9A-Za-z]{12,}(?:-X)?",
        r"shi shippo-token shippo_(?:live|test)_[0-9a-f]{40}",
        r"EZA,EZT easypost-key EZ[AT]K[A-Za-z0-9]{50,}",
        r"duf duffel-token duffel_(?:live|test)_[\w-]{40,}",
        r"SK0,SK1,SK2,SK3,SK4,SK5,SK6,SK7,SK8,SK9,SKa,SKb,SKc,SKd,SKe,SKf twilio-key SK[0-9a-f]{32}(?!\w)",
        r"xke brevo-key xkeysib-[0-9a-f]{40,}-[A-Za-z0-9]{16}",
        r"re_ resend-key re_[A-Za-z0-9]{8}_" + _MIXED + r"[A-Za-z0-9]{24}(?!\w)",
        r"pat hubspot-token pat-(?:na|eu|ap)\d-[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}",
        r"pat airtable-token pat[A-Za-z0-9]{14}\.[0-9a-f]{64}",
        # Models
        r"r8_ replicate-token r8_[A-Za-z0-9]{37}",
        r"csk cerebras-key csk-(?=[a-z0-9]{0,47}\d)[a-z0-9]{40,}",
        r"fw_ fireworks-key fw_" + _MIXED + r"[A-Za-z0-9]{22,}(?!\w)",
        r"lsv langsmith-key lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,}",
        r"pcs pinecone-key pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}",
        r"tvl tavily-key tvly-(?:dev-)?[A-Za-z0-9]{28,}",
        r"fc- firecrawl-key fc-[0-9a-f]{32}(?!\w)",
        r"jin jina-key jina_" + _MIXED + r"[\w-]{50,}",
        r"sk_ elevenlabs-key sk_[0-9a-f]{48}(?!\w)",
        r"nva nvidia-key nvapi-[\w-]{50,}",
        # Data, documents, watching
        r"NRI newrelic-key NRII-[\w-]{32}",
        r"NRJ newrelic-key NRJS-[0-9a-f]{19}",
        rf"api,sdk,mob launchdarkly-key (?:api|sdk|mob)-{_UUID}",
        r"phx posthog-key phx_[A-Za-z0-9]{40,}",
        r"sb_ supabase-key sb_secret_[\w-]{24,}",
        r"nap neon-key napi_[a-z0-9]{56,}(?!\w)",
        r"sec notion-token secret_" + _MIXED + r"[A-Za-z0-9]{43}(?!\w)",
        r"pk_ clickup-token pk_\d{6,10}_[A-Z0-9]{32}",
        r"tfp typeform-token tfp_[\w-]{40,}",
        r"CFP contentful-token CFPAT-[\w-]{43}",
        r"rdm readme-key rdme_[a-z0-9]{60,}",
        r"fio frameio-token fio-u-[\w-]{50,}",
        r"pnu,pnb prefect-key pn[ub]_[A-Za-z0-9]{36}",
        r"p8e adobe-secret p8e-[A-Za-z0-9_-]{32}",
        # Others
        r"PMA postman-key PMAK-[0-9a-f]{20,40}-[0-9a-f]{20,}",
        r"GOC google-key GOCSPX-[\w-]{20,}",
        r"AGE age-key AGE-SECRET-KEY-1[A-Z0-9]{30,}",
        r"HRK heroku-key HRKU-[\w-]{30,}",
        r"NRA newrelic-key NRAK-[A-Z0-9]{20,}",
        r"tsk tailscale-key tskey-[a-z]{2,12}-[\w-]{16,}",
        r"ppl perplexity-key pplx-[A-Za-z0-9]{32,}",
        r"xai xai-key xai-[A-Za-z0-9]{40,}",
        r"fig figma-token figd_[\w-]{20,}",
        r"rub rubygems-key rubygems_[0-9a-f]{32,}",
        r"psc planetscale-token pscale_(?:tkn|pw|oauth)_[\w.-]{24,}",
        r"dck docker-token dckr_(?:pat|oat)_[\w-]{20,}",
        r"ATA atlassian-token ATATT3[\w=-]{20,}",
        r"git github-token github_pat_\w{20,}",
        r"gsk groq-key gsk_[A-Za-z0-9]{30,}",
        r"lin linear-key lin_(?:api|oauth)_[A-Za-z0-9]{24,}",
        r"gls grafana-token glsa_\w{24,}",
        r"sbp supabase-token sbp_[0-9a-f]{32,}",
        r"hf_ huggingface-token hf_[A-Za-z0-9]{24,}",
        r"npm npm-token npm_[A-Za-z0-9]{30,}",
        r"AIz google-key AIza[\w-]{30,}",
        r"ntn notion-token ntn_[A-Za-z0-9]{36,}",
    )
)
#: The first three characters of a word → the rules it may be of.
HEADS: dict[str, tuple[tuple[str, str], ...]] = {}
for _names, _kind, _pattern in _RULES:
    for _name in _names.split(","):
        HEADS[_name] = (*HEADS.get(_name, ()), (_kind, _pattern))


def keys_by_head(text: str, places: list[int]) -> list[Span]:
    """The keys that begin at these places, where the heads do."""
    spans: list[Span] = []
    for at in places:
        for kind, pattern in HEADS[text[at : at + 3]]:
            match = compiled(pattern).match(text, at)
            if match and not is_known(match[0]):
                spans.append((at, match.end(), kind))
                break
    return spans
