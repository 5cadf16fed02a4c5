// What every command does that signs: finds the key, shows the person at the terminal what is
// about to be signed, and asks. Where no one can be asked, the key and `--yes` must be given.
import { configuration } from '#wiring/config'
import { Fault } from '#record/fault'
import type { KeyFile } from '#runtime/keys/key-files'
import { keysAtHand, passphraseIn, type KeyAccess, type SignerChoice } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import { usage } from './failure.ts'
import type { SignerOptions } from './opening/options.ts'
import { personHere } from './person.ts'
import { note } from './terminal.ts'
import type { Line } from './line.ts'

export interface SigningOptions extends SignerOptions {
  readonly json?: boolean
}

/** What is shown before it is signed. */
export interface ToSign {
  readonly lines: readonly Line[]
  /** The principal who signs. */
  readonly as: string
}

/** Among which keys the signer is looked for. */
export function signerChoice(
  { folder, follower }: Pick<Runtime, 'folder' | 'follower'>,
  options: SignerOptions,
): SignerChoice {
  const { catalog } = follower.state
  return { keys: keyAccess(folder), key: keyNamed(options), as: options.as, catalog }
}

/** The key that was named: by `--key`, else by the environment. */
export function keyNamed({ key }: Pick<SignerOptions, 'key'>): string | undefined {
  const named = key ?? configuration().key
  return named === '' ? undefined : named
}

/** The keys at hand; a passphrase is asked for at the terminal. */
export function keyAccess(folder: string | null): KeyAccess {
  const atHand = keysAtHand(folder, configuration())
  return {
    places: atHand.places,
    passphrase: async (key) => (await typedPassphrase(key)) ?? atHand.passphrase(key),
    isAtTerminal: () => process.stdin.isTTY && process.stderr.isTTY,
    onUse: ({ isBeside, file }) => {
      if (!isBeside) return
      const move = `move it to ${atHand.places.home}`
      note(`warrant: ${file} is a key beside the log, where agents work: ${move}`)
    },
  }
}

/** What was typed while this command runs: it is asked for once a key. */
const typed = new Map<string, string>()

/** Null where a file holds the passphrase, or no one can be asked. */
async function typedPassphrase({ name, file }: KeyFile): Promise<string | null> {
  if ((await passphraseIn(configuration())) !== null) return null
  const before = typed.get(file)
  if (before !== undefined) return before
  const person = personHere()
  if (person === null) return null
  try {
    const passphrase = await person.secret(`passphrase of the key ${name}`)
    if (passphrase !== null) typed.set(file, passphrase)
    return passphrase
  } finally {
    person.close()
  }
}

/** Throws a Fault `not_signed` unless a person, or the command line, agrees to sign this. */
export async function demandAgreement(options: SigningOptions, toSign: ToSign): Promise<void> {
  if (await agreed(options, toSign)) return
  throw new Fault('not_signed', 'nothing was signed')
}

/** Throws at once, before anything is shown, where no one could agree to it in the end. */
export function refuseUnasked(options: SigningOptions): void {
  whoAgrees(options)?.close()
}

/** Who is at the terminal; null where the command line names the key and says yes. */
function whoAgrees(options: SigningOptions): ReturnType<typeof personHere> {
  if (options.yes === true) {
    if (keyNamed(options) !== undefined) return null
    throw usage('--yes takes --key too: what signs without asking names its key')
  }
  const person = personHere()
  if (person !== null) return person
  const how = 'sign at a terminal, or give `--key FILE --yes`'
  throw new Fault('no_terminal', `no one can be asked whether to sign this: ${how}`)
}

/** Whether a person at the terminal agrees, or the command line names the key and says yes. */
export async function agreed(options: SigningOptions, { lines, as }: ToSign): Promise<boolean> {
  const person = whoAgrees(options)
  if (person === null) return true
  try {
    person.say(lines.map((line) => (typeof line === 'string' ? line : line.text)))
    return await person.agrees(`sign this as ${as}?`)
  } finally {
    person.close()
  }
}

/** What a person at this terminal has not seen yet of lines that were printed. */
export function unseen(options: SigningOptions, printed: readonly Line[]): readonly Line[] {
  return process.stdout.isTTY && options.json !== true ? [] : printed
}
