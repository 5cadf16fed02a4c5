// What a pattern without realm and era means in the log of a realm: names of each of its eras, and
// in the log of a cell also what all cells share.
import { Fault } from '#record/fault'
import { cellIn, controlPlace, type Place } from '#record/names'
import { didYouMean, nearest } from '#record/quote'
import { covers, isPattern } from '#record/pattern'
import { allKinds, isKind, kinds } from '#schemas/kinds'

/** For a log that is read. */
export function patternsMeant({ realm, era }: Place, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const own = Array.from({ length: era }, (_, before) => `${realm}.${before + 1}.${name}`)
    return [...own, ...sharedMeant(realm, name)]
  })
}

/** For one that is followed, which may begin eras that no one knew of. */
export function isMeantBy(realm: string, names: readonly string[]): (found: string) => boolean {
  const patterns = names.flatMap((name) => [`${realm}.*.${name}`, ...sharedMeant(realm, name)])
  return (found) => patterns.some((pattern) => covers(pattern, found))
}

function sharedMeant(realm: string, name: string): readonly string[] {
  if (cellIn(realm) === null) return []
  const control = controlPlace(realm)
  return [`${control.realm}.${control.era}.${name}`]
}

/** Refuses a pattern that no name can match, and says which was meant. */
export function refusePattern(name: string, realm: string): void {
  if (!isPattern(`${realm}.1.${name}`)) {
    throw new Fault(
      'usage',
      `\`${name}\` is not a pattern: use names like \`verdict.>\` or \`vlp.my-agent.*.*\``,
    )
  }
  const [kind = '', ...rest] = name.split('.')
  if (kind === '*' || kind === '>') return
  if (!isKind(kind)) {
    const near = nearest(allKinds, kind)
    const hint = near.length > 0 ? didYouMean(near) : `; there are ${allKinds.join(', ')}`
    throw new Fault('usage', `no fact has the kind \`${kind}\`${hint}`)
  }
  const { tokens } = kinds[kind]
  const fits = rest.at(-1) === '>' ? rest.length <= tokens.length : rest.length === tokens.length
  if (fits) return
  const parts = tokens.map((part) => `<${part}>`).join('.')
  throw new Fault(
    'usage',
    `names of \`${kind}\` are \`${kind}.${parts}\`: use \`${kind}.>\` for all of them`,
  )
}
