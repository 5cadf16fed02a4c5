// What people ask an agent to do now, and what they only speak of. A text is read sentence by
// sentence and clause by clause; each clause has one mood. Only what is found to be asked is, so
// in doubt, and in all other languages than English, nothing is.

export type Mood =
  /** The agent is to do it now. */
  | 'asked'
  /** It is stated: what is, what was done, what others do. It may say to what an act is done. */
  | 'stated'
  /** It is a question, or what is written, noted, checked or asked of someone else. */
  | 'about'
  /** It hangs on something, or on a later time. */
  | 'conditional'
  /** It is what is not to be. */
  | 'barred'

export interface Clause {
  readonly text: string
  readonly mood: Mood
  /** The same without what someone is given to say, or asked. */
  readonly said: string
  /** Of what is asked the words from the verb on, without what stands in quotes. */
  readonly act: string
  /** These begin with a thing, and what is to become of it follows: `the review cancelled`. */
  readonly isOfThing: boolean
}

export type Sentence = readonly Clause[]

const words = (all: string): string => all.replaceAll(' ', '|')

// Without nouns that a list could go on with: `a key and access`.
export const imperatives = words(
  'accept add answer append apply archive arrange ask assign attach authorize back bin ' +
    'block book bring buy call cancel change check choose clean clear clone close ' +
    'commit compare complete confirm copy correct cover create decline delete discard ' +
    'do donate download draft drop duplicate edit email empty enroll enter erase ' +
    'execute fetch file fill find finish fix follow fork forward generate get give go ' +
    'grant hand handle have help import include inform initiate install invite join ' +
    'keep leave let list load log look mail make mark mention merge message mirror ' +
    'modify move note notify offer open order organize pass pay perform place post postpone ' +
    'prepare proceed process propose provide publish pull purchase push put read refund ' +
    'register reimburse reject release remind remit remove rename renew repay replace ' +
    'reply report request reschedule reserve reset respond restore return review revoke ' +
    'run save say schedule scrap search see send set settle share shift show sign skip sort ' +
    'split star start stop store strike submit subscribe sum summarise summarize switch sync ' +
    'take t[e]ll thank throw tidy top transfer trash undo unlink unstar unsubscribe update ' +
    'upload use verify visit wait warn wire withdraw write',
)
export const openings = words(
  'please pls kindly just now then also so but and or instead first firstly second finally ' +
    'afterwards next ok okay hi hello hey thanks well yes great too lastly meanwhile today i\\.e',
)
/** Before what a list has at one place: `(2)`, `b)`, `iv)`. */
const marker = '\\(?(?:[ivx]{1,4}|\\d{1,2}|[a-h])\\)(?=\\s)'
/** `When you're done` says when, and sets no condition. */
const whenDone =
  '(?:after|once|when|as soon as) (?:(?:all (?:of )?)?(?:you|that|this|it|everything|all)' +
  "(?:['’](?:re|ve|s)| are| have| is)? )?(?:all )?(?:done|finished|ready)\\b(?! (?:it|with|by)\\b)"
const opening = new RegExp(
  `^\\W*(?:${marker}\\W*)?(?:(?:${openings}|${whenDone}|(?:at|in) the end)\\b\\W*)*`,
  'i',
)
const please = /\b(?:please|pls|kindly)\b/i

/** Whose content follows: what they are given to say is not asked of the agent. */
const speaking = words(
  'ask add answer check compare create draft email explain find forward inform investigate list ' +
    'log look mail mention message note notify post read record remember remind reply report ' +
    'request respond review say schedule search see send show sum summarise summarize t[e]ll ' +
    'thank translate verify warn write',
)
const isSpeaking = new RegExp(`^(?:let \\S.* know|(?:${speaking})(?!\\w))`, 'i')
/** From there on it is what someone is given to say, or asked. */
const content = new RegExp(
  '\\b(?:whether|if|how|why|who|whom|whose|saying|asking|stating|when|where|what)\\b' +
    `|\\bto (?=(?:${imperatives})\\b(?![@.-]\\w))` +
    '|(?<=^(?:check|verify|say|report|mention|note|remember|explain|confirm|find out|see|t[e]ll' +
    '|write|inform|reply|answer|respond|warn|ask|let)\\b.*\\b)that\\b' +
    '|(?<=(?:mail|message|note|line|word|letter|h(?:im|er)|them|me|us|\\)|@\\S+) )that\\b',
  'i',
)
/** Where what follows with `and` belongs to it as well. */
const modals = words('will would shall should can could may might must')
const isOpenEnded = new RegExp(`\\b(?:to|${modals}|let|did|does)\\b|['’](?:ll|d)\\b`, 'i')

