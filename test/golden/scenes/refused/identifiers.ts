// What came with version 8 of the rules: identifiers that are ULIDs are held against the log's time,
// and no address is good twice, in whichever era it comes.
import { encodeTime } from 'ulid'
import { rotate } from '#replay/eras/rotate'
import { keys } from '../../../support/runtime.ts'
import { answer, later, played, quiet, reason, type Play } from '../../play.ts'

const second = 1_000
const hour = 3_600 * second
const day = 24 * hour
const keptMax = 256

export async function identifiers(play: Play): Promise<void> {
  const intent = { tool: 'look', args: { path: 'a' } }
  const ids: string[] = []
  let made = 0
  const idAt = (ahead: number): string => {
    made += 1
    return `${encodeTime(play.time.now + ahead, 10)}${String(made).padStart(16, '0')}`
  }
  const fresh = async (ahead: number): Promise<void> => {
    const id = idAt(ahead)
    ids.push(id)
    await played(play, { id, intent })
  }
  const turned = async (): Promise<void> => {
    await rotate(play.runtime, { id: 'root', privateKey: keys.root }, null)
    await quiet(play)
  }
  const offsets = [0, 59 * second, 61 * second, day, day + second, -day, -day - second, 2 * hour]
  for (const ahead of offsets) await fresh(ahead)
  await played(play, { id: 'own-key', intent })

  // What people are asked today may be answered by tomorrow, under the identifier that it had.
  const erase = { tool: 'erase', args: { path: 'b' }, justification: reason }
  const asked = await played(play, { id: idAt(0), intent: erase })
  await turned()
  for (const id of [...ids, 'own-key']) await played(play, { id, intent })
  await fresh(0)
  await answer(play, asked)

  await later(play, 2 * hour + second)
  await turned()
  for (const id of ids) await played(play, { id, intent })
  await later(play, day)
  await turned()
  await fresh(0)
  for (const id of ids) await played(play, { id, intent })
  for (let kept = 0; kept <= keptMax; kept += 1) await fresh(hour)
}
