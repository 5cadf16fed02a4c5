// Capabilities whose ids are not written as new ones are: they work, and are harder to search, to
// browse and to give to a model.
import { capabilityIdCharactersMax, capabilityIdPattern } from '#schemas/action/routing'
import type { Catalog } from '#rules/catalog/catalog'
import { quoted, short } from '#record/quote'
import type { Flaw } from './flaw.ts'

export function idFlaws({ capabilities }: Pick<Catalog, 'capabilities'>): readonly Flaw[] {
  return [...capabilities.keys()].filter(isMisnamed).map((id) => ({
    code: 'capability_misnamed' as const,
    where: { capability: id },
    what: `the id ${quoted(short(id, capabilityIdCharactersMax))} is not written as ids are`,
    fix:
      'write words of letters, digits, `_` and `-`, separated by `.`, `/` or `:`, at most ' +
      `${capabilityIdCharactersMax} characters`,
  }))
}

function isMisnamed(id: string): boolean {
  return id.length > capabilityIdCharactersMax || !capabilityIdPattern.test(id)
}