const ownAsking = /^(?:I|we)\b|^(?:could|can|would|will) (?:you|u)\b/i

/** So many of what follows are no questions, though they end as such. */
const courteous = 4
const adverbs = '(?:(?:please|kindly|also|now|just|then|really|possibly|maybe|perhaps|only) )*'
const self = "(?:I|we)(?:['’]d| would|['’]m|['’]re| am| are)?"
const asking: readonly RegExp[] = [
  `(?:could|can|would|will) (?:you|u) ${adverbs}(?:mind |be so (?:kind|good)(?: as)? (?:to )?` +
    `|be able to |(?:do|go) (?:me a favou?r|ahead) and )?`,
  `(?:do you )?mind ${adverbs}(?=[a-z]+ing\\b)`,
  `(?:(?:would|is|will) it (?:be )?${adverbs}(?:possible|ok|okay) (?:for you )?to ` +
    `|any chance (?:that )?you (?:could|can) )${adverbs}`,
  `(?:(?:I|we)(?: would|['’]d) (?:be (?:very |really )?(?:grateful|glad|happy|thankful)` +
    `|appreciate it)|it would be (?:great|nice|good|lovely|helpful|kind)|it['’]d be \\w+` +
    `|(?:I|we) wonder|(?:I|we) was wondering) if you (?:could|would|can)? ?${adverbs}`,
  `be so (?:kind|good)(?: as)?(?: to| and)? `,
  `${self} ${adverbs}(?:like|love|prefer) (?:you |for you )?to ${adverbs}`,
  `${self} ${adverbs}(?:want|need|wish|asking|ask|request)(?: for)?(?: you)? to ${adverbs}`,
  `let(?:['’]s| us) ${adverbs}`,
  `(?:don['’]t|do not) forget to ${adverbs}`,
  `(?:make|be) sure (?:that )?(?:you |to )${adverbs}`,
  `(?:go ahead and|proceed to|feel free to|(?:it is |it['’]s )?time to) ${adverbs}`,
  `(?:help|assist) me (?:to |with |in )?${adverbs}`,
  `you (?:can|may|should|must|need to|have to|could) ${adverbs}`,
  `(?:why don['’]t|can['’]t) you ${adverbs}`,
  `(?:use|take|open|visit|go)\\b[^,;:]* (?:to|and) (?=(?:${imperatives})\\b)`,
].map((one) => new RegExp(`^${one}`, 'i'))

/** Not what someone says or wants: `Ann says notes should be deleted`. */
const reporting = words(
  'says? said wants? asks? asked thinks? thought writes? wrote t[o]ld t[e]lls? claims? claimed ' +
    'believes? suggests? suggested insists? hopes? read reports? reported that whether if when',
)
const noun = `(?:(?!(?:${reporting})\\b)[^\\s,;:?]+ ){1,12}?`
/** What is to be done to something, without saying by whom. */
const passives: readonly RegExp[] = [
  `${self} ${adverbs}(?:like|want|need) (?=${noun}(?:to be )?[a-z]+(?:ed|en|id|ut|nt|de)\\b)`,
  `(?!(?:${self}|you|s?h[e]|they|who|someone)\\b)${noun}(?:(?:has|have|needs?|ought) to` +
    '|must|should|can|may) (?=(?:be [a-z]+|go (?:to|into|in))\\b|go\\W*$)',
  `(?!(?:${self}|you|s?h[e]|they|who|someone|it|this|that)\\b)${noun}` +
    '(?=(?:becomes? (?:the |an? )?(?:new )?[a-z]+ (?:of|in|on|at)|gets? (?:into|[a-z]+ed))\\b)',
  `(?!(?:${self}|you|s?h[e]|someone)\\b)${noun}should ` +
    '(?=(?:know|join|attend|get|have|receive|take|be)\\b)',
  `(?!(?:${self}|you)\\b)${noun}needs? (?=[a-z]+ing\\b)`,
].map((one) => new RegExp(`^${one}`, 'i'))

