// The catalog of the public search scenario: six people with a role and a department, twenty
// records with a department and an owner, and who may view, edit and delete which.
import type { Catalog } from './decision-point.ts'

// Id, role, department.
const people = [
  ['alice', 'manager', 'Sales'],
  ['bob', 'employee', 'Legal'],
  ['carol', 'contractor', 'Legal'],
  ['dan', 'manager', 'Finance'],
  ['erin', 'employee', 'Finance'],
  ['felix', 'contractor', 'Accounting'],
] as const

// Of 101 and the following: department, owner.
const records = [
  ['Legal', 'alice'],
  ['Legal', 'bob'],
  ['Legal', 'carol'],
  ['Accounting', 'dan'],
  ['Legal', 'erin'],
  ['Accounting', 'felix'],
  ['Sales', 'alice'],
  ['Legal', 'bob'],
  ['Accounting', 'carol'],
  ['Sales', 'dan'],
  ['Accounting', 'erin'],
  ['Legal', 'felix'],
  ['Sales', 'alice'],
  ['Accounting', 'bob'],
  ['Finance', 'carol'],
  ['Legal', 'dan'],
  ['Legal', 'erin'],
  ['Accounting', 'felix'],
  ['Legal', 'alice'],
  ['Accounting', 'bob'],
] as const

const text = { type: 'string' }
const argsSchema = {
  type: 'object',
  properties: {
    resource: {
      type: 'object',
      required: ['id', 'properties'],
      properties: {
        id: text,
        properties: {
          type: 'object',
          required: ['department', 'owner'],
          properties: { department: text, owner: text },
        },
      },
    },
  },
}

const isOwn = 'args.resource.properties.owner == principal.id'
const isOfDepartment = 'args.resource.properties.department == principal.attributes.department'
const isManager = `'manager' in principal.roles`

const may = (action: string, safetyClass: 'READ' | 'WRITE' | 'DESTRUCTIVE', when: string) => ({
  id: `record.${action}`,
  safetyClass,
  argsSchema,
  conditions: [{ name: 'who', effect: 'require' as const, when }],
})

export const searchCatalog: Catalog = {
  defaults: { rolesFor: { WRITE: [], DESTRUCTIVE: [] }, justificationFor: [] },
  principals: [
    {
      id: 'gate',
      via: ['http'],
      evaluates: { subjects: [{ type: 'user', who: { role: 'person' } }] },
    },
    ...people.map(([id, role, department]) => {
      return { id, roles: ['person', role], attributes: { department } }
    }),
  ],
  capabilities: [
    may('view', 'READ', `${isOwn} || ${isOfDepartment} || ${isManager}`),
    may('edit', 'WRITE', `${isOwn} || (${isManager} && ${isOfDepartment})`),
    may('delete', 'DESTRUCTIVE', isOwn),
  ],
  resources: records.map(([department, owner], index) => {
    return { id: `record:${101 + index}`, properties: { department, owner } }
  }),
}
