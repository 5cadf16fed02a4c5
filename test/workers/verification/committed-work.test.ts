// A workspace that is a repository: a claim names a commit of it, and that is what is judged.
import type { Json } from '#record/canonical'
import { expect, test } from 'vitest'
import { gitFolder } from '../../support/adapters/git-folder.ts'
import { expectReplay } from '../../support/scene.ts'
import {
  claims,
  contracted,
  done,
  verificationOf,
  workScene,
} from '../../support/work/work-scene.ts'

test('in a repository, the commit that the claim names is judged, and nothing else', async () => {
  const { folder, object, tree, commitOf } = await gitFolder()
  const text = await object('blob', '{"title": "home"}')
  const root = await tree([
    { mode: '100644', name: 'page.json', object: text },
    { mode: '100644', name: '..', object: text },
    { mode: '160000', name: 'sub', object: 'a'.repeat(40) },
  ])
  const commit = await commitOf(root)
  const on = await workScene({ workspaces: [{ id: 'site', repository: folder }] })
  const contract = await contracted(on)
  const claimed = async (work: Json, attempt: number) => {
    await claims(on, contract, { status: 'success', work })
    return verificationOf(on, contract, attempt)
  }
  const unknown = await claimed({ commit: 'b'.repeat(40) }, 1)
  expect(unknown).toMatchObject({ verification: 'unverified', work: null, ended: null })
  expect(unknown.gates).toMatchObject([{ gate: 'files', code: 'commit_unknown' }])
  const { gates } = await claimed((await done(on)).work, 2)
  expect(gates).toMatchObject([{ gate: 'files', code: 'content_not_named' }])
  const verified = await claimed({ commit }, 3)
  expect(verified).toMatchObject({ verification: 'verified', work: { files: 1, bytes: 17 } })
  expect(verified.work?.leftOut).toEqual([
    { path: '..', why: 'unsafe_path' },
    { path: 'sub', why: 'submodule' },
  ])
  await expectReplay(on)
})
