// Replays the golden log in the folder that it is given, and prints what came of it as JSON.
import { threadCallbacks } from '#runtime/callbacks/thread'
import { replay } from '#replay/replay'
import { stages } from '#workers/stages'
import { goldenLog, goldenModule, placeIn, readGolden } from '../../golden/golden-log.ts'

const folder = process.argv[2] ?? ''
const facts = await readGolden(folder)
const callbacks = threadCallbacks((digest) => goldenModule(folder, digest))
const place = placeIn(facts)
const log = goldenLog(facts)
const { derived, differences, first } = await replay({
  log,
  place,
  rootKey: null,
  stages,
  callbacks,
})
await callbacks.close()
process.stdout.write(JSON.stringify({ facts: facts.length, derived, differences, first }))
