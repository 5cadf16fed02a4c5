// What a search looks at: the same where the index is made and where it is asked.
import type { Options } from 'minisearch'

export const searching: Options = {
  idField: 'place',
  fields: ['title', 'above', 'text'],
  storeFields: ['title', 'above', 'text'],
  searchOptions: {
    boost: { title: 4, above: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
}
