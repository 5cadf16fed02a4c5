// Test cases that failed as SARIF 2.1.0, which code hosts show where the case is written.
import { readFile } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { TriedCase } from '#cases/tried-cases'
import { packageVersion } from '#cli/terminal/opening/package-root'

const schema = 'https://json.schemastore.org/sarif-2.1.0.json'
const rule = { id: 'case_failed', shortDescription: { text: 'A test case of the rules failed' } }

export async function sarifText(tried: readonly TriedCase[], from: string): Promise<string> {
  const failed = tried.filter(({ differences }) => differences.length > 0)
  const texts = new Map<string, readonly string[]>()
  for (const { file } of failed) texts.set(file, (await readFile(file, 'utf8')).split('\n'))
  const results = failed.map(({ file, name, differences }) => {
    const startLine = lineOf(name, texts.get(file) ?? [])
    const artifactLocation = { uri: uriOf(relative(from, file)), uriBaseId: '%SRCROOT%' }
    return {
      ruleId: rule.id,
      level: 'error',
      message: { text: `${name}: ${differences.join('\n')}` },
      locations: [{ physicalLocation: { artifactLocation, region: { startLine } } }],
    }
  })
  const driver = { name: 'warrant test', version: packageVersion(), rules: [rule] }
  const run = { tool: { driver }, results }
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

/** Where the case has its name, which is what people look for; of several the first. */
function lineOf(name: string, lines: readonly string[]): number {
  return Math.max(lines.findIndex((line) => line.includes(name)) + 1, 1)
}

function uriOf(path: string): string {
  return path.split(sep).map(encodeURIComponent).join('/')
}
