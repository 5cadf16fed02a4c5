// Signs what a person makes of a proposal, and prints what comes of it. Nothing is agreed to before
// the person has seen what would be bound and which verdicts it would turn.
import { Fault } from '#record/fault'
import { candidateProblem, isMissing, operationsOfCandidate } from '#messages/learning/candidate'
import type { OpenProposal } from '#messages/learning/learning'
import { keyOf } from '#messages/learning/template'
import { wantedText } from '#present/proposal'
import { rulerOf } from '#messages/learning/ruler'
import { rulerRefusalText } from '#present/ruler-text'
import { problemText } from '#present/candidate'
import { findSigner, type Signer } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import { answeredFirst, answerTo } from '#runtime/learning/answered'
import { rule } from '#runtime/learning/rule'
import type { TodayReport } from '#replay/what-if/today'
import type { Candidate, RulingWord } from '#schemas/learning'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { openQuestions, type Questions } from '#cli/terminal/questions'
import { print, printJson } from '#cli/terminal/terminal'
import type { Line } from '#cli/terminal/line'
import { askOne } from '#cli/terminal/asked/run'
import { noProposal, pickProposal } from '#operations/proposals/named'
import { askedLines, bindingLines, candidateBlock } from '#operations/proposals/proposal-lines'
import { shortProposal } from '#operations/proposals/proposals'
import { releaseLines } from '#operations/proposals/release-lines'
import type { OperationAnswer } from '#schemas/operations/table'
import { clientStages, withRuntime } from '#cli/terminal/opening/opened'
import { agreed, signerChoice, unseen } from '#cli/terminal/signing'
import { readCandidate, candidateFrom, type Filling } from './filling.ts'
import { indentedLetting, lettingBy, previewOf } from '../preview.ts'
import { refuseBroken } from '#cli/rules/test/nevers'
import { previewLines, type PreviewOptions } from '../show.ts'
import { waitingIn, type Waiting } from '#runtime/learning/held'
import { configuration } from '#wiring/config'
import { hintsFor } from '#cli/terminal/hint'
import { cameOfLines, followedJson, type FollowedIntent } from './print.ts'
import { readEvent } from '#record/event'
import type { Fact } from '#ports/log'
import { connect } from '#client/connect'
import { capabilityNamed } from '#operations/capability-named'
import { settled } from '#cli/agents/ask/settled'
import { until } from './until.ts'

export interface RuleOptions
  extends GlobalOptions, SignerOptions, Partial<PreviewOptions>, Filling {
  readonly note?: string
}

interface Ruling {
  readonly runtime: Runtime
  readonly proposal: OpenProposal
  /** Held intents, as they were when it was read. */
  readonly waiting: readonly WaitedFor[]
  /** As it is shown: what waits for it is signed as seen. */
  readonly asked: OperationAnswer<'proposal'>
  readonly signer: Signer
  readonly word: RulingWord
  readonly options: RuleOptions
  /** Opened when something is asked, or said to a person while programs read the answer. */
  readonly asking: () => Questions
  readonly endAsking: () => void
}

/** Rules on each of them in the same way, one after the other. */
export async function ruleProposals(
  meant: readonly string[],
  word: RulingWord,
  options: RuleOptions,
): Promise<number> {
  const stages = await clientStages(options)
  return withRuntime(options, { stages }, async (runtime) => {
    // Nothing is signed before all of them are found, and may be ruled on.
    for (const one of meant) await signerFor(runtime, await openNamed(runtime, one), options)
    let worst: number = exitCodes.yes
    for (const one of meant) {
      const proposal = await openNamed(runtime, one)
      worst = Math.max(worst, await ruleOne(runtime, proposal, { word, options }))
    }
    return worst
  })
}

