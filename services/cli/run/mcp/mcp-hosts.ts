// The hosts of agents whose settings list servers of MCP, and where each has them.
import { homedir, platform } from 'node:os'
import { join, resolve } from 'node:path'
import type { McpSettings } from '#shell/hooks/hook-settings'
import { hosts } from '#shell/hooks/hosts/hosts'
import { environment } from '#wiring/environment'

export interface McpHost extends McpSettings {
  readonly name: string
  readonly title: string
  readonly file: () => string
  /** What each entry says beside its command. */
  readonly more: object
}

const usual = { key: 'mcpServers', hasComments: false, more: {} } as const

const projects = hosts.flatMap(({ name, title, mcpFile }): readonly McpHost[] => {
  return mcpFile === undefined ? [] : [{ ...usual, name, title, file: () => resolve(mcpFile) }]
})

/** The first is the one that is meant where none is named. */
export const mcpHosts: readonly McpHost[] = [
  ...projects,
  { ...usual, name: 'claude-desktop', title: 'Claude Desktop', file: desktopFile },
  {
    name: 'vscode',
    title: 'VS Code',
    file: () => resolve('.vscode', 'mcp.json'),
    key: 'servers',
    hasComments: true,
    more: { type: 'stdio' },
  },
]

export const usualMcpHost: string = mcpHosts[0]?.name ?? ''

function desktopFile(): string {
  const own = environment()
  const home = homedir()
  const folders: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: own['APPDATA'] ?? join(home, 'AppData', 'Roaming'),
  }
  const folder = folders[platform()] ?? own['XDG_CONFIG_HOME'] ?? join(home, '.config')
  return join(folder, 'Claude', 'claude_desktop_config.json')
}