const months = '(?:jan|feb|mar|apr|mai|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const dayOf = '\\d{1,2}(?:st|nd|rd|th)?'
const imperative = new RegExp(
  '^(?:(?:in|on|from|at|under|for|with|using|via) (?:(?:the|my|our|this) )?' +
    `(?:${dayOf} (?:of )?${months}|${months} ${dayOf}|\\S+) )?` +
    `(?=(?:${imperatives})\\b(?! (?:of|is|was|were|are|has|had|will|would)\\b)(?!['’@.:/-]\\w))`,
  'i',
)
const finite = new RegExp(`\\b(?:was|were|is|are|has|had|did|failed|went|${modals})\\b`, 'i')
const persons = words('I we you s?h[e] it they there')
const subordinators = words(
  'unless that which who whose because if whether as since when where what how',
)
const subordinate = new RegExp(`\\b(?:${subordinators}|${persons})\\b`, 'i')

const pronouns = words('this that these those who which someone people h(?:is|er) their')
const subject = new RegExp(`^(?:${persons}|${pronouns})\\b`, 'i')
const verbs = words(
  'is was had has does did are were have wants? asks? asked said says t[o]ld wrote writes ' +
    'thinks? owes? needs? lent gets? got',
)
const statement = new RegExp(`^(?:\\S+ ){1,5}?(?:${modals}|${verbs}|\\S+n['’]t)\\b`, 'i')

/** It hangs on nothing but that it can be done, or that the agent has done what comes first. */
const polite =
  "(?! (?:(?:it|that)(?:[’']s| is) )?(?:possible|needed|necessary|required|ok|okay|fine)\\b" +
  "|(?: that)?(?: is|['’]s)? (?:done|so kind)\\b" +
  '| (?:it|they)(?: still)? exists?\\b' +
  "| (?:it|they)(?:['’]s|['’]re| is| are)(?: still)? there\\b" +
  "| there(?:['’]s| is) one\\b| you (?:find|see) (?:it|them|one)\\b" +
  "| [^,.;]*(?:n['’]t|not) [^,.;]*(?:collaborator|member|invited|added|starred)[^,.;]* " +
  '(?:yet|already)\\b' +
  "| you (?:can|could|may|don[’']t mind|would|please|need|are able|have (?:a|the|time))\\b)"
const done =
  "(?! (?:you(?:['’]re| are|['’]ve| have)? )?(?:that(?: is|[’']s)? )?" +
  '(?:done|finished|ready)\\b)'
/** What is there already need not be done: `unless she is a collaborator already`. */
const thereAlready =
  '(?:is|are|has|have)(?: already)?(?: been)?(?: an?)?(?: already)? ' +
  '(?:collaborators?|members?|invited|added|starred)\\b'
const happens =
  '\\b(?:has|have|is|are|was|were|[a-z]+(?:ed|es)|(?:agree|arrive|confirm|come|answer|say)s?)\\b'
