// Writes the golden logs of this version from played stories, once: what is there is never written
// again. Before a release: node --conditions=warrant-source --import tsx test/golden/write.ts
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { writeGolden } from './golden-log.ts'
import {
  actsStory,
  askingAgainStory,
  askingForStory,
  asksStory,
  barredStory,
  attentionStory,
  budgetsStory,
  cellStory,
  crowdedStory,
  defaultsStory,
  delegationsStory,
  equalStory,
  evaluationsStory,
  exactStory,
  executionsStory,
  goldenStory,
  grantsStory,
  identifiersStory,
  keeperStory,
  moveStory,
  notificationsStory,
  peopleStory,
  personsStory,
  pushesStory,
  revocationsStory,
  routingStory,
  rulesStory,
  searchesStory,
  setAsideStory,
  spoiltStory,
  textsStory,
  thingsStory,
  timesStory,
  valuesStory,
  workStory,
} from './story.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const { version } = JSON.parse(await readFile(join(here, '..', '..', 'package.json'), 'utf8'))
for (const [name, story] of [
  [version, goldenStory],
  [`${version}-crowd`, crowdedStory],
  [`${version}-equal`, equalStory],
  [`${version}-cell`, cellStory],
  [`${version}-move`, moveStory],
  [`${version}-rules`, rulesStory],
  [`${version}-values`, valuesStory],
  [`${version}-defaults`, defaultsStory],
  [`${version}-budgets`, budgetsStory],
  [`${version}-executions`, executionsStory],
  [`${version}-revocations`, revocationsStory],
  [`${version}-people`, peopleStory],
  [`${version}-routing`, routingStory],
  [`${version}-grants`, grantsStory],
  [`${version}-delegation`, delegationsStory],
  [`${version}-evaluation`, evaluationsStory],
  [`${version}-search`, searchesStory],
  [`${version}-asking-for`, askingForStory],
  [`${version}-notifications`, notificationsStory],
  [`${version}-attention`, attentionStory],
  [`${version}-work`, workStory],
  [`${version}-asking-again`, askingAgainStory],
  [`${version}-spoilt`, spoiltStory],
  [`${version}-exact`, exactStory],
  [`${version}-set-aside`, setAsideStory],
  [`${version}-identifiers`, identifiersStory],
  [`${version}-keeper`, keeperStory],
  [`${version}-things`, thingsStory],
  [`${version}-texts`, textsStory],
  [`${version}-asks`, asksStory],
  [`${version}-acts`, actsStory],
  [`${version}-barred`, barredStory],
  [`${version}-persons`, personsStory],
  [`${version}-times`, timesStory],
  [`${version}-pushes`, pushesStory],
] as const) {
  const folder = join(here, name)
  if (!existsSync(folder)) await writeGolden(folder, await story())
}
