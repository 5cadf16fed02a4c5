// What a firewall took out of a result, in one line.
import type { FirewallWarning } from '#firewall/warnings'
import { unreachable } from '#record/fault'

/** `path` is a JSON pointer into the result; empty for the whole. */
export function firewallText({ code, path }: FirewallWarning): string {
  const where = path === '' ? 'the result' : path
  switch (code) {
    case 'field_dropped':
      return `${where}: left out, it is no field that may be shown`
    case 'field_redacted':
      return `${where}: something sensitive was taken out`
    case 'depth':
      return `${where}: what lies deeper was taken out`
    case 'rows':
      return `${where}: more rows than may be shown`
    case 'chars':
      return `${where}: more text than may be shown`
    case 'mode':
      return 'it is shown as a summary: raw results are for the role `admin`'
    default:
      return unreachable(code)
  }
}