const terms = words(
  'provided in\\scase as\\slong\\sas assuming subject\\sto depending\\son otherwise whenever',
)
const conditions = [
  `\\bif\\b${polite}|\\b(?:${terms})\\b`,
  `\\bunless\\b(?! (?=[^,.;]*\\balready\\b)(?:[^\\s,.;]+ ){1,5}?${thereAlready})`,
  '\\b(?:when|once(?! (?:for|in|a|per|more|again|at|and|every)\\b)|as soon as)\\b' +
    `(?= )${polite}${done}`,
  `\\bafter (?!you\\b|that\\b|this\\b|[a-z]+ing\\b|doing)(?:[^\\s,]+ ){1,8}?${happens}`,
  `\\bwait\\b(?! list)|\\buntil (?:[^\\s,]+ ){1,8}?${happens}`,
  '\\bnext (?:month|year)\\W*$|\\bin (?:a|two|three|\\d+) (?:days?|weeks?|months?|years?)\\W*$',
  '\\b(?:some ?day|eventually|(?<!(?:hours?|days?|half|minutes?|weeks?|hour) )later)\\W*$',
].map((one) => new RegExp(one, 'i'))
/** An hour only says when. */
const notYet = new RegExp(
  '\\bnot (?:before|until|till) (?!\\d|noon|lunch|about|around|half|quarter|one|two|three|four' +
    '|five|six|seven|eight|nine|ten|eleven|twelve)[a-z]',
  'i',
)
const goesOn = /^\W*(?:then|after that|afterwards|in that case|if so|otherwise|else|only then)\b/i
const alone = /^\W*(?:but |and )?(?:only )?(?:if|unless|provided|when|once|after)\b/i

/** Before what is to be left as it is. */
export const awayFrom =
  'hands off(?: of)?|(?:stay|keep|steer)(?:ing)? (?:well )?(?:away|clear) (?:from|of)'

/** What follows in the sentence is what is not to be. */
const against = new RegExp(
  "\\b(?:(?<!why )(?:do(?:n['’]t|es not|esn['’]t| not)|dont)(?! (?:forget|hesitate|mind)\\b)" +
    // `It is not needed any more, remove it` bars nothing; `it is not to be removed` does.
    "|(?<!(?:why|can['’]t|don['’]t) you )(?:not(?! only\\b)" +
    "(?<!(?:\\b(?:is|are|was|were|has|have|had|am)|['’](?:m|re|s|ve)) not(?! to\\b))" +
    '|no(?! longer\\b))' +
    '|never(?! mind\\b)' +
    `|${awayFrom}|neither|nor|without|avoid|instead|except|excluding|ignore|skip|rather|stop)\\b`,
  'i',
)

const inQuotes =
  '(?<![\\p{L}\\p{N}])([\'"])(?:(?!\\1)[^\\n]|\\1(?=[\\p{L}\\p{N}]))*\\1(?![\\p{L}\\p{N}])'
const quoted = new RegExp(`${inQuotes}|[“„”«‘][^\\n”“»’]*[”“»’]`, 'gu')
/** After a full stop that does not stand for letters left out: `Dr. Lee`, `incl. the file`. */
export const sentenceGap =
  '(?<=[.!?;])(?<!\\b(?:dr|mr|mrs|ms|prof|incl|excl|acct|approx|resp|e\\.g|i\\.e)\\.)\\s+'
/** A list goes on at its next marker, but not within brackets. */
const sentenceEnd = new RegExp(`${sentenceGap}|\\n+|\\s+(?=${marker})(?<!\\([^()]*)`, 'gi')
const reasons = words('because since although though while whereas')
const isReason = new RegExp(reasons)
const joins = words('and but or so then')
const joint = new RegExp(
  `[,:]\\s+(?:(?:${joins})\\s+)?|\\s+[-–—]+\\s+` +
    `|\\s+(?:${joins}|${reasons})\\s+(?:then\\s+|also\\s+)?|\\s+(?=(?:please|pls|kindly)\\b)`,
  'gi',
)

/** A month, and no modal verb: `on May 22`, `22 may`, `in May`. */
const month = new RegExp(
  '(?<=[^\\s.!?:;] )May\\b(?! (?:I|we|you|the)\\b)' +
    '|\\b[Mm]ay(?= \\d{1,2}(?:st|nd|rd|th)?\\b)' +
    '|(?<=\\d(?:st|nd|rd|th)? (?:of )?)[Mm]ay\\b',
  'g',
)
/** It asks for no answer: `share it with Ann, would you?` */
const tag = /, (?:(?:would|could|will|can) you(?: please)?|please|ok|okay|thanks?) ?\?$/i

