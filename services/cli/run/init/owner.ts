// Who begins a log: an id that others read, in a log that forgets nothing. So it is made from a
// name and never from an address, and it is never `you`, which is everyone to themselves.
import { execFile } from 'node:child_process'
import { configuration } from '#wiring/config'
import { idFrom, canNameKey, listKeys, type KeyPlaces } from '#runtime/keys/key-files'
import { formerName } from '#runtime/keys/keys'
import { usage } from '#cli/terminal/failure'
import { openQuestions } from '#cli/terminal/questions'
import { note } from '#cli/terminal/terminal'

export interface OwnerOptions {
  /** Who one is. */
  readonly as?: string
  readonly json?: boolean
}

const needed = 'a name begins with a letter from a to z or a digit, and is no `you`'

/** What the option has, else what a person at the terminal answers, else what is known here. */
export async function ownerOf(options: OwnerOptions, places: KeyPlaces): Promise<string> {
  const { as: said } = options
  if (said !== undefined) return noted(said, idOf(said))
  const known = await knownName(places)
  const { stdin: input, stderr: output } = process
  const isAsked = configuration().user === undefined && options.json !== true
  if (!isAsked || !input.isTTY || !output.isTTY) return known
  const questions = openQuestions({ input, output })
  try {
    const question = 'who are you? Others read it in the log, which forgets nothing'
    const wrong = (answer: string) => (idOf(answer) === null ? needed : null)
    const answer = await questions.text({ question, flag: '--as', fallback: known, wrong })
    return noted(answer, idOf(answer))
  } finally {
    questions.close()
  }
}

function noted(said: string, id: string | null): string {
  if (id === null) throw usage(`--as takes who you are, not \`${said}\`: ${needed}`)
  if (id !== said) note(`warrant: in the log you are \`${id}\``)
  return id
}

/** The setting, else the name of a key from before, else git's, else the account's. */
async function knownName(places: KeyPlaces): Promise<string> {
  const { own } = places
  if (configuration().user !== undefined) return own
  const hasKey = (await listKeys(places)).some(({ name, isDev }) => name === own && !isDev)
  const usual = own === formerName ? 'owner' : own
  return hasKey ? own : (idOf((await gitName()) ?? '') ?? usual)
}

/** Null for what makes no id that could also name a key. */
function idOf(name: string): string | null {
  const [beforeAt = ''] = name.split('@')
  const id = /[\p{L}\p{N}]/u.test(beforeAt) ? idFrom(beforeAt) : ''
  return id === formerName || !canNameKey(id) ? null : id
}

const gitMsMax = 5_000

/** Null where git knows none, or is not there. */
function gitName(): Promise<string | null> {
  return new Promise((resolve) => {
    const words = ['config', '--get', 'user.name']
    execFile('git', words, { timeout: gitMsMax }, (error, stdout) => {
      resolve(error === null ? stdout.trim() : null)
    })
  })
}
