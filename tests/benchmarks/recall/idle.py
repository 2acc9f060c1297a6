"""Prompts that no history answers: filler, and talk that has nothing to do with any project."""

from __future__ import annotations

__all__ = ["FILLER", "OFF_TOPIC"]

FILLER = tuple(
    """
ok
yes
no
continue
go on
go ahead
yes please
do it
thanks
thank you, that's it
perfect
great, next
looks good to me
lgtm
sure
try again
again
retry
hm, not quite
wait
stop
undo that
keep going
proceed
sounds good
yes, the second one
the first option
both
fix it
fix the error
still broken
same error
it still fails
now it works
run it again
run the tests
run the tests again
commit
commit and push
show me
show me the diff
explain
why?
why not?
what next?
what's left?
are you sure?
really?
nice work
ok now clean up
please finish
make it shorter
simplify
can you check?
done?
that's wrong
use your judgement
as you like
help
hello
""".strip().splitlines()
)

OFF_TOPIC = tuple(
    """
write a haiku about autumn rain
what is the capital of Mongolia?
translate this sentence into Portuguese
explain the theory of plate tectonics to a child
how do I center a div with flexbox?
write a regular expression for IPv6 addresses
what is the difference between TCP and UDP?
implement quicksort in Haskell
draft an email to my landlord about the heating
compare kubernetes operators, sidecars and service meshes
what does the French word dépaysement mean?
give me three names for a kitten
how long do I boil an egg for a soft yolk?
who painted The Garden of Earthly Delights?
summarise the plot of Hamlet in two sentences
convert 72 degrees Fahrenheit to Celsius
what is a monad, in plain words?
write a bash one-liner that counts words
show an example of the visitor pattern in Kotlin
how does the Krebs cycle work?
suggest a birthday present for my grandmother
what's the time complexity of heapsort?
generate a lorem ipsum paragraph
which wine goes with mushroom risotto?
how do I exit vim?
prove that the square root of two is irrational
what happened in Prague in 1968?
make a table of the planets and their diameters
write a SQL query that finds duplicate emails
what is the plural of octopus?
explain CRDTs with an example of shopping lists
how do I say good morning in Finnish?
recommend a novel by Ursula Le Guin
solve x squared minus five x plus six
which tyre pressure suits a gravel bike?
what does the borrow checker protect against?
describe the rules of curling
how do vaccines train the immune system?
write a limerick about a lazy programmer
what is the difference between affect and effect?
set up a GitHub Action that greets new contributors
how do noise-cancelling headphones work?
what's the best way to learn touch typing?
implement a trie in JavaScript
when was the printing press invented?
design a logo for a bakery, describe it in words
how many bones has a horse?
what is eventual consistency?
write unit conversion from miles to kilometres in Lua
how do I remove red wine stains?
explain the offside rule
what's the etymology of the word salary?
show me how to use async generators in Python
how do I fold a paper crane?
give me a packing list for a week in Iceland
what is the difference between JPEG and PNG?
write a cover letter for an internship
how does public key cryptography work?
is a tomato a fruit?
name five rivers in Africa
""".strip().splitlines()
)