const fillers = words('hm+ oh ah uh um er wait sorry no nope actually well ok okay or but')
const retraction = new RegExp(
  `(?:^\\W*|[,;:]\\s+|\\s[-–—]+\\s+)(?:(?:${fillers})\\b[,.!…\\s]*)*` +
    '(?:(?:scratch|strike|forget) (?:that|it|this)|(?:(?:I|we) )?take (?:that|it|this) back' +
    "|never ?mind|on second thoughts?|(?:I(?:['’]ve| have)? )?changed my mind|leave it(?: be)?" +
    "|(?:better|rather) not|(?:do not|don['’]t)(?: do (?:it|that))?)(?=\\s*(?:[.,;:!?…–—-]|$))",
  'i',
)

/** Where a sentence takes back what was asked before; -1 where it does not. */
export function retractedAt(sentence: string): number {
  const at = sentence.search(retraction)
  return /\b(?:if|unless|otherwise|else)\b/i.test(sentence.slice(0, at + 1)) ? -1 : at
}

const inflected = new RegExp(
  `\\b(?:(?:${imperatives})(?:e?s|e?d|ing)|${verbs}|[a-z]+ed)\\b|n['’]t\\b|${finite.source}`,
  'i',
)
/** It begins with a number, or says of something where it goes: no verb can be unseen. */
const naming = /^(?:[$€£¥]? ?\d|(?:the|a|an|my|our) [^.!?]*\bto\b)/i
const isItem = new RegExp(`^\\W*(?:${marker}|[-*•])\\s`, 'i')

/**
 * Sentences that only name things, in a list of what to do or where nothing else is asked: `(2) 15
 * to Ann (DE89 …)`.
 */
export function itemsNamed(text: string): readonly string[] {
  const sentences = clausesOf(text)
  const isAlone = !sentences.flat().some(({ mood }) => mood !== 'stated')
  return sentences.flatMap((clauses) => {
    const whole = clauses.map((one) => one.text).join(', ')
    const isNaming =
      naming.test(whole.replace(opening, '')) &&
      !inflected.test(whole) &&
      clauses.every((one) => one.mood === 'stated' && !subject.test(one.text.replace(opening, '')))
    return isNaming && (isAlone || isItem.test(whole)) ? [whole] : []
  })
}

/** Each sentence as its clauses. The longest text that is one request is bounded by the caller. */
export function clausesOf(text: string): readonly Sentence[] {
  const masked = text
    .replaceAll(quoted, (one) => `'${'q'.repeat(Math.max(0, one.length - 2))}'`)
    .replaceAll(month, 'Mai')
  const sentences: Piece[][] = []
  for (const [start, end] of cutAt(masked, sentenceEnd)) {
    const before = sentences.at(-1) ?? []
    const whole = masked.slice(start, end)
    const pieces = unlessRetracted(text.slice(start, end), whole, before)
    const hangs = before.some(({ mood }) => mood === 'conditional') && goesOn.test(whole)
    if (hangs) hang(pieces)
    const isAct = pieces.some(({ mood }) => mood === 'asked' || mood === 'conditional')
    if (!isAct && alone.test(whole)) hang(before)
    sentences.push(pieces)
  }
  return sentences.map((pieces) => pieces.map(clauseOf))
}

function clauseOf({ text, mood, act: whole, speaks, isOfThing }: Piece): Clause {
  const act = speaks ? headOf(whole) : whole
  const said = text.slice(0, text.length - whole.length + act.length)
  return { text, mood, act, said, isOfThing }
}

interface Piece {
  text: string
  mood: Mood
  act: string
  isOfThing: boolean
  /** What it has after its verb, as the words of someone else, goes on with `and`. */
  isOpen: boolean
  speaks: boolean
  /** The act whose words of someone else it goes on with. */
  from?: string | undefined
}

