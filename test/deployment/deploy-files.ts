// The files that stand around the runtime, read as what they are: what Docker Compose takes of a
// service, queries of dashboards and alerts. A key that is not known here is refused.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../', import.meta.url))

export function textOf(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

function yamlOf(path: string): unknown {
  return parse(textOf(path), { merge: true, strict: true, uniqueKeys: true })
}

const Duration = z.string().regex(/^[0-9]+s$/)
const Bind = z.string().regex(/^\.[^:]*:[^:]+:ro$/)
const Volume = z.string().regex(/^[a-z]+:[^:]+$/)

const Service = z.strictObject({
  image: z.string(),
  build: z.string().optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  user: z.string().optional(),
  init: z.boolean().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.union([Bind, Volume])).default([]),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:[0-9]+:[0-9]+$/)).default([]),
  expose: z.array(z.string()).default([]),
  restart: z.string(),
  stop_grace_period: Duration.optional(),
  depends_on: z
    .union([z.array(z.string()), z.record(z.string(), z.strictObject({ condition: z.string() }))])
    .default([]),
  healthcheck: z
    .union([
      z.strictObject({ disable: z.literal(true) }),
      z.strictObject({
        test: z.tuple([z.literal('CMD'), z.string()], z.string()),
        interval: Duration,
        timeout: Duration,
        retries: z.number(),
        start_period: Duration,
      }),
    ])
    .optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  deploy: z.strictObject({ replicas: z.number().int().min(1) }).optional(),
})

export type Service = z.infer<typeof Service>

const Compose = z.strictObject({
  name: z.string(),
  'x-worker': z.unknown().optional(),
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean() }).nullable()).default({}),
  volumes: z.record(z.string(), z.null()).default({}),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })).default({}),
})

export type Compose = z.infer<typeof Compose>

export function composeOf(path: string): Compose {
  return Compose.parse(yamlOf(path))
}

const Prometheus = z.strictObject({
  global: z.strictObject({ scrape_interval: Duration, evaluation_interval: Duration }),
  rule_files: z.array(z.string()),
  scrape_configs: z.tuple([
    z.strictObject({
      job_name: z.string(),
      dns_sd_configs: z.tuple([
        z.strictObject({
          names: z.array(z.string()),
          type: z.literal('A'),
          port: z.number(),
          refresh_interval: Duration,
        }),
      ]),
      relabel_configs: z.array(
        z.strictObject({ source_labels: z.array(z.string()), target_label: z.string() }),
      ),
    }),
  ]),
})

export function prometheusOf(path: string): z.infer<typeof Prometheus> {
  return Prometheus.parse(yamlOf(path))
}

const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Warrant[A-Z][A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^[0-9]+[sm]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), action: z.string() }),
        }),
      ),
    }),
  ),
})

export type Alert = z.infer<typeof Alerts>['groups'][number]['rules'][number]

export function alertsOf(path: string): readonly Alert[] {
  return Alerts.parse(yamlOf(path)).groups.flatMap(({ rules }) => rules)
}

const Dashboard = z.looseObject({
  uid: z.string(),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      description: z.string(),
      datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.string() }),
      targets: z.array(z.looseObject({ expr: z.string() })).min(1),
    }),
  ),
})

export function dashboardOf(path: string): z.infer<typeof Dashboard> {
  return Dashboard.parse(JSON.parse(textOf(path)))
}

/** The metrics of ours that a query names; a histogram by its own name. */
export function metricsIn(query: string): readonly string[] {
  const names = [...query.matchAll(/\bwarrant_[a-z_]+/g)].map(([name]) => name)
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ''))
}
