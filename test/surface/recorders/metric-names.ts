// The metrics of a process: the name, kind, labels and help of each. Values are left out.
import { Registry } from 'prom-client'
import { vi } from 'vitest'
import { newMetrics } from '#health/metrics'

export async function metricNames(): Promise<string> {
  const labels = new Map<string, string>()
  const registered = vi.spyOn(Registry.prototype, 'registerMetric')
  const metrics = newMetrics()
  for (const [metric] of registered.mock.calls) {
    labels.set(String(Reflect.get(metric, 'name')), String(Reflect.get(metric, 'labelNames')))
  }
  registered.mockRestore()
  const described = (await metrics.text())
    .split('\n')
    .filter((line) => /^# \w+ warrant_/.test(line))
  return described
    .map((line) => {
      const [, what, name = ''] = line.split(' ')
      return what === 'TYPE' ? `${line} {${labels.get(name) ?? ''}}\n` : `${line}\n`
    })
    .join('')
}