function unlessRetracted(text: string, masked: string, before: readonly Piece[]): Piece[] {
  const at = retractedAt(masked)
  if (at === -1) return piecesOf(text, masked)
  const first = piecesOf(text.slice(0, at), masked.slice(0, at))
  for (const piece of first.length === 0 ? before : first) {
    if (piece.mood === 'asked') piece.mood = 'barred'
  }
  return [...first, ...piecesOf(text.slice(at), masked.slice(at))]
}

function hang(pieces: readonly Piece[]): void {
  for (const piece of pieces) if (piece.mood === 'asked') piece.mood = 'conditional'
}

function* cutAt(text: string, at: RegExp): Generator<readonly [number, number, string]> {
  let start = 0
  let by = ''
  for (const found of text.matchAll(at)) {
    if (found.index > start) yield [start, found.index, by]
    start = found.index + found[0].length
    by = found[0]
  }
  if (start < text.length) yield [start, text.length, by]
}

function piecesOf(text: string, masked: string): Piece[] {
  const pieces: Piece[] = []
  const trimmed = masked.trimEnd()
  const isQuestion = trimmed.endsWith('?') && !tag.test(trimmed)
  let hangs = false
  const bar = masked.search(against)
  const meant = bar === -1 ? masked : masked.slice(0, bar)
  for (const [start, end, by] of cutAt(meant, joint)) {
    const whole = masked.slice(start, end)
    const last = pieces.at(-1)
    // It only says when, or opens what comes.
    if (last === undefined && whole.replace(opening, '') === '') continue
    const next = { text: text.slice(start, end), ...moodOf(whole, { last, by, isQuestion }) }
    const condition = conditions.some((one) => one.test(beforeContent(whole, last)))
    const head = pieces.find(({ mood }) => mood === 'asked')
    if (next.mood === 'same' && by.startsWith(':') && last !== undefined && head !== undefined) {
      // `Delete the oldest, I need space: a.txt and b.txt` says which.
      if (last !== head && last.mood === 'stated' && aside.test(last.text)) {
        const act = `${head.act}${by}${whole}`
        pieces.push({ ...head, text: text.slice(start, end), act })
        continue
      }
    }
    if (next.mood === 'same' && last !== undefined && !condition) {
      last.text += text.slice(start - by.length, end)
      if (last.act !== '') last.act += `${by}${whole}`
      if (last.speaks) last.isOpen = opens(contentOf(last.act))
      continue
    }
    const piece: Piece = { ...next, mood: next.mood === 'same' ? 'stated' : next.mood }
    if (condition && !/\b(?:and|but)\b/i.test(by)) hang(pieces)
    hangs ||= condition
    if (hangs && piece.mood === 'asked') piece.mood = 'conditional'
    pieces.push(piece)
  }
  if (notYet.test(masked.slice(bar))) hang(pieces)
  if (bar !== -1) pieces.push({ ...stated, mood: 'barred', text: text.slice(bar) })
  return pieces
}

const learning = 'see|check|know|t[e]ll (?:me|us)|ask|find out|verify|wonder|whether|sure'
const knows = new RegExp(`\\b(?:${learning}) (?:if|when|once)\\b`, 'i')

const aside =
  /^\W*(?:I|we) (?:need|have|want|am|are)\b(?!.*\b(?:these|those|following|keep|them)\b)/i

/** What someone is given to say or asked sets no condition: `check if it is there`. */
function beforeContent(whole: string, last: Piece | undefined): string {
  const rest = whole.replace(opening, '')
  if (knows.test(rest)) return rest.slice(0, rest.search(knows))
  if (last?.speaks === true && /^(?:if|when)\b(?! so\b| not\b)/i.test(rest) && last.isOpen)
    return ''
  return rest
}

type Found = Pick<Piece, 'act' | 'isOfThing' | 'isOpen' | 'speaks' | 'from'> & {
  readonly mood: Mood | 'same'
}

interface Around {
  readonly last: Piece | undefined
  readonly by: string
  readonly isQuestion: boolean
}

const stated = { mood: 'stated', act: '', isOfThing: false, isOpen: false, speaks: false } as const

