"""What the made-up projects talk about: their names and parts, and the words that their identifiers are made of."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ABSENT", "HEADS", "PROJECTS", "TAILS", "Project"]


@dataclass(frozen=True)
class Project:
    """A project: how many of 1,500 sessions are its own, how it spells names, how it is tested, what it consists of."""

    name: str
    sessions: int
    style: str
    suffix: str
    test: str
    parts: tuple[str, ...]


def _project(line: str) -> Project:
    name, sessions, style, suffix, test, parts = (word.strip() for word in line.split("|"))
    return Project(name, int(sessions), style, suffix, test, tuple(part.strip() for part in parts.split(",")))


#: Uneven on purpose: one has a fifth of all sessions, the smallest five each. 1,500 in all.
PROJECTS = tuple(
    map(
        _project,
        """
checkout-api | 300 | snake | .py | pytest -q | cart, payment gateway, order service, coupon engine, tax rules, invoice mailer, webhook sender
trip-planner | 220 | camel | .ts | npm test | route search, map view, booking form, price calendar, seat picker, trip summary, push notifications
ledger-core | 170 | snake | .go | go test ./... | posting engine, balance snapshots, journal reader, statement export, currency table, reconciliation job
fleet-console | 130 | camel | .tsx | pnpm vitest run | vehicle list, live map, driver chat, alert rules, geofence editor, shift planner
ingest-pipeline | 110 | snake | .rs | cargo test | file watcher, parser, dedup stage, batch writer, schema registry, dead letter queue
clinic-portal | 95 | pascal | .cs | dotnet test | appointment calendar, patient record, referral letters, consent forms, audit log
media-encoder | 80 | snake | .cpp | ctest --preset dev | demuxer, frame scheduler, audio mixer, subtitle burner, job runner
auth-gateway | 70 | camel | .java | ./gradlew test | token issuer, session store, login page, device registry, rate limiter
search-indexer | 60 | snake | .py | pytest -q | crawler, tokenizer, segment merger, query planner, snippet builder
home-hub | 50 | snake | .c | make check | radio driver, sensor poller, scene engine, firmware updater
newsletter | 45 | snake | .rb | bundle exec rspec | template editor, bounce handler, segment builder, send queue
warehouse-robots | 40 | snake | .py | pytest -q | path planner, charging dock, pick list, collision monitor
docs-site | 35 | camel | .js | npm test | sidebar, search box, link checker, version switcher
quiz-app | 30 | camel | .kt | ./gradlew test | question bank, score board, timer, sync adapter
terraform-infra | 20 | snake | .tf | terraform validate | network module, database module, dns zone, backup policy
photo-backup | 15 | snake | .py | pytest -q | uploader, thumbnailer, duplicate finder
tax-forms | 10 | pascal | .cs | dotnet test | form filler, validation rules, pdf export
chess-engine | 8 | snake | .rs | cargo test | move generator, opening book, evaluation
weather-cli | 7 | snake | .go | go test ./... | forecast client, unit formatter, location cache
dotfiles | 5 | snake | .sh | shellcheck *.sh | shell prompt, backup script, key bindings
""".strip().splitlines(),  # noqa: E501
    )
)

#: What makes a name one's own in a project. Other projects use the same words: people do.
HEADS = tuple(
    """
orchid kestrel walnut lantern harpoon velvet meadow glacier compass anchor bramble cobalt dahlia ember falcon granite
hazel indigo juniper kelp lilac magnet nectar obsidian pebble quartz raven saffron thistle umber violet willow yarrow
zephyr acorn badger cactus drizzle eclipse fjord gazelle heron iguana jasmine koala lynx mango nutmeg otter panther
quail rhubarb salmon tundra urchin vulture walrus yak zebra almond beacon canyon delta estuary fern gorge hamlet inlet
jungle knoll lagoon marsh notch oasis prairie quarry ridge savanna terrace upland valley wharf atoll bayou cavern dune
escarp fen grotto heath isthmus jetty karst levee mesa nook outcrop plateau quagmire ravine shoal taiga undertow vale
wold zenith alder birch cedar dogwood elder fir ginkgo hemlock ivy jacaranda kapok larch maple neem oak poplar redwood
spruce teak vetch wisteria yew aspen balsam cypress durian elm fig guava hickory hawthorn kumquat laurel mulberry
nectarine olive papaya quince rowan sumac tamarind apricot bergamot cherry date elderberry feijoa grape honeydew lemon
medlar orange peach raisin satsuma tangerine ugli wasabi basil chive dill endive fennel garlic horseradish iris
jicama kale leek mint nettle okra parsley radish sorrel turnip watercress yam artichoke beet carrot daikon eggplant
flax gourd hops lentil millet oat pea rye sesame tomato vanilla wheat barley cumin clove mace anise ginger pepper
sage thyme borage catnip lovage marjoram oregano rosemary tarragon verbena adder bison cobra dingo egret ferret
gopher hyena ibis jackal kiwi lemur mole newt ocelot pelican quokka rook stoat tapir viper weasel alpaca beaver
caribou dolphin elk finch gibbon hornet impala jaguar krill lobster marmot narwhal osprey puffin raccoon seal toucan
urial vole wombat axolotl bobcat condor donkey ermine flamingo grouse hamster ibex jellyfish kingfisher llama moose
nightjar oriole parrot rabbit squid tortoise wren anvil bellows chisel dowel easel flask gimlet hammer inkwell jigsaw
kettle ladle mallet needle oven pliers quiver rasp sickle tongs vise whisk awl bucket crucible drill funnel goblet
hinge jar kiln locket mortar nozzle pestle ratchet sextant trowel urn wedge abacus bobbin candle dial envelope flute
gong harp jug kazoo lute mandolin oboe piccolo rattle sitar tuba ukulele viola whistle bassoon cello drum fiddle
""".split()
)

#: Heads of names that nobody ever said.
ABSENT = tuple(
    """
cassowary dirigible eiderdown farthing galoshes haversack isinglass jodhpur kedgeree limousine marzipan nasturtium
ottoman palanquin quadrille ricochet sarsaparilla tambourine vermicelli windlass xylophone yodel ziggurat bandolier
chrysalis doubloon epaulette filigree gargoyle hullabaloo
""".split()
)

#: What such names end in: the same few words everywhere.
TAILS = tuple(
    """
window,limit,ttl,budget,retry_delay,batch_size,threshold,timeout,cache_size,poll_interval,max_workers,grace_period,
page_size,backoff,queue_depth,flush_interval,quota,chunk_size,cutoff,pool_size,lease_time,sample_rate,retention,
buffer_size,refresh_rate,warmup
""".replace("\n", "")
    .rstrip(",")
    .split(",")
)
