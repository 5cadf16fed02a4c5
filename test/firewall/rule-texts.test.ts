// What the bench of redaction reads out of the sources of rules in Go, from a folder made here.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ruleTextsIn } from '../../bench/offline/corpora.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const generate = `package utils
func GenerateSampleSecrets(identifier string, secret string) []string {
	samples := map[string]string{
		"ini": "{i}Token={s}", // one of them
		// TODO: "not yet": "{s}",
		"make": "{I}_TOKEN ?= \\"{s}\\"",
	}
}
`
const patterns = 'func Hex(size string) string {\n\treturn fmt.Sprintf(`[a-f0-9]{%s}`, size)\n}\n'
const rule = `package rules
func Tried() *config.Rule {
	r := config.Rule{RuleID: "tried"}
	// validate
	tps := utils.GenerateSampleSecrets("shop", "abc1")
	tps = append(tps, "x = " + secrets.NewSecret(utils.Hex("32")), \`raw "one"\`, unknown(1))
	fps := []string{
		"plain\\n", // a comment
	}
	return utils.Validate(r, tps, fps)
}
`

test('texts, sums, lists, samples, and secrets by chance', async () => {
  const folder = await temporaryFolder()
  const sources = join(folder, 'cmd', 'generate', 'config')
  for (const [path, text] of [
    ['utils/generate.go', generate],
    ['utils/patterns.go', patterns],
    ['rules/tried.go', rule],
  ] as const) {
    await mkdir(join(sources, path, '..'), { recursive: true })
    await writeFile(join(sources, path), text)
  }
  const found = ruleTextsIn(folder) ?? []
  expect(found.filter(({ isSecret }) => isSecret).map(({ text }) => text)).toEqual([
    'shopToken=abc1',
    'SHOP_TOKEN ?= "abc1"',
    expect.stringMatching(/^x = [a-f0-9]{32}$/),
    'raw "one"',
  ])
  expect(found.filter(({ isSecret }) => !isSecret)).toEqual([
    { rule: 'tried', isSecret: false, text: 'plain\n' },
  ])
})

test('another folder has no rules', async () => {
  expect(ruleTextsIn(await temporaryFolder())).toBeNull()
})
