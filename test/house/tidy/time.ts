// No test depends on how fast the machine is: work is counted in steps, a race waits for the fact,
// and one limit of many minutes stands for what hangs.
import { at, sourcesOf, visit, type Files, type Source } from './source.ts'

const tests = /^test\//
/** What starts servers, reports how long a run took, or measures for a bench. */
const apart = /^test\/(support\/(vitest|servers|browser)|mutants|house)\//
/** It says that nothing comes too early, which holds on every machine. */
const lowerBounds = ['test/log/conformance/retries.ts']

const countSteps = 'count steps, characters or facts, as test/system/growth does'
const oneLimit = 'one limit stands for all, in vitest.config.ts: wait for the fact'
const clocks = ['performance.now', 'process.hrtime', 'process.cpuUsage', 'process.uptime']
const runners = ['test', 'it', 'describe', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach']

/** Every place of a test that measures time, or that limits it on its own. */
export function testsHoldEverywhere(files: Files): readonly string[] {
  return sourcesOf(files).flatMap((source) => {
    const isTest = tests.test(source.path) && !apart.test(source.path)
    return isTest && !lowerBounds.includes(source.path)
      ? [...measured(source), ...limits(source)]
      : []
  })
}

function measured(source: Source): readonly string[] {
  const found: string[] = []
  visit(source, {
    MemberExpression({ start, end }) {
      const whole = source.text.slice(start, end)
      if (clocks.includes(whole)) found.push(at(source, start, `uses ${whole}: ${countSteps}`))
    },
    // A moment less another is a duration; a moment alone is what a test brings.
    BinaryExpression({ left, operator, start }) {
      const isNow = source.text.slice(left.start, left.end) === 'Date.now()'
      if (!isNow || !['-', '<', '<=', '>', '>='].includes(operator)) return
      if (!/^Date\.now\(\) - \d/.test(source.text.slice(start))) {
        found.push(at(source, start, `measures with Date.now(): ${countSteps}`))
      }
    },
  })
  return found
}

function limits(source: Source): readonly string[] {
  const found: string[] = []
  visit(source, {
    CallExpression({ callee, arguments: given }) {
      const name = /^\w+/.exec(source.text.slice(callee.start, callee.end))?.[0] ?? ''
      const isPoll = /^expect\s*\.poll$/.test(source.text.slice(callee.start, callee.end))
      if (!runners.includes(name) && !isPoll) return
      for (const [index, one] of given.entries()) {
        const isNumber = one.type === 'Literal' && typeof one.value === 'number'
        const isAfterRun = given[index - 1]?.type.endsWith('FunctionExpression') === true
        const says = source.text.slice(one.start, one.end)
        const isOption = one.type === 'ObjectExpression' && /\btimeout\b/.test(says)
        if ((isNumber && isAfterRun) || (isOption && index > 0)) {
          found.push(at(source, one.start, `limits its time: ${oneLimit}`))
        }
      }
    },
  })
  return found
}
