// What a realm of a hundred cells and a million agents would hold and use in a day: a day that is
// simulated, at costs that are measured of the real code in the same run.
import { leastMsDefault } from '#state/eras/due'
import { single, type Bench, type Figure } from '../harness.ts'
import { measuredCosts, type Costs } from './costs.ts'
import { dayOf, stepsADay, sum, type Day, type Scenario } from './day.ts'

const scenario: Scenario = {
  seed: 1,
  cells: 100,
  agents: 1_000_000,
  verdictsADay: 1_000_000_000,
  askedPart: 0.001,
  waitMs: 600_000,
  movesADay: 1_000,
  changesADay: 1_000,
  eraFacts: 2_000_000,
}

/** What one process and one server may take: the bounds that the realm is held against. */
const allowed = { processBytes: 2e9, serverBytes: 16e9, servers: 9, replicas: 3, copies: 2 }
const dayUs = 86_400 * 1e6

export const bench: Bench = {
  title: 'A day of a hundred cells and a million agents, on paper',
  run: async () => {
    const costs = await measuredCosts()
    const day = dayOf(scenario, costs.verdictFacts)
    return [...costFigures(costs), ...dayFigures(day), ...heldFigures(costs, day)]
  },
}

function costFigures(costs: Costs): readonly Figure[] {
  return Object.entries(costs).flatMap(([name, value]) => {
    if (typeof value !== 'number') return []
    const [, of = name, unit = ''] = /^(.*)(Us|Bytes|Facts)$/.exec(name) ?? []
    const units = { Us: 'µs', Bytes: 'bytes', Facts: 'facts' } as const
    const shown = unit === 'Us' || unit === 'Bytes' || unit === 'Facts' ? units[unit] : ''
    return [single(`measured: ${wordsOf(of)}`, shown, value)]
  })
}

function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function dayFigures(day: Day): readonly Figure[] {
  return [
    single('a day: verdicts', '', day.verdicts),
    single('a day: of the heaviest hundredth of agents', '%', 100 * day.heavyPart),
    single('a day: eras rotated', '', day.turns),
    single('a day: moves and changes', '', day.moves + day.changes),
  ]
}

/** All of the busiest cell, whose processes and streams are the largest. */
function heldFigures(costs: Costs, day: Day): readonly Figure[] {
  const most = (of: (cell: Day['cells'][number]) => number) => Math.max(...day.cells.map(of))
  const catalog = scenario.agents * costs.agentBytes
  const open = most((cell) => cell.openMost) * costs.openBytes
  const memory = costs.processBytes + catalog + open
  const stepUs = dayUs / stepsADay
  const busiest = (most((cell) => cell.verdictsMost) * costs.verdictUs) / stepUs
  const sealUs =
    scenario.agents * costs.sealedAgentUs + most((cell) => cell.openMost) * costs.sealedOpenUs
  const turned = (most((cell) => cell.turns) * sealUs) / dayUs
  const changedUs = day.changes * costs.changeAgentUs + day.moves * costs.moveAgentUs
  const changes = (scenario.agents * changedUs) / dayUs
  const sealBytes = scenario.agents * costs.sealedAgentBytes
  const logs = scenario.cells + 1
  const seals = day.turns * sealBytes
  const catalogs = (day.changes + 2 * day.moves) * costs.entryBytes * logs
  const least = Math.min(...day.cells.map(({ turnMsLeast }) => turnMsLeast ?? Infinity))
  const names = (sum(day.cells.map(({ namesMost }) => namesMost)) * (costs.nameBytes ?? 0)) / 1e9
  const server = (names * allowed.replicas * allowed.copies) / allowed.servers
  const bounds = [
    single(
      'part of a core: a process of the busiest cell',
      '%',
      100 * (busiest + turned + changes),
    ),
    single('part of 2 GB: a process', '%', (100 * memory) / allowed.processBytes),
    single('part of the turns an hour allows: eras', '%', (100 * leastMsDefault) / least),
    ...(costs.nameBytes === null
      ? []
      : [
          single(
            'part of 16 GB: names on each of 9 servers',
            '%',
            (100 * server * 1e9) / allowed.serverBytes,
          ),
        ]),
  ]
  return [
    single('a process: memory', 'MB', memory / 1e6),
    single('a process: of it the catalog', 'MB', catalog / 1e6),
    single('a process: of it open intents', 'MB', open / 1e6),
    single('a process: start, folding the catalog', 's', (scenario.agents * costs.entryUs) / 1e6),
    single('a process: verdicts, busiest ten minutes', 'cores', busiest),
    single('a process: eras, mean of the day', 'cores', turned),
    single('a process: one turn', 's', sealUs / 1e6),
    single('a process: changes and moves', 'cores', changes),
    single(
      'all: CPU of verdicts, mean of the day',
      'cores',
      (day.verdicts * costs.verdictUs) / dayUs,
    ),
    single('all: log, verdicts', 'GB a day', (day.verdicts * costs.verdictBytes) / 1e9),
    single('all: log, states at turns', 'GB a day', seals / 1e9),
    single('all: log, changes and moves', 'GB a day', catalogs / 1e9),
    ...(costs.nameBytes === null ? [] : [single('a server: names', 'GB', server)]),
    ...bounds.toSorted((one, other) => (other.values[0] ?? 0) - (one.values[0] ?? 0)),
  ]
}
