// Contracts and claims on the log of a console, and what a verifier would bind of them: no stage
// runs here, so that a test says what was found.
import { newestRules } from '#rules/catalog/rules-version'
import { nameOf } from '#record/names'
import { verificationDraft, type Looked } from '#state/slices/work/drafts'
import { bind, place, say, type Scene, type SceneSetup } from '../../support/scene.ts'

/** An issuer of contracts, and standing that one bad task is enough to lose. */
export const workCatalog = {
  rules: newestRules,
  principals: [
    { id: 'grader' },
    { id: 'audra', via: ['audit'] },
    { id: 'ledger-bot', owner: 'piet' },
  ],
  work: {
    issuers: ['grader'],
    workspaces: [{ id: 'site', folder: '/srv/site' }],
    probation: 0,
    alpha: 0.6,
  },
} satisfies SceneSetup['catalog']

/** The address of a contract for `bot`. */
export async function given(
  on: Scene,
  contract: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const stated = { taskId: 'T-1', objective: 'write the page', workspace: 'site', ...contract }
  const payload = { contract: stated }
  return say(on.log, {
    as: 'grader',
    message: { type: 'query', receiver: 'bot', content: 'please', payload },
  })
}

const success = { status: 'success', work: { digest: `sha256:${'0'.repeat(64)}` } }

export async function claimed(
  on: Scene,
  contract: string,
  completion: Readonly<Record<string, unknown>> = success,
): Promise<void> {
  const refs = nameOf(place, 'vlp', contract)
  const message = { type: 'claim', content: 'done', refers_to: refs, payload: { completion } }
  await say(on.log, { as: 'bot', message })
}

type Gates = Looked['found']['gates']

export const passes: Gates = [
  { gate: 'files', outcome: 'pass', findings: [], warnings: [], evidence: { files: 1 } },
]

const hostileTail = 'boom <b>x</b> \u202Edesrever'

export const fails: Gates = [
  ...passes,
  {
    gate: 'tests',
    outcome: 'fail',
    code: 'exit_code',
    findings: [{ code: 'not_printed', about: '<i>ok</i>' }],
    warnings: [],
    evidence: {
      command: ['python3', '-m', 'pytest'],
      exit: 1,
      stdout: { bytes: 26, digest: `sha256:${'1'.repeat(64)}`, tail: hostileTail },
    },
  },
]

/** Looks at what is claimed, as a verifier that found just that; returns the name of its fact. */
export async function lookedAt(on: Scene, contract: string, gates: Gates): Promise<string> {
  await folded(on)
  const { state } = on.runtime.follower
  const found = {
    work: { digest: `sha256:${'2'.repeat(64)}`, files: 1, bytes: 17, leftOut: [] },
    isolation: { kind: 'namespaces' as const, held: ['user' as const, 'network' as const] },
    gates,
  }
  const completion = { status: 'success' as const, filesCreated: [] }
  const looked = { completion, sources: [], found }
  const draft = verificationDraft(state, contract, { looked, now: on.time.now })
  if (draft === null) throw new Error('nothing is claimed')
  await bind(on.log, 'verification', draft.name, draft.data)
  await folded(on)
  return draft.name
}

/** A contract that ends with what was found of its only claim. */
export async function settled(on: Scene, gates: Gates, taskId = 'T-1'): Promise<string> {
  const contract = await given(on, { taskId, maxRetries: 1 })
  await folded(on)
  await claimed(on, contract)
  await lookedAt(on, contract, gates)
  return contract
}

export async function folded({ log, runtime }: Pick<Scene, 'log' | 'runtime'>): Promise<void> {
  const { position } = await log.head()
  await runtime.follower.reached(position)
}