function moodOf(whole: string, { last, by, isQuestion }: Around): Found {
  const rest = whole.replace(opening, '')
  const isPolite = please.test(`${by}${whole.slice(0, whole.length - rest.length)}`)
  if (rest === '') return stated
  const { act = null, isOfThing = false } = actIn(rest, isPolite || !isQuestion) ?? {}
  const isOwn = act !== null && ownAsking.test(rest)
  if (act === null) {
    if (last === undefined)
      return { ...stated, mood: isQuestion ? 'about' : 'stated', isOpen: opens(rest) }
    if (isReason.test(by)) return { ...stated, isOpen: true }
    if (subject.test(rest) || statement.test(headOf(rest))) {
      const mood = last.speaks && last.isOpen ? 'about' : 'stated'
      return { ...stated, mood, isOpen: opens(rest), from: fromOf(last) }
    }
    return { ...stated, mood: 'same' }
  }
  const speaks = isSpeaking.test(act)
  const isOpen = speaks && opens(contentOf(act))
  const asked = { mood: 'asked', act, isOfThing, isOpen, speaks } as const
  if (isPolite || last === undefined) return asked
  // What is stated of others does not go on with what the person wants.
  if (isOwn && last.mood === 'stated') return asked
  // A list of what someone else is to do, or of what they do, goes on.
  const from = fromOf(last)
  if (isRestart(`${by}${whole}`, last)) return asked
  if (last.isOpen)
    return { ...asked, mood: last.mood === 'asked' ? 'about' : last.mood, isOpen: true, from }
  if (last.speaks && by.startsWith(':')) return { ...asked, mood: 'about', isOpen: true, from }
  if (last.mood === 'about' || last.mood === 'conditional')
    return { ...asked, mood: last.mood, isOpen: last.isOpen, from }
  return asked
}

function fromOf({ mood, act, from }: Piece): string | undefined {
  return mood === 'asked' ? act : from
}

/** After `, and` the agent is asked again, but where something is to be remembered. */
function isRestart(by: string, { act, mood, from, text }: Piece): boolean {
  if (/^(?:remind|note|remember)/i.test(from ?? act)) return false
  // `T[e]ll them yes, it is theirs, and then hand it over`: after what they are given to say.
  if (mood === 'stated' || mood === 'about') {
    const isStatement = act === '' && !isOpenEnded.test(text)
    return from !== undefined && isStatement && /^,\s+(?:and\s+)?then\b/.test(by)
  }
  return mood === 'asked' && /^,\s+(?:and|then|but|so)\b/.test(by)
}

function opens(rest: string): boolean {
  return isOpenEnded.test(rest) || /^(?:I|we|you|they|people)\b/i.test(rest)
}

function contentOf(act: string): string {
  const at = act.search(content)
  return at === -1 ? '' : act.slice(at)
}

function headOf(act: string): string {
  const at = act.search(content)
  return at === -1 ? act : act.slice(0, at)
}

/** The words from the verb on, where they ask the agent. */
function actIn(rest: string, mayState: boolean): Pick<Piece, 'act' | 'isOfThing'> | null {
  for (const [index, one] of asking.entries()) {
    const found = one.exec(rest)
    // `I want to …?` and `You should …?` are questions.
    const asks = mayState || index < courteous || index === asking.length - 2
    if (found !== null && asks) return { act: rest.slice(found[0].length), isOfThing: false }
  }
  if (!mayState) return null
  const found = imperative.exec(rest)
  const act = found === null ? '' : rest.slice(found[0].length)
  // What stands in brackets is an aside: `log in (my details are in notes.txt)`.
  const bare = act.replaceAll(/\([^()]*\)/g, ' ')
  const [at, until] = [bare.search(finite), bare.search(subordinate)]
  if (act !== '' && (at === -1 || (until !== -1 && until < at))) return { act, isOfThing: false }
  for (const [index, one] of passives.entries()) {
    const passive = one.exec(rest)
    if (passive !== null) return { act: rest.slice(passive[0].length), isOfThing: index === 0 }
  }
  return null
}
