import { type RegulationStatus, regulationStatuses } from '@ordinator/model/areas/regulations/status'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { allowOwnApproval, callers, desk } from './testing/desk.ts'

/** writer and keeper may write; checker and approver decide; writer checks too. */
const LOGINS = ['writer', 'keeper', 'checker', 'approver'] as const
let clinic: Clinic
const as = callers(() => clinic)
const ids: Record<string, number> = {}

beforeAll(async () => {
  clinic = await testApp({
    async prepare(context) {
      await allowOwnApproval(context)
      for (const login of LOGINS)
        ids[login] = (await addPerson(context, login, /writer|keeper/.test(login) ? ['editScripts'] : [])).id
    },
  })
})
afterAll(() => clinic.close())

/** Index of the version in the family, from the newest. */
const at = fc.nat(2)
const who = fc.constantFrom(...LOGINS)
const writes = fc.constantFrom('writer', 'keeper')
const to = fc.constantFrom(...(Object.keys(regulationStatuses) as RegulationStatus[]))
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('forward' as const), who: writes, at }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('go' as const), who, at, to, reason: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('decide' as const), who, at, agree: fc.nat(4).map((n) => n > 0) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('version' as const), who: writes, at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write' as const), who: writes, at, rename: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), who, at }) },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never
const reviewers = fc.oneof(fc.constant([]), fc.subarray(['writer', 'checker'] as const))
const hasApprover = fc.nat(2).map((n) => n === 0)
/** Whether the first version is in force already. */
const isInForce = fc.boolean()
/** Operations that start concurrently. */
const round = fc.array(act, { minLength: 1, maxLength: 3 })

interface State {
  id: number
  version: number
  status: RegulationStatus
  content: string
}

it('concurrently at most one version is in force and one in progress, and the first is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      reviewers,
      hasApprover,
      isInForce,
      fc.array(round, { minLength: 4, maxLength: 12 }),
      async (named, approver, inForce, rounds) => {
        const writer = desk(as('writer'))
        const { id } = await writer.regulation()
        if (inForce) await writer.enforce(id)
        const kinds = [...named.map((login) => [login, 'reviewer']), ...(approver ? [['approver', 'approver']] : [])]
        for (const [login, kind] of kinds)
          await writer.make('/regulations/reviewers', { idRegulation: id, idUser: ids[login as string], kind })
        let before = await familyOf(id)
        for (const acts of rounds) {
          const answers = await Promise.all(acts.map((one) => carryOut(one, before)))
          for (const { status, text } of answers) if (status >= 500) throw new Error(text)
          const now = await familyOf(id)
          if (answers.every(({ status }) => status >= 400)) expect(now).toEqual(before)
          expect(now.filter(({ status }) => status === 'active').length).toBeLessThanOrEqual(1)
          expect(now.filter(({ status }) => /template|review|approved/.test(status)).length).toBeLessThanOrEqual(1)
          expect(new Set(now.map(({ version }) => version)).size).toBe(now.length)
          for (const was of before.filter(({ status }) => status === 'active' || status === 'archived')) {
            const is = now.find((one) => one.id === was.id)
            if (is) expect(is.content).toBe(was.content)
          }
          before = now
        }
      },
    ),
    // Reports the first failure without shrinking: shrinking concurrent operations takes minutes and rarely repeats the
    // failure.
    { numRuns: runs(12, 300), endOnFailure: true },
  )
}, 120_000)

/** The versions that are not deleted, with all their content, from the database. */
const familyOf = (id: number): Promise<State[]> =>
  clinic.db.query<State>({
    text: `select r.id, r.version, r.status, concat_ws('|', r.name, r.description, r.type, r."idRole", r."idResponsibleUser", r.test,
        (select string_agg(concat_ws('/', s.id, s.title, s."order", s.description), ',' order by s."order", s.id)
          from regulations_steps s where s."idRegulation" = r.id and not s.deleted)) as content
      from regulations r where coalesce(r."idFirst", r.id) = $1 and not r.deleted order by r.id`,
    values: [id],
  })

function carryOut(one: Act, family: readonly State[]) {
  const { id, status } = family.at(-1 - (one.at % Math.max(1, family.length))) ?? { id: 999_999, status: 'template' }
  const hand = desk(as(one.who))
  switch (one.kind) {
    case 'forward':
      return hand.go(
        id,
        ({ template: 'review', review: 'approved', approved: 'active' } as const)[status as 'review'] ?? 'archived',
      )
    case 'go':
      return hand.go(id, one.to, one.reason ? { reason: 'Причина' } : {})
    case 'decide':
      return hand.decide(id, one.agree ? 'approved' : 'rejected', 'Замечание')
    case 'version':
      return hand.version(id)
    case 'write':
      return as(one.who).post(`/regulations/model/update?id=${id}`, {
        name: one.rename ? `Имя ${Math.random()}` : 'Регламент',
        stages: [{ title: 'Первый' }, { title: 'Второй' }],
      })
    case 'remove':
      return as(one.who).delete(`/regulations/model/delete?id=${id}`)
  }
}
