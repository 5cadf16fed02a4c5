// Whose word comes through a door and is believed: it is as good as the door and the login, which
// a person should know wherever the catalog takes it for evidence.
import { auditDoor } from '#rules/catalog/doors/log-readers'
import { doorRefusal, httpDoor } from '#rules/catalog/doors/speaking'
import type { State } from '#state/state'
import { listed } from '#record/quote'
import { warning, type DoctorFinding } from '#health/doctor/finding'

/** Nothing where no evidence comes through a door, and each door speaks for whom it is assigned. */
export function doorFindings({ catalog }: Pick<State, 'catalog'>): readonly DoctorFinding[] {
  const { principals, trustedEvidence } = catalog
  const senders = new Set(trustedEvidence.map(({ sender }) => sender))
  return [...principals.values()].flatMap(({ id, via = [], owner, keys }) => {
    if (via.length === 0) return []
    const doors = listed(via, 'and')
    const about = { about: id }
    // Who reads by a door, or answers by a key, needs no one to speak for them.
    const isOwnWord = (door: string) => door === httpDoor && keys.length > 0
    const speaking = via.filter((door) => door !== auditDoor && !isOwnWord(door))
    if (speaking.some((door) => doorRefusal(catalog, id, door) === 'has_duty')) {
      const fix = 'take `via` away, or give it a principal of its own for that'
      return [warning('doors', 'no door speaks for one who decides for others', { ...about, fix })]
    }
    if (!senders.has(id) || keys.length > 0) return []
    const whose = owner === undefined ? '' : ', an agent,'
    const found = `what comes through ${doors} as this principal${whose} counts as evidence`
    const fix = 'let no agent have its login, or give it a key: then it must sign what it says'
    return [warning('doors', found, { ...about, fix })]
  })
}