async function ruleOne(
  runtime: Runtime,
  proposal: OpenProposal,
  { word, options }: Pick<Ruling, 'word' | 'options'>,
): Promise<number> {
  const signer = await signerFor(runtime, proposal, options)
  const { answer: asked } = await askOne(
    'proposal',
    { proposal: proposal.id },
    { runtime, cell: null },
  )
  const { intents } = runtime.follower.state
  const waiting = asked.proposal.waiting.map(({ intent }) => {
    return { intent, attempt: intents.get(intent)?.attempt ?? 0 }
  })
  const { asking, close } = questionsWhenAsked()
  try {
    return await ruled({
      runtime,
      proposal,
      waiting,
      asked,
      signer,
      word,
      options,
      asking,
      endAsking: close,
    })
  } finally {
    close()
  }
}

/** Anyone who asks nothing leaves standard input alone. */
function questionsWhenAsked(): { readonly asking: () => Questions; readonly close: () => void } {
  let opened: Questions | null = null
  const { stdin: input, stderr: output } = process
  return {
    asking: () => (opened ??= openQuestions({ input, output })),
    close: () => opened?.close(),
  }
}

async function ruled(ruling: Ruling): Promise<number> {
  const { word, options, signer } = ruling
  const isTurnedDown = word === 'skipped' || word === 'rejected'
  const candidate = isTurnedDown ? null : await candidateFor(ruling)
  const preview = await previewed(ruling, candidate)
  const letting = await lettingBy(ruling.runtime, candidate)
  refuseBroken(letting?.notKept ?? [])
  const shown =
    candidate === null
      ? null
      : [...bindingOf(ruling, candidate, preview), ...indentedLetting(letting)]
  if (shown !== null && options.json !== true) await print(shown)
  // Steps and signature are not to read from the same terminal at once.
  ruling.endAsking()
  const lines = shown === null ? turningDown(ruling) : unseen(options, shown)
  if (await agreed(options, { lines, as: signer.id })) {
    return bindAndReport(ruling, candidate, preview)
  }
  if (options.json === true) await printJson({ proposal: ruling.proposal.id, ruling: null })
  else await print(['nothing was bound'])
  return exitCodes.denied
}

/** Anyone who is not first learns who was. */
async function openNamed({ log, follower, place }: Runtime, meant: string): Promise<OpenProposal> {
  const { state } = follower
  const { open, history } = state.learning
  const proposal = open.get(pickProposal(meant, place, open.keys()) ?? '')
  if (proposal !== undefined && proposal.agreed === null) return proposal
  const ended = [...history.values()].map((asked) => asked.id)
  const id = proposal?.id ?? pickProposal(meant, place, ended)
  const first = id === null ? null : await answerTo(log, state, id)
  throw id === null || first === null
    ? noProposal(meant)
    : answeredFirst(id, first, 'nothing is bound')
}

/** Checked before anyone answers for nothing. */
async function signerFor(
  { folder, follower }: Runtime,
  proposal: OpenProposal,
  options: SignerOptions,
): Promise<Signer> {
  const { catalog } = follower.state
  const signer = await findSigner(signerChoice({ folder, follower }, options))
  const ruler = rulerOf(catalog, signer.id, proposal.met)
  if ('refused' in ruler) {
    const refusal = rulerRefusalText(ruler.refused)
    throw new Fault('ruling_void', `nothing is bound: ${refusal}`)
  }
  if (catalog.principals.get(signer.id)?.keys.includes(signer.publicKey) === true) return signer
  const why = `the catalog does not bind this key to \`${signer.id}\`: give another --key`
  throw new Fault('ruling_void', `nothing is bound: ${why}`)
}

