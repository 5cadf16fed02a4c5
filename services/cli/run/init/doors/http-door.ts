// The door over HTTP: a login in a file of the log's own folder, which no one commits.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { utc } from '#present/wording'
import { createToken, revokeToken, tokenEntries, tokenRefusal } from '#serving/token-file'
import { tokenFileFor } from '#cli/agents/tokens/run'
import { shellWord } from '#cli/terminal/hint'
import { shownPath } from '#cli/terminal/shown-path'
import { exampleCall, starterAgent, type ToolWords } from '../starter.ts'
import type { InitDoor, DoorPlace } from './door.ts'

export const httpAddress = 'http://127.0.0.1:7718'
/** By which the login is known again. */
const loginName = 'init'
const loginMs = 30 * 86_400_000

export const loginFileName = `${starterAgent.id}.token`

export const loginDoor: InitDoor = {
  isHooked: false,
  starter: (words) => Promise.resolve({ agent: starterAgent, words }),
  async open(place) {
    const login = await loginFor(place)
    const next = [{ warrant: 'up http' }, { shell: curlFor(place.words, login.file) }]
    return { made: [login.line], cautions: [], next }
  },
  close: loginTaken,
}

/** A new login in place of the one before. */
export async function loginFor(place: DoorPlace) {
  await loginTaken(place)
  const now = Date.now()
  const tokens = tokenFileFor(place)
  const asked = { principal: starterAgent.id, name: loginName, now, expiresAt: now + loginMs }
  const { token } = await createToken(tokens, asked)
  const file = loginFileIn(place)
  await writeFile(file, `${token}\n`, { mode: 0o600, flag: 'wx' })
  const shown = shownPath(file)
  const until = utc(asked.expiresAt)
  return { file, line: `  ${shown}: the login of ${starterAgent.id} over HTTP, until ${until}` }
}

/** Ends the logins that were made here. */
export async function loginTaken(place: DoorPlace): Promise<readonly string[]> {
  const now = Date.now()
  const tokens = tokenFileFor(place)
  const ours = (await tokenEntries(tokens)).filter((entry) => {
    const isOurs = entry.principal === starterAgent.id && entry.name === loginName
    return isOurs && tokenRefusal(entry, now) === null
  })
  for (const { id } of ours) await revokeToken(tokens, id, now)
  await rm(loginFileIn(place), { force: true })
  return ours.map(({ id, principal }) => `revoked: the login ${id} of ${principal}`)
}

function loginFileIn({ home }: DoorPlace): string {
  return join(home, loginFileName)
}

function curlFor(words: ToolWords, file: string): string {
  const { argument, justification } = exampleCall(words)
  const [name = '', value] = argument
  const body = JSON.stringify({ tool: words.tool, args: { [name]: value }, justification })
  const login = `-H "authorization: Bearer $(cat ${shellWord(shownPath(file))})"`
  const type = "-H 'content-type: application/json'"
  return `curl -s ${httpAddress}/v1/intents ${login} ${type} -d ${shellWord(body)}`
}
