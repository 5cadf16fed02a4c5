// What others wrote, in pieces, so that nothing in it hides: characters that no one sees stand as
// marks with their number, and words that mix alphabets are pointed out. A page draws each piece as
// text alone, never as markup.
import { mixesAlphabets, visible } from '#record/quote'

export interface TextPiece {
  /** `hidden`: a character that would not be seen. `mixed`: a word of several alphabets. */
  readonly kind: 'plain' | 'hidden' | 'mixed'
  readonly text: string
}

export interface HostileText {
  readonly pieces: readonly TextPiece[]
  /** How many characters there are, and how many of them the pieces have. */
  readonly characters: number
  readonly drawn: number
}

// Line breaks and tabs are what they look like; of all else that is not seen each is marked.
// Fillers and the braille blank are letters to Unicode, and empty to the eye.
const hidden = [
  String.raw`[^\P{Cc}\n\t]`,
  String.raw`[\p{Cf}\p{Cs}\u2028\u2029\u115F\u1160\u3164\uFFA0\u2800\uFE00-\uFE0F]`,
].join('|')
const words = String.raw`(?:(?!${hidden})[\p{L}\p{M}\p{N}])+`
const piecesOf = new RegExp(`(?<hidden>${hidden})|(?<word>${words})`, 'gu')

/** The text up to that many characters, in pieces. */
export function hostileText(text: string, charactersMax: number): HostileText {
  const cut = cutAt(text, charactersMax)
  const pieces: TextPiece[] = []
  let plain = ''
  const add = (kind: TextPiece['kind'], piece: string): void => {
    if (plain !== '') pieces.push({ kind: 'plain', text: plain })
    plain = ''
    pieces.push({ kind, text: piece })
  }
  let end = 0
  for (const { 0: found, index, groups } of cut.matchAll(piecesOf)) {
    plain += cut.slice(end, index)
    end = index + found.length
    if (groups?.['hidden'] !== undefined) add('hidden', markOf(found))
    else if (mixesAlphabets(found)) add('mixed', found)
    else plain += found
  }
  plain += cut.slice(end)
  if (plain !== '') pieces.push({ kind: 'plain', text: plain })
  return { pieces, characters: text.length, drawn: cut.length }
}

// A pair of surrogates is never halved.
function cutAt(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? max - 1 : max)
}

function markOf(character: string): string {
  const shown = visible(character)
  return shown === character ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : shown
}

export interface SentencePiece {
  /** `named`: a name, without its backticks. `moment`: in ISO 8601. */
  readonly kind: 'plain' | 'named' | 'moment'
  readonly text: string
}

const day = String.raw`(?<date>\d{4}-\d\d-\d\d)`
const hour = String.raw`(?<time>\d\d:\d\d:\d\d(?:\.\d{1,3})?)`
const apart = new RegExp(`\`(?<name>[^\`\n]{1,200})\`|${day}[ T]${hour}(?: UTC|Z)`, 'g')

/** A sentence of ours in pieces, in which names and moments stand apart. */
export function sentencePieces(text: string): readonly SentencePiece[] {
  const pieces: SentencePiece[] = []
  let end = 0
  const plain = (until: number): void => {
    if (until > end) pieces.push({ kind: 'plain', text: text.slice(end, until) })
  }
  for (const { 0: found, index, groups } of text.matchAll(apart)) {
    const { name, date = '', time = '' } = groups ?? {}
    const iso = `${date}T${time}Z`
    if (name === undefined && Number.isNaN(Date.parse(iso))) continue
    plain(index)
    pieces.push(name === undefined ? { kind: 'moment', text: iso } : { kind: 'named', text: name })
    end = index + found.length
  }
  plain(text.length)
  return pieces
}
