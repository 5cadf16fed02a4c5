// The door before servers of MCP: those that the settings of Claude Code list are put behind it.
import { withRuntime } from '#cli/terminal/opening/opened'
import { shownPath } from '#cli/terminal/shown-path'
import { settingsOf, withEntries } from '../../mcp/add.ts'
import { usualMcpHost } from '../../mcp/mcp-hosts.ts'
import { bareEntry, behindEntry, startedIn } from '../../mcp/proxied-entry.ts'
import { putBehind, type NamedServer } from '../../mcp/put-behind.ts'
import { starterAgent } from '../starter.ts'
import type { InitDoor } from './door.ts'

export const mcpDoor: InitDoor = {
  isHooked: false,
  starter: () => Promise.resolve({ agent: starterAgent, words: null }),
  async open({ log, options }) {
    const settings = await settingsOf(usualMcpHost)
    const { file, servers: all } = settings
    const servers = [...all].flatMap(([name, entry]): readonly NamedServer[] => {
      const started = behindEntry(entry) ?? startedIn(entry)
      return started === null ? [] : [{ name, ...started }]
    })
    const cautions = [...all.keys()].flatMap((name) => {
      const isLeft = servers.every((one) => one.name !== name)
      return isLeft ? [`\`${name}\` in ${file} is no command, and IS NOT BEHIND the proxy`] : []
    })
    const more = { warrant: 'mcp add NAME -- COMMAND' }
    if (servers.length === 0) {
      return { made: [`  ${shownPath(file)} lists no server yet`], cautions, next: [more] }
    }
    const opened = { ...options, log }
    const made = await withRuntime(opened, {}, (runtime) => {
      const agent = starterAgent.id
      return putBehind(runtime, { ...settings, servers, agent, classes: {}, options: opened })
    })
    return { made, cautions, next: [{ shell: 'claude' }] }
  },
  async close() {
    const settings = await settingsOf(usualMcpHost)
    const ours = [...settings.servers].flatMap(([name, entry]) => {
      const behind = behindEntry(entry)
      return behind === null ? [] : [{ name, entry: bareEntry(behind) }]
    })
    await withEntries(settings, ours)
    const names = ours.map(({ name }) => name).join(', ')
    return [
      `${shownPath(settings.file)}: without the proxy again: ${names || 'none was behind it'}`,
    ]
  },
}
