// The door of a coding agent: its hook, on the log of the project.
import type { Host } from '#shell/hooks/hosts/host'
import { hooksPut, hooksTakenOut } from '#cli/agents/hook/install'
import { hookedAgent } from '#cli/agents/hook/log-notes'
import { hookedStarter } from '../hook-rules.ts'
import type { InitDoor } from './door.ts'

export function hookDoor(host: Host): InitDoor {
  return {
    isHooked: true,
    starter: async () => ({ agent: await hookedStarter(), words: null }),
    async open({ log, options }) {
      const put = await hooksPut({ ...options, for: host, log, as: hookedAgent })
      const made = [
        `  ${put.file}: ${host.title} asks before each tool, as ${hookedAgent}`,
        'Reading and looking are allowed; for most else it asks you, and you answer with',
        '`warrant reviews`, `warrant approve`. Nothing in its own lists overrides a denial.',
      ]
      const next = [{ warrant: `hook test --for ${host.name}` }]
      return { made, cautions: put.cautions, next }
    },
    async close({ options }) {
      const [file = '', ...changed] = await hooksTakenOut({ ...options, for: host })
      return [changed.length === 0 ? file : `${file} our hooks are taken out`]
    },
  }
}
