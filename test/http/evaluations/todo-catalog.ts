// The catalog of the public todo application: five users, what each role may, and whose todo it is.
import type { Catalog } from './decision-point.ts'

const anyone = { role: 'viewer' }
const users = {
  CiRmZDA2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs: {
    email: 'rick@the-citadel.com',
    roles: ['viewer', 'editor', 'admin', 'evil_genius'],
  },
  CiRmZDE2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs: {
    email: 'morty@the-citadel.com',
    roles: ['viewer', 'editor'],
  },
  CiRmZDI2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs: {
    email: 'summer@the-smiths.com',
    roles: ['viewer', 'editor'],
  },
  CiRmZDM2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs: {
    email: 'beth@the-smiths.com',
    roles: ['viewer'],
  },
  CiRmZDQ2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs: {
    email: 'jerry@the-smiths.com',
    roles: ['viewer'],
  },
}

const entity = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    id: { type: 'string' },
    properties: { type: 'object', properties: { ownerID: { type: 'string' } } },
  },
}
const argsSchema = {
  type: 'object',
  properties: { subject: entity, action: { type: 'object' }, resource: entity },
}

const isOwn =
  'has(args.resource.properties) && has(args.resource.properties.ownerID) && ' +
  'args.resource.properties.ownerID == principal.attributes.email'

const ownOr = (role: string) => ({
  name: 'own',
  effect: 'require' as const,
  when: `'${role}' in principal.roles || (${isOwn})`,
  message: 'it is the todo of another',
})

const read = { safetyClass: 'READ' as const, argsSchema }
const write = { safetyClass: 'WRITE' as const, argsSchema }

export const todoCatalog: Catalog = {
  defaults: { rolesFor: { WRITE: ['editor'] }, justificationFor: [] },
  principals: [
    {
      id: 'gate',
      via: ['http'],
      evaluates: {
        subjects: [
          { type: 'user', who: anyone },
          { type: 'identity', who: anyone },
        ],
      },
    },
    ...Object.entries(users).map(([id, { email, roles }]) => ({
      id,
      roles,
      attributes: { email },
    })),
  ],
  capabilities: [
    { id: 'user.can_read_user', ...read },
    { id: 'todo.can_read_todos', ...read },
    { id: 'todo.can_create_todo', ...write },
    { id: 'todo.can_update_todo', ...write, conditions: [ownOr('evil_genius')] },
    { id: 'todo.can_delete_todo', ...write, conditions: [ownOr('admin')] },
    { id: 'route.GET', ...read },
    ...['POST', 'PUT', 'DELETE'].map((method) => ({ id: `route.${method}`, ...write })),
  ],
}
