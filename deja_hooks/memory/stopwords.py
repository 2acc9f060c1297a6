"""Words that say nothing about what a text is about.

`STOP_WORDS` are neither indexed nor asked for. `TRADE_WORDS` are indexed (a search may want them), but they
identify nothing in a prompt: nearly every session of a programmer has them. `TALK_WORDS` are those of asking, of
remembering and of passing remarks, whatever the matter. The lists were written for this project from the function
words of English and the everyday words of coding chats.
"""

__all__ = ["STOP_WORDS", "TALK_WORDS", "TRADE_STEMS", "TRADE_WORDS"]

STOP_WORDS = frozenset(
    """
a about above after again against ain all also am an and any are aren arent as at be because been before
being below between both but by can cannot cant could couldn couldnt d did didn didnt do does doesn doesnt
doing don dont down during each else ever every few for from further get gets getting got had hadn hadnt has
hasn hasnt have haven havent having he hed hell her here heres hers herself him himself his how hows i id if
ill im in into is isn isnt it its itself ive just let lets ll ma may maybe me might more most much must
mustn my myself need no nor not now o of off oh ok okay on once only or other our ours ourselves out over
own please re s same shall shan she shed shes should shouldn shouldnt so some still such t than thank thanks that
thatll thats the their theirs them themselves then there theres these they theyd theyll theyre theyve this
those though through to too under until up us ve very was wasn wasnt we wed well were weren werent weve what
whats when whens where wheres whether which while who whos whom why whys will with won wont would wouldn
wouldnt y yes yet you youd youll your youre yours yourself yourselves youve
""".split()
)

TRADE_WORDS = frozenset(
    """
add added app application apply argument array bug build call change changed check class clean code command
commit config create data debug delete dependency dir directory doc document edit env error example exception
expected explain fail failed failing failure feature file find fine first fix fixed folder follow function go good
handle help implement import improve input install instead issue key last like line list load log look
make method missing module move name new next number object open option output package parameter pass path
possible problem project prompt question read refactor remove rename repo repository request response result return
review run running same save script second see set show simple solution source start state step stop string
summarize support sure task tell test tests thing third time tool try type understand update use used user
using value variable version want way word work working write wrong
""".split()
)

TALK_WORDS = frozenset(
    """
actually ago agree agreed already always answer anybody anyone anything anyway around asked asking away back bad begin
believe best better big bit came certain choose chose chosen clear come complete completely configure configured
correct current currently day decide decided decision different discuss discussed done easy end ended enough everybody
everyone everything exactly finally finish finished full gave general give given glad goes gone great guess happen
happened hear heard hope idea keep kept kind knew know known knows late later latest learn least leave
left less little long longer lot made main make mean meant mention mentioned mind moment morning never nice nobody none
nothing notice noticed often old ones opinion part people perfect place point prefer present pretty previous previously
proceed put quick quickly rather ready real really reason recall recent recently regarding related remember remind
respect rest said sake saw say seem seen sense settle settled short shorter simple simply small somebody someone
something sometimes somewhere soon sort sounds speak spoke stay still story stuff suppose take taken talk talked tell
think thinking thought today together told tomorrow topic touch trouble trying usual usually week went whole wonder
wondering words worse worth yesterday
""".split()
)

#: `terms.stem` of each of them, written down: making them costs a hook half a millisecond.
TRADE_STEMS = frozenset(
    """
ad add app appli applic argument arrai bug build call chang check class clean code command commit config creat data
debug delet dependenci dir directori doc document edit env error exampl exception expect explain fail failur featur
file find fine first fix folder follow function go good handl help implement import improv input install instead
issu key last like line list load log look make method miss modul move name new next number object open option
output packag parameter pass path possibl problem project prompt question read refactor remov renam repo repositori
request respons result return review run same save script second see set show simpl solution sourc start stat step
stop string summariz support sure task tell test thing third time tool try type understand updat use used user using
valu variabl version want way word work writ wrong
""".split()
)
