/** Reading a version in force: its test, its confirmation, manual reminders. */

import { holds } from '@ordinator/model/access'
import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { Regulation, RegulationAudience, RegulationRead } from '@ordinator/model/areas/regulations/regulation'
import { openTest, type RegulationTest, scoreOf, wrongAnswers } from '@ordinator/model/areas/regulations/test'
import { Role } from '@ordinator/model/areas/staff/role'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { remindOf } from './duties.ts'
import { readScope } from './scope.ts'
import { viewOf } from './view.ts'

const MAX_PEOPLE = 500
/** Minutes until the same person can be reminded of the same regulation again. */
const REMIND_AGAIN = 60

export const reads = records(RegulationRead, {
  awaiting: {
    page: 'regulations',
    of: (me) => ({ 'filter[idUser]': me, 'filter[dateRead][null]': '1', 'filter[regulation.status]': 'active' }),
  },
  scope: readScope,
  about: { path: Regulation.path, id: ({ row }) => sql`${row}."idRegulation"` },
})

const test = operation(regulationCalls.test, async ({ records, query }) => {
  const { passScore } = await records.row(Regulation, query.id)
  return openTest(await testOf(records, query.id), passScore)
})

const confirm = operation(regulationCalls.confirm, ({ records, actor, query, body: { answers = [] } }) =>
  records.tx(async (inside, tx) => {
    const { status, passScore } = await inside.row(Regulation, query.id)
    const duty = await lockDuty(tx, query.id, actor.id)
    if (!duty) throw forbidden('Вам не назначено ознакомление с этим регламентом')
    const { dateRead, score, attempts } = duty
    if (dateRead) return { dateRead, score, attempts, passed: true }
    if (status !== 'active') throw new HttpError(409, 'Эта версия больше не действует', { code: 'notInForce' })
    const questions = await testOf(inside, query.id)
    const reached = questions?.questions.length ? reckoned(questions, answers) : null
    const passed = reached === null || reached >= passScore
    const now = await inside.asSystem.update(RegulationRead, duty.id, {
      dateRead: passed ? new Date().toISOString() : null,
      score: reached,
      attempts: attempts + 1,
    })
    return { dateRead: now.dateRead, score: now.score, attempts: now.attempts, passed }
  }),
)

const remind = operation(regulationCalls.remind, ({ records, actor, query, body: { idUsers } }) =>
  records.tx(async (inside, tx) => {
    const regulation = await inside.row(Regulation, query.id)
    if (!holds(actor, 'editScripts') && regulation.idResponsibleUser !== actor.id) throw forbidden()
    if (regulation.status !== 'active')
      throw new HttpError(409, 'Напоминают о действующем регламенте', { code: 'notInForce' })
    const chosen = idUsers ? sql`d."idUser" = any(${idUsers}::bigint[])` : raw('true')
    const count = await remindOf(
      { actor, tx, records: inside },
      regulation,
      sql`${chosen} and (d."dateReminded" is null or d."dateReminded" < now() - make_interval(mins => ${REMIND_AGAIN}))`,
    )
    return { count }
  }),
)

const setAudience = operation(regulationCalls.setAudience, ({ records, query, body }) =>
  records.tx(async (inside) => {
    await inside.row(Regulation, query.id)
    const { asSystem } = inside
    const wanted = [
      ...(await roleIds(asSystem, body.roles)).map((idRole) => ({ idRole, idUser: null })),
      ...[...new Set(body.idUsers)].map((idUser) => ({ idRole: null, idUser })),
    ]
    const rows = await asSystem.rows(RegulationAudience, { 'filter[idRegulation]': query.id, limit: MAX_PEOPLE })
    const isSame = (a: Who, b: Who) => a.idRole === b.idRole && a.idUser === b.idUser
    for (const row of rows)
      if (!wanted.some((one) => isSame(one, row))) await asSystem.remove(RegulationAudience, row.id)
    for (const one of wanted)
      if (!rows.some((row) => isSame(one, row)))
        await asSystem.create(RegulationAudience, { idRegulation: query.id, ...one })
    return viewOf(inside, query.id)
  }),
)

type Who = Pick<Row<typeof RegulationAudience>, 'idRole' | 'idUser'>

export const readOperations = [setAudience, test, confirm, remind]

/** @throws ValidationError that names an unknown role */
async function roleIds(records: Records, names: readonly string[]): Promise<number[]> {
  const roles = await records.rows(Role, { limit: MAX_PEOPLE })
  return [...new Set(names)].map((name) => {
    const role = roles.find((one) => one.name === name)
    if (!role) throw new ValidationError([{ field: 'roles', message: `Нет роли «${name}»` }])
    return role.id
  })
}

/** The test with its right answers, hidden from the user: never include it in a response. */
const testOf = async (records: Records, id: number): Promise<RegulationTest | null> =>
  (await records.asSystem.row(Regulation, id)).test

/** @throws ValidationError when the answers do not match the questions */
function reckoned(test: RegulationTest, answers: readonly (readonly number[])[]): number {
  const wrong = wrongAnswers(test, answers)
  if (wrong) throw new ValidationError([wrong])
  return scoreOf(test, answers)
}

type Duty = Pick<Row<typeof RegulationRead>, 'id' | 'dateRead' | 'score' | 'attempts'>

/** Serializes concurrent confirmations. */
const lockDuty = (tx: Tx, idRegulation: number, idUser: number): Promise<Duty | undefined> =>
  tx.one<Duty>(sql`
    select "id", "dateRead", "score", "attempts" from regulations_reads
    where "idRegulation" = ${idRegulation} and "idUser" = ${idUser} and not "deleted" for update`)
