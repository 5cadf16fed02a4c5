// Whether a process keeps this log open for hooks of coding agents, where any of them asks here.
import type { Catalog } from '#rules/catalog/catalog'
import { counted, utc } from '#present/wording'
import { ok, warning, type DoctorFinding } from '#health/doctor/finding'
import { residentsHere } from '#cli/agents/hook/resident/run'
import { isOwnFolder, residentPlace } from '#cli/agents/hook/resident/place'

export async function residentFindings(
  { principals }: Pick<Catalog, 'principals'>,
  { url, realm }: { readonly url: string; readonly realm: string },
): Promise<readonly DoctorFinding[]> {
  const isAsked = [...principals.values()].some(({ via }) => via?.includes('hook'))
  const place = residentPlace({ log: url, realm })
  if (!isAsked || place === null) return []
  const own = (await residentsHere()).filter(({ self }) => self.file === place.file)
  if (own.length > 0) {
    return own.map(({ self: { pid, since, calls } }) => {
      const found = `process ${pid} keeps the log open for hooks since ${utc(since)}`
      return ok('hooks', `${found}, ${counted(calls, 'call')}`)
    })
  }
  if (place.isThere && !isOwnFolder(place.folder)) {
    const found = `\`${place.folder}\` is open to others, so no hook asks a process there`
    return [warning('hooks', found, { fix: `look who made it, then \`rm -r ${place.folder}\`` })]
  }
  return [ok('hooks', 'no process keeps the log open for hooks: the next call starts one')]
}
