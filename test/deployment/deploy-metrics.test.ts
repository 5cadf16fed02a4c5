// What watches the runtime agrees with it: every metric is there and shown, every worker is asked,
// and every alert says what to do.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { buildProgram } from '#cli/program'
import { newMetrics } from '#health/metrics'
import { allStages as stages } from '#workers/all-stages'
import { alertsOf, dashboardOf, metricsIn, prometheusOf, textOf } from './deploy-files.ts'

const folder = 'examples/compose'
const stageNames: readonly string[] = stages.map(({ name }) => name)
const workerNames: readonly string[] = [...stageNames, 'projector']
const alerts = alertsOf(`${folder}/alerts.yml`)
const dashboard = dashboardOf(`${folder}/grafana/dashboards/warrant.json`)
const listenPort = 9464

function isThere(path: string): boolean {
  return existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)))
}

/** Of the metrics that are ours; those of the process are there too. */
async function namesDeclared(): Promise<ReadonlySet<string>> {
  const text = await newMetrics().text()
  return new Set([...text.matchAll(/^# HELP (warrant_\S+)/gm)].map(([, name = '']) => name))
}

describe('metrics', async () => {
  const declared = await namesDeclared()
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const asked = new Set([...queries, ...alerts.map(({ expr }) => expr)].flatMap(metricsIn))

  test('no panel and no alert asks for one that the runtime does not have', () => {
    expect([...asked].filter((name) => !declared.has(name))).toEqual([])
  })

  test('each that the runtime has is shown', () => {
    const shown = new Set(queries.flatMap(metricsIn))
    expect([...declared].filter((name) => !shown.has(name))).toEqual([])
  })

  test('every replica of every stage is asked for them, where it listens', () => {
    const { rule_files, scrape_configs } = prometheusOf(`${folder}/prometheus.yml`)
    const [{ dns_sd_configs, relabel_configs }] = scrape_configs
    const [{ names, port }] = dns_sd_configs
    expect({ names, port }).toEqual({ names: workerNames, port: listenPort })
    expect(relabel_configs).toContainEqual({
      source_labels: ['__meta_dns_name'],
      target_label: 'service',
    })
    expect(rule_files.map((file) => isThere(`${folder}/${file}`))).toEqual([true])
  })

  test('a stage that is missing altogether is noticed, whichever it is', () => {
    const missing = alerts.find(({ alert }) => alert === 'WarrantStageMissing')?.expr ?? ''
    for (const stage of stageNames) expect(missing).toContain(`service="${stage}"`)
  })

  test('each alert has its line in the runbook', () => {
    const page = textOf('docs/run/deploy.md')
    for (const { alert } of alerts) expect(page).toContain(`\n- \`${alert}\`: `)
  })

  test('each alert names what to do, with a command that exists', async () => {
    const commands = new Set((await buildProgram()).commands.map((command) => command.name()))
    for (const { action } of alerts.map(({ annotations }) => annotations)) {
      expect(action).toMatch(/^(warrant|docker compose) [a-z]/)
      const [, command] = /^warrant ([a-z]+)/.exec(action) ?? []
      if (command !== undefined) expect(commands).toContain(command)
    }
  })

  test('each panel asks the data source that is set up', () => {
    const sources = textOf(`${folder}/grafana/provisioning/datasources/prometheus.yml`)
    const uid = /^ +uid: (\S+)$/m.exec(sources)?.[1]
    expect(new Set(dashboard.panels.map(({ datasource }) => datasource.uid))).toEqual(
      new Set([uid]),
    )
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })
})
