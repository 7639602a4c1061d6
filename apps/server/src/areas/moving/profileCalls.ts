/** Profiles of a move: saved, handed over as a file, taken from one. */
import { movingCalls } from '@ordinator/model/areas/moving/calls'
import { Move, MoveProfile } from '@ordinator/model/areas/moving/move'
import type { MoveTableKey } from '@ordinator/model/areas/moving/tables'
import sql from 'sql-template-tag'
import { notFound } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { known } from './calls.ts'
import { columnsOfMapping, knownProfiles } from './matching.ts'

export const profiles = operation(movingCalls.profiles, async ({ app }) => ({
  items: (await knownProfiles(app)).map(({ columns, ...profile }) => ({
    ...profile,
    tables: Object.keys(columns) as MoveTableKey[],
  })),
}))

export const saveProfile = operation(
  movingCalls.saveProfile,
  async ({ app, records, params: { id }, body: { name } }) => {
    const file = await known(app.db, id)
    const move = await records.row(Move, file.idMove)
    const columns = { [file.table]: columnsOfMapping(file.head ?? [], file.mapping ?? {}) }
    return records.tx(async (inside, tx) => {
      const there = await tx.one<{ id: number; columns: object }>(
        sql`select "id", "columns" from moving_profiles where lower("name") = lower(${name}) and not "deleted" for update`,
      )
      return there
        ? inside.update(MoveProfile, there.id, { columns: { ...there.columns, ...columns } })
        : inside.create(MoveProfile, { name, program: move.program, columns })
    })
  },
)

export const profileFile = operation(movingCalls.profileFile, async ({ app, params: { key }, reply }) => {
  const found = (await knownProfiles(app)).find((one) => one.key === key)
  if (!found) throw notFound()
  const { name, program, columns } = found
  return reply
    .type('application/json')
    .header('content-disposition', `attachment; filename="profile-${program}.json"`)
    .send(JSON.stringify({ name, program, columns }, null, 2))
})

export const takeProfile = operation(movingCalls.takeProfile, ({ records, body }) => records.create(MoveProfile, body))
