// Where a value of a call comes from, in one line.
import { quoted, short } from '#record/quote'
import { valuesMax } from '#knowledge/known/known-value'
import { utc } from '../wording.ts'
import type { ValueFound } from '#schemas/values'

const valueCharactersMax = 200

/** A value that is not known, and where it was found all the same. */
export function unknownText(of: ValueFound): string {
  if (of.found === 'beyond') return `it has more than ${valuesMax} values that must be known`
  return `${valueNamed(of)} ${placeText(of)}`
}

/** A value, and where it was found first. */
export function foundText(of: ValueFound): string {
  return of.found === 'beyond' ? unknownText(of) : `${valueNamed(of)} ${placeText(of)}`
}

// People must see the whole of it: what stands at its end is what matters.
function valueNamed({ arg, kind, value }: ValueFound): string {
  const shown = short(value, valueCharactersMax).replaceAll('`', '’')
  return `the ${kind} \`${shown}\` at ${quoted(arg)}`
}

function placeText(of: ValueFound): string {
  const { principal = '', attribute = '', sender = '', tool, pointer = '', message = '' } = of
  const whose = tool === undefined ? `what ${quoted(sender)} said` : `the result of ${quoted(tool)}`
  const place = `${whose}, ${quoted(pointer)} of ${short(message, valueCharactersMax)}`
  switch (of.found) {
    case 'attribute':
      return `is the attribute ${quoted(attribute)} of ${quoted(principal)}`
    case 'message':
      if (of.by === 'words') return `is about ${place}`
      return `${heldText(of)}stands in ${place}${namedText(of)}`
    case 'named':
      return `stands in ${textNamed(of)}: ${place}`
    case 'confirmed':
      return agreedText(of)
    case 'made':
      return `is in what an earlier call made: ${place}`
    case 'shown':
      return `was shown to the agent, and no more is needed: ${place}`
    case 'person':
      return personText(of, place)
    case 'unasked':
      return `is known, and no one asked for this to be done to it${calledText(of)}`
    case 'absent':
      return 'stands for no value'
    case 'untrusted':
      return `stands only in what is not trusted for it: ${place}`
    case 'unnamed':
      return `stands in ${place}${calledText(of)}: no one has named it`
    case 'repeated':
      return `stands only where a tool repeats what it was given: ${place}`
    default:
      return 'stands in nothing that the agent was given'
  }
}

/** Who agreed to it, when, and for what. */
function agreedText({ review = '', tool = '', agreed }: ValueFound): string {
  const where = `in ${short(review, valueCharactersMax)}`
  if (agreed === undefined) return `was agreed to ${where}`
  const by = agreed.by.map((one) => quoted(one)).join(', ')
  return `was agreed to by ${by} on ${utc(agreed.at)} for ${quoted(tool)}: ${where}`
}

function calledText({ called }: ValueFound): string {
  return called === undefined ? '' : `, as ${quoted(called)}`
}

/** From people's words to whose address it is. */
function personText({ called = '', named = '' }: ValueFound, place: string): string {
  return `is that of ${quoted(called)}, whom ${short(named, valueCharactersMax)} names: ${place}`
}

/** From people's words to the text. */
function textNamed({ source = '', writer, named = '' }: ValueFound): string {
  const text = `${quoted(source)}${writer === undefined ? '' : ` by ${quoted(writer)}`}`
  return `${text}, which ${short(named, valueCharactersMax)} names`
}

/** How people named a thing that a list has. */
function namedText(of: ValueFound): string {
  const { named, by } = of
  if (named === undefined) return ''
  const what = by === 'query' ? 'what was searched for' : 'its name'
  return `${calledText(of)}, and ${what} in ${short(named, valueCharactersMax)}`
}

/** Of what only the folder or the host stands somewhere. */
function heldText({ within, bare }: ValueFound): string {
  if (bare !== undefined) return `is the only ${quoted(bare)}, which `
  return within === undefined ? '' : `is in ${quoted(within)}, which `
}
