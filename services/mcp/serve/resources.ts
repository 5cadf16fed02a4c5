// What of the log has an address of its own: a fact by its name, the story of an intent, and where
// the log stands.
import { ResourceTemplate, type McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { isName, partsInRealm } from '#record/names'
import { Fault } from '#record/fault'
import { plainTexts } from '#present/lines'
import { readContentOf } from '#operations/finding/fact-shown'
import { noSuch } from '../protocol.ts'
import type { AskedLog } from './asked-log.ts'
import { failedText } from './audit-tool.ts'
import { askedWithin } from './asked-tools.ts'
import { untrustedLines, untrustedNotice, untrustedValue } from './untrusted.ts'

const json = 'application/json'

export function addResources(server: McpServer, asked: AskedLog): void {
  addLog(server, asked)
  addFacts(server, asked)
  addIntents(server, asked)
}

function addLog(server: McpServer, asked: AskedLog): void {
  const words = {
    title: 'The log',
    description: 'where the log stands: its identity, its last position, what is open',
    mimeType: json,
  }
  server.registerResource('log', 'warrant://log', words, async ({ href }) => {
    const position = await asked.caughtUp()
    const { state } = asked.follower
    const { intents, log, root, catalogRevision, graphRevision, eras } = state
    const { realm, era } = asked.place()
    const revisions = { catalogRevision, graphRevision }
    const stands = { realm, era, eras: eras.length, position, open: intents.size, ...revisions }
    return contents(href, json, JSON.stringify({ log, root, ...stands }))
  })
}

function addFacts(server: McpServer, asked: AskedLog): void {
  const words = {
    title: 'A fact',
    description: `one fact of the log, by its name; ${untrustedNotice}`,
    mimeType: json,
  }
  const template = new ResourceTemplate('warrant://fact/{name}', { list: undefined })
  server.registerResource('fact', template, words, async ({ href }, { name }) => {
    const asName = typeof name === 'string' ? decoded(name) : null
    const place = asked.place()
    const isOurs = asName !== null && isName(asName) && partsInRealm(asName, place.realm) !== null
    const fact = isOurs ? await asked.log.get(asName) : undefined
    if (fact === undefined) throw noSuch('the log has no fact of that name')
    const { position, appendedAt } = fact
    const recorded = untrustedValue(readContentOf(fact.bytes), asked)
    const time = new Date(appendedAt).toISOString()
    const shown = { notice: untrustedNotice, position, time, name: fact.name, recorded }
    return contents(href, json, JSON.stringify(shown))
  })
}

function addIntents(server: McpServer, asked: AskedLog): void {
  const type = 'text/plain'
  const words = {
    title: 'The trace of an intent',
    description: `everything that happened to one intent, as text; ${untrustedNotice}`,
    mimeType: type,
  }
  const template = new ResourceTemplate('warrant://intent/{address}', { list: undefined })
  const read = async ({ href }: URL, address: unknown, context: ServerContext) => {
    const meant = typeof address === 'string' ? decoded(address) : null
    if (meant === null) throw noSuch('name an intent by its ID')
    try {
      const lines = await asked.inTurn(context.mcpReq.signal, async (remaining) => {
        const { shown } = await askedWithin({ asked, remaining }, 'trace', { intent: meant })
        return plainTexts(shown())
      })
      return contents(href, type, untrustedLines(lines, asked).join('\n'))
    } catch (error) {
      if (error instanceof Fault) throw noSuch(failedText(error))
      throw error
    }
  }
  server.registerResource('intent', template, words, (uri, { address }, context) => {
    return read(uri, address, context)
  })
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function contents(uri: string, mimeType: string, text: string) {
  return { contents: [{ uri, mimeType, text }] }
}