async function candidateFor(ruling: Ruling): Promise<Candidate> {
  const { runtime, proposal, asked, word, options, asking } = ruling
  const { state } = runtime.follower
  const { data } = proposal
  if (!isMissing(state.graph, data)) {
    const why = 'what was missing is known by now, so nothing has to be added'
    throw new Fault('gap_closed', `nothing is bound: ${why}`)
  }
  const short = shortProposal(proposal.id)
  const proposed = asked.proposal.suggestions.at(-1)?.candidate ?? null
  if (word === 'accepted') {
    const instead = `write it yourself: warrant proposals teach ${short}`
    if (proposed === null) {
      throw new Fault('no_candidate', `no model proposes anything to accept: ${instead}`)
    }
    const problem = candidateProblem(state.graph, data, proposed)
    if (problem === null) return proposed
    const why = `${problem.code}: ${problemText(problem)}`
    throw new Fault('candidate_unsound', `nothing is bound: ${why}; ${instead}`)
  }
  if (options.candidate !== undefined) return readCandidate(state.graph, data, options)
  await show(ruling, askedLines(asked))
  const graph = (): typeof state.graph => state.graph
  return candidateFrom({ graph, wanted: data, proposed, given: options, asking })
}

function previewed(
  { runtime, options, asked: { proposal } }: Ruling,
  candidate: Candidate | null,
): Promise<TodayReport | null> {
  return previewOf(runtime, { candidate, last: options.last ?? 0, ...proposal })
}

function bindingOf(
  ruling: Ruling,
  candidate: Candidate,
  preview: TodayReport | null,
): readonly Line[] {
  const { runtime, word, asked } = ruling
  const operations = operationsOfCandidate(runtime.follower.state.graph, candidate, null)
  return [
    ...(word === 'accepted' ? askedLines(asked) : candidateBlock(candidate)),
    ...bindingLines(operations),
    ...releaseLines(asked.proposal.releases),
    ...previewLines(preview),
  ]
}

function turningDown({ proposal, word }: Ruling): readonly Line[] {
  return [`${wantedText(proposal.data.template)}: ${word}`]
}

/** To a person; where programs read the answer, aside, and only if someone is asked. */
async function show({ options, asking }: Ruling, lines: readonly Line[]): Promise<void> {
  if (options.json !== true) await print(lines)
  else if (options.yes !== true) {
    asking().say(lines.map((line) => (typeof line === 'string' ? line : line.text)))
  }
}

async function bindAndReport(
  ruling: Ruling,
  candidate: Candidate | null,
  preview: TodayReport | null,
): Promise<number> {
  const { runtime, proposal, waiting, asked, signer, word, options } = ruling
  const { releases, suggestions } = asked.proposal
  const { note } = options
  const agrees = word === 'accepted' || word === 'modified'
  // What no one was shown is not signed as seen: programs that answer without asking see nothing.
  const isSeen = agrees && (options.json !== true || options.yes !== true)
  // What was shown is taken, though a model may have said more since.
  const suggestion = suggestions.at(-1)
  const followed = await boundAndFollowed(runtime, {
    proposal: proposal.id,
    ruling: word,
    waiting,
    bind: () =>
      rule(runtime, {
        proposal: proposal.id,
        ruling: word,
        confirmer: signer.id,
        privateKey: signer.privateKey,
        digest: proposal.data.digest,
        releases: isSeen ? releases.map(({ intent, digest }) => ({ intent, digest })) : [],
        ...(word === 'modified' && candidate !== null && { candidate }),
        ...(word === 'accepted' && suggestion !== undefined && { suggestion: suggestion.name }),
        ...(note !== undefined && { note }),
      }),
  })
  await reportRuled(ruling, followed, preview)
  return agrees && followed.revision === null ? exitCodes.noVerdict : exitCodes.yes
}

// What came of a ruling, for a person or a program: what is known now, what became of the intents
// that waited, and what is asked next for them.

interface Ruled {
  readonly runtime: Runtime
  readonly proposal: OpenProposal
  readonly signer: { readonly id: string }
  readonly word: RulingWord
  readonly options: GlobalOptions
}

