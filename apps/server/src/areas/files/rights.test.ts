/**
 * Rights to delete files: a table over every file entity, and every entity that refers to one, from the declarations.
 */
import { type Allowed, allowed } from '@ordinator/model/access'
import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { type Permission, permissionNames } from '@ordinator/model/permissions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import type { Definition } from '#records/define.ts'
import { bodiesIn } from '#testing/bodies.ts'
import { form, picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { fileEntities, holdersOfFiles } from './index.ts'

let clinic: Clinic
let admin: Caller
const people = new Map<string, Caller>()
let image: Buffer
beforeAll(async () => {
  clinic = await testApp({ demo: true })
  admin = clinic.as('admin')
  image = await picture(30, 20).png().toBuffer()
})
afterAll(() => clinic.close())

/** The least sufficient permissions: of «any of these» the first. */
const least = (by: Allowed | undefined): Permission[] =>
  by === undefined || by === 'signed-in' ? [] : [typeof by === 'string' ? (by as Permission) : (by[0] as Permission)]

/** A person with exactly these permissions; each set is signed in once. */
async function person(name: string, permissions: readonly Permission[]): Promise<Caller> {
  const held = [...new Set(permissions)].sort()
  const key = `${name} ${held.join(' ')}`
  let known = people.get(key)
  if (!known) {
    const login = `${name}-${people.size}`
    await addPerson(clinic.context, login, held)
    known = clinic.as(login)
    people.set(key, known)
  }
  return known
}

const definitionOf = (entity: Entity): Definition => clinic.context.registry.at(entity.path)
const granted = (permissions: readonly Permission[]) =>
  Object.fromEntries(permissions.map((one) => [one, true as const]))
const senderOf = (files: Entity) => [...least(files.upload?.access), ...least(files.access.view)]
const sender = (files: Entity) => person('sender', senderOf(files))
const reader = (files: Entity) => person('reader', least(files.access.view))
/** Has all rights except those that bypass the row scopes. */
const colleague = (files: Entity) => {
  const { unless } = definitionOf(files).scope ?? {}
  const deleting = least(files.access.delete).includes(unless as Permission)
  return person('colleague', deleting ? [unless as Permission] : permissionNames.filter((p) => p !== unless))
}

async function sent(files: Entity, by: Caller): Promise<number> {
  const answer = good(await by.post(`/${files.path}`, form(image, 'a.png')), 201)
  return answer.id ?? answer.large.id
}
/** Outcome of an attempt to delete it; batches must agree. */
async function tried(path: string, id: number, by: Caller): Promise<number> {
  const batch = await by.post(`/${path}/batch`, { delete: [id] })
  return batch.status === 200 ? 204 : (await by.delete(`/${path}/${id}`)).status
}

describe.each(fileEntities.map((files) => [files.path, files] as const))('of %s', (_path, files) => {
  it('an unattached one is deleted by its author, or by users who pass the row scopes', async () => {
    const own = await sender(files)
    const { unless } = definitionOf(files).scope ?? {}
    const id = await sent(files, own)
    expect([403, 404]).toContain(await tried(files.path, id, await reader(files)))
    if (unless !== least(files.access.delete)[0])
      expect([403, 404]).toContain(await tried(files.path, id, await colleague(files)))
    const may = allowed({ id: 0, permissions: granted(senderOf(files)) }, files.access.delete)
    expect(await tried(files.path, id, own)).toBe(may ? 204 : 403)
    if (may) expect((await own.post(`/${files.path}/${id}/restore`)).status).toBe(200)
    expect(unless === undefined ? [403, 404] : [204]).toContain(await tried(files.path, id, admin))
  })

  // A cover is one of the task's attachments, and no file by itself.
  const holders = holdersOfFiles(files).filter(({ field }) => field !== 'idCover')
  it.each(holders.map(({ holder, field }) => [`${holder.path} ${field}`, holder, field] as const))(
    'one attached at %s cannot be deleted, and a viewer cannot detach it',
    async (_at, holder, field) => {
      const own = await sender(files)
      const id = await sent(files, own)
      const { bodyOf } = bodiesIn(clinic, admin)
      const system = clinic.context.engine.for({ ...systemActor, id: 1 })
      const extra = holder.path === 'tasks-management/resources' ? { url: '' } : {}
      const held = await system.create(holder, (await bodyOf(holder, { ...extra, [field]: id })) as never)
      for (const who of [own, await reader(files), await colleague(files), admin])
        expect([403, 404, 409]).toContain(await tried(files.path, id, who))
      const refused = await admin.delete(`/${files.path}/${id}`)
      if (refused.status === 409)
        expect(refused.body.message).toBe('Файл прикреплён к записи: сначала уберите его оттуда')
      expect([403, 404]).toContain(await tried(holder.path, held.id, await reader(files)))
      expect(good(await admin.get(`/${files.path}/${id}`)).deleted).toBe(false)
    },
  )
})

it('a hidden one gets the response of a missing one', async () => {
  for (const files of fileEntities) {
    // Any signed-in user may see all of them.
    if (files.access.view === 'signed-in' && !definitionOf(files).scope?.view) continue
    const id = await sent(files, await sender(files))
    const asked = async (one: number) => {
      const { status, body } = await (await person('outsider', [])).get(`/files/${one}`)
      return [status, body.name, body.message]
    }
    expect(await asked(id), files.path).toEqual(await asked(999_999_999))
  }
})

describe.each((entities as readonly Entity[]).map((entity) => [entity.path, entity] as const))(
  '%s',
  (_path, entity) => {
    it('needs more than the right to view it for a delete, or row scopes', () => {
      const viewer = { id: 0, permissions: granted(least(entity.access.view)) }
      if (entity.access.delete === undefined || !allowed(viewer, entity.access.delete)) return
      // If one permission gives access to all of it, that permission also changes it.
      if (entity.access.view !== 'signed-in' && allowed(viewer, entity.access.update)) return
      const holdsRows = (d: Definition): boolean => {
        const { within } = d.entity
        const reference = within ? d.entity.fields[within] : undefined
        const parent = reference && 'to' in reference ? clinic.context.registry.at(reference.to as string) : undefined
        const ruled = d.scope?.delete ?? d.scope?.update ?? d.scope?.view ?? d.hooks?.beforeDelete
        return ruled !== undefined || (parent !== undefined && holdsRows(parent))
      }
      expect(holdsRows(definitionOf(entity))).toBe(true)
    })
  },
)

describe.each(fileEntities.map((files) => [files.path, files] as const))('to %s', (path, files) => {
  it('requires the right to attach it', async () => {
    const holders = holdersOfFiles(files).map(({ holder }) => holder.access)
    for (const permission of permissionNames) {
      const actor = { id: 1, permissions: granted([permission]) }
      if (!allowed(actor, files.upload?.access ?? files.access.view)) continue
      expect([
        permission,
        holders.some(({ create, update }) => allowed(actor, create) || allowed(actor, update)),
      ]).toEqual([permission, true])
    }
    const nobody = await person('nobody', [])
    expect((await nobody.post(`/${path}`, form(image, 'a.png'))).status).toBe(403)
  })
})

it('requires the right to import', async () => {
  const nobody = await person('nobody', [])
  expect((await nobody.post('/imports/preview', form(image, 'a.csv'))).status).toBe(403)
  expect(
    await clinic.db.query({
      text: `select 1 from sent_bytes b join users u on b.who = 'user:' || u.id where u.login ~ $1`,
      values: ['^nobody'],
    }),
  ).toEqual([])
})
