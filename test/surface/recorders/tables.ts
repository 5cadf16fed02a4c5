// The tables that programs and people go by: reasons, faults, exit codes, settings, kinds, routes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allConsoleRoutes, consoleApi, consoleRoutes } from '#schemas/console/routes'
import { exitMeanings } from '#schemas/faults/exit'
import { faultAreas } from '#schemas/faults/registry'
import { allRoutes, routes } from '#schemas/http/routes'
import { allKinds, kinds } from '#schemas/kinds'
import { reasonCodes } from '#schemas/reasons'
import { builtInRules } from '#schemas/rules/built-in'
import { settingGroups } from '#schemas/settings/table'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { jsonText, type Subject } from '../subject.ts'
import { metricNames } from './metric-names.ts'

const lines = (texts: readonly string[]): string => texts.map((one) => `${one}\n`).join('')

async function record(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['reasons.txt', lines(reasonCodes)],
    ['faults.txt', jsonText(faultAreas)],
    ['exit-codes.txt', jsonText(exitMeanings)],
    ['settings.txt', jsonText(settingGroups)],
    ['built-in-rules.txt', jsonText(builtInRules)],
    ['kinds.txt', lines(allKinds.map((kind) => `${kind}.${kinds[kind].tokens.join('.')}`))],
    ['http-routes.txt', lines(allRoutes.map(httpRoute))],
    ['console-routes.txt', lines(allConsoleRoutes.map(consoleRoute))],
    ['packaged.txt', packaged()],
    ['metrics.txt', await metricNames()],
  ])
}

function httpRoute(name: (typeof allRoutes)[number]): string {
  const { method, path, isOpen = false } = routes[name]
  return [name, method.toUpperCase(), path, ...(isOpen ? ['open'] : [])].join(' ')
}

function consoleRoute(name: (typeof allConsoleRoutes)[number]): string {
  const { method, path, who } = consoleRoutes[name]
  return [name, method.toUpperCase(), `${consoleApi}${path}`, who].join(' ')
}

/** What the package offers: its entries and command, what it needs, what it may be used with. */
function packaged(): string {
  const manifest: Record<string, unknown> = JSON.parse(
    readFileSync(join(packageRoot(), 'package.json'), 'utf8'),
  )
  const { exports = {}, engines, bin, peerDependencies, peerDependenciesMeta } = manifest
  const entries = Object.keys(Object(exports))
  const commands = Object.keys(Object(bin))
  return jsonText({ entries, commands, engines, peerDependencies, peerDependenciesMeta })
}

export const tables: Subject = { folder: 'ours/tables', record }