/** Prints what was ruled, and what follows. */
async function reportRuled(
  { runtime, proposal, signer, word, options }: Ruled,
  { fact, revision, waits, intents }: Followed,
  preview: TodayReport | null,
): Promise<void> {
  const next = await nextOf(
    runtime,
    intents.map((each) => each.settled.intent),
  )
  const { id } = proposal
  const by = signer.id
  if (options.json === true) {
    const shown = intents.map(followedJson)
    const { name } = fact
    await printJson({
      proposal: id,
      ruling: word,
      name,
      by,
      revision,
      intents: shown,
      next,
      preview,
    })
    return
  }
  const hints = hintsFor(options, configuration())
  await print(cameOfLines({ ruling: word, by, revision, waits, intents, next }, hints))
}

/** What else is asked for the same intents. */
async function nextOf(
  runtime: Runtime,
  intents: readonly string[],
): Promise<readonly { readonly id: string; readonly wanted: string }[]> {
  const { state } = runtime.follower
  const waiting = await waitingIn(runtime, runtime.clock.now())
  return [...state.learning.open.values()].flatMap(({ id, data: { template } }) => {
    const who = waiting.get(keyOf(template)) ?? []
    const isTheirs = who.some(({ intent }) => intents.includes(intent))
    return isTheirs ? [{ id, wanted: wantedText(template) }] : []
  })
}

// Binds a ruling and waits for what comes of it: the revision that the graph takes it in, and what
// becomes of the intents that waited. Nothing that comes later than that is waited for.

type WaitedFor = Pick<Waiting, 'intent' | 'attempt'>

interface Followed {
  readonly fact: Fact
  /** Null where nothing was agreed to, or the graph did not take it in time. */
  readonly revision: number | null
  /** Whether it still waits to be put into the graph. */
  readonly waits: boolean
  readonly intents: readonly FollowedIntent[]
}

const waitMs = 10_000
const intentsMax = 100

async function boundAndFollowed(
  runtime: Runtime,
  given: {
    readonly proposal: string
    readonly ruling: RulingWord
    readonly waiting: readonly WaitedFor[]
    readonly bind: () => Promise<Fact>
  },
): Promise<Followed> {
  const { follower } = runtime
  const { proposal, ruling } = given
  const waiting = given.waiting.slice(0, intentsMax)
  const tools = await toolsOf(runtime, waiting)
  const revisions = new Map<string, number>()
  const stop = follower.listen((fact, { parts, void: why }) => {
    if (parts?.kind !== 'graph' || why !== null) return
    const reading = readEvent('graph', fact)
    if (!reading.ok || reading.event.data.ruling === undefined) return
    revisions.set(reading.event.data.ruling, reading.event.data.revision)
  })
  try {
    const fact = await given.bind()
    const isAgreement = ruling === 'accepted' || ruling === 'modified'
    await until(runtime, waitMs, () => {
      if (isAgreement && follower.state.learning.open.has(proposal)) return false
      return waiting.every((one) => hasMoved(runtime, one))
    })
    const intents: FollowedIntent[] = []
    const client = await connect({ runtime })
    for (const { intent } of waiting) {
      const now = await settled(client.verdict(intent, 0))
      intents.push({ tool: tools.get(intent) ?? '', settled: now })
    }
    const waits = follower.state.learning.open.has(proposal)
    return { fact, revision: revisions.get(fact.name) ?? null, waits, intents }
  } finally {
    stop()
  }
}

// With its verdict, its opening message is forgotten.
async function toolsOf(
  runtime: Runtime,
  waiting: readonly WaitedFor[],
): Promise<ReadonlyMap<string, string>> {
  const tools = new Map<string, string>()
  for (const { intent } of waiting) {
    const { log, follower } = runtime
    const open = follower.state.intents.get(intent)
    if (open === undefined) continue
    tools.set(intent, await capabilityNamed({ log, state: follower.state }, open))
  }
  return tools
}

/** It has a verdict, people are asked, or it waits again, for something else. */
function hasMoved({ follower }: Runtime, { intent, attempt }: WaitedFor): boolean {
  const open = follower.state.intents.get(intent)
  if (open === undefined || open.review !== null) return true
  return open.hold !== null && open.hold.attempt > attempt
}
