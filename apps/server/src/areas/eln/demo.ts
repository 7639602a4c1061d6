/** Sheets in every state, with numbers of a pool, for the demo clinic. */

import { CONTINUES } from '@ordinator/model/areas/eln/faults'
import { aloneUntil, daysOf } from '@ordinator/model/areas/eln/rules'
import { CaredPerson, NumberRequest, SickLeave, SickNumber, SickPeriod } from '@ordinator/model/areas/eln/sickLeave'
import { SnilsQuery } from '@ordinator/model/areas/eln/snils'
import { User } from '@ordinator/model/areas/staff/user'
import { schemes } from '@ordinator/model/identifiers'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { limitsOf } from './limits.ts'

const pastHooks = 'The demo writes what is right already'
const NUMBERS = 60
const employers = ['ООО «Волга-Строй»', 'АО «Самарский завод»', 'ГБОУ «Школа № 41»', 'ИП Ларин', 'ООО «Логистик»']
const illnesses = ['J06.9', 'J20.9', 'M54.5', 'I10', 'K29.5', 'S93.4', 'G54.1', 'J18.9', 'N10', 'H10.3']

/** Days of the periods relative to today, and the state of the sheet. */
interface Case {
  periods: readonly (readonly [from: number, to: number])[]
  status: 'draft' | 'toSign' | 'accepted' | 'rejected' | 'dispute'
  state?: '010' | '020' | '030' | '060' | '080' | '090'
  result?: 'work' | typeof CONTINUES
  words?: string
  reason?: string
}

const cases: readonly Case[] = [
  { periods: [[-14, 0]], status: 'accepted', state: '010' },
  { periods: [[-5, 0]], status: 'accepted', state: '010' },
  { periods: [[-9, -1]], status: 'accepted', state: '010' },
  { periods: [[-6, -2]], status: 'accepted', state: '010' },
  { periods: [[-3, 4]], status: 'accepted', state: '010' },
  { periods: [[-2, 5]], status: 'accepted', state: '010' },
  {
    periods: [
      [-17, -3],
      [-2, 8],
    ],
    status: 'accepted',
    state: '020',
  },
  { periods: [[-1, 4]], status: 'toSign' },
  {
    periods: [
      [-15, -1],
      [0, 10],
    ],
    status: 'toSign',
    state: '010',
  },
  { periods: [[0, 5]], status: 'draft' },
  { periods: [[0, 3]], status: 'draft', reason: '09' },
  { periods: [[-4, 3]], status: 'rejected', words: 'Застрахованное лицо с таким СНИЛС не найдено' },
  { periods: [[-8, 1]], status: 'dispute', state: '010', words: 'Лист изменён в СФР после вашей последней отправки' },
  { periods: [[-20, -8]], status: 'accepted', state: '030', result: 'work' },
  { periods: [[-30, -20]], status: 'accepted', state: '060', result: 'work' },
]
const PAST = 70

export async function demo({ asSystem }: Records, _app: AppContext, tx: Tx): Promise<void> {
  const doctors = await tx.query<{ id: number; post: string | null; idFilial: number | null }>(sql`
    select u."id"::int as id, u."post", (select f."id"::int from filials f where not f."deleted" order by f."id" limit 1) as "idFilial"
    from users u left join specialities s on s."id" = u."idSpeciality" where not u."deleted" and u."idSpeciality" is not null
    order by (u."login" = 'doctor') desc, (lower(s."name") like '%терапевт%') desc, u."id" limit 5`)
  const [main] = doctors
  const chairman = await tx.one<{ id: number }>(
    sql`select u."id"::int as id from users u where u."login" = 'manager' and not u."deleted"`,
  )
  const people = await tx.query<{
    id: number
    fio: string
  }>(sql`select c."id"::int as id, c."surname" as fio from customers c
    where not c."deleted" and c."birthday" between current_date - interval '64 years' and current_date - interval '19 years'
      and c."secretLevel" = 'none' and c."snils" is not null order by c."id" desc limit ${cases.length + PAST}`)
  if (!main || people.length < cases.length) return
  await known(asSystem, tx, [...doctors.map(({ id }) => id), ...(chairman ? [chairman.id] : [])])
  const settings = await readCommonSettings(tx)
  const limits = limitsOf(settings)
  const today = dayIn(settings.timeZone, Date.now())
  const request = await asSystem.create(NumberRequest, {
    count: NUMBERS + PAST,
    status: 'done',
    received: NUMBERS + PAST,
    idUser: main.id,
  })
  await asSystem.createMany(
    SickNumber,
    Array.from({ length: NUMBERS + PAST }, (_, at) => ({
      lnCode: String(910_140_250_001 + at * 7),
      idRequest: request.id,
    })),
  )
  const pool = await asSystem.rows(SickNumber, { sort: 'id', limit: NUMBERS + PAST })
  const used: { id: number; idSickLeave: number }[] = []
  const make = async (one: Case, at: number, by: (typeof doctors)[number], idCustomer: number) => {
    const first = plusDays(today, one.periods[0]?.[0] ?? 0)
    const last = plusDays(today, one.periods.at(-1)?.[1] ?? 0)
    const reason = one.reason ?? '01'
    const number = one.status === 'draft' ? undefined : pool[used.length]
    const until = aloneUntil(first, by.post, { reason, daysBefore: 0 }, limits)
    const leave = await asSystem.create(SickLeave, {
      ...{ idCustomer, idDoctor: by.id, idFilial: by.idFilial, reason, dateIssue: first, idAuthor: by.id },
      ...{ employer: employers[at % employers.length], diagnosis: illnesses[at % illnesses.length] },
      ...{
        localStatus: one.status,
        stateSfr: one.state ?? null,
        sfrWords: one.words ?? null,
        lnCode: number?.lnCode ?? null,
      },
      lnHash: one.state ? `demo-${at}` : null,
      signsLeft: one.status === 'toSign' ? one.periods.length + 1 : 0,
      ...(one.result === 'work' && { workFrom: plusDays(last, 1) }),
      ...(one.result === CONTINUES && { resultCode: CONTINUES }),
      ...(one.state && { dateSent: `${first}T09:00:00Z`, dateAnswered: `${first}T09:01:00Z` }),
      ...(one.status === 'dispute' && {
        sfrData: {
          hash: `other-${at}`,
          state: '010',
          periods: [{ dateFrom: first, dateTo: plusDays(last, 4) }],
          workFrom: null,
          resultCode: null,
          reason,
          employer: employers[at % employers.length],
          lpu: null,
          lnCode: number?.lnCode ?? '',
        },
      }),
    })
    if (number) used.push({ id: number.id, idSickLeave: leave.id })
    return { leave, until, reason }
  }
  const periods: Parameters<typeof asSystem.createMany<typeof SickPeriod>>[1][number][] = []
  for (const [at, one] of cases.entries()) {
    const by = at % 4 === 3 ? (doctors[1 + (at % (doctors.length - 1 || 1))] ?? main) : main
    const { leave, until } = await make(one, at, by, (people[at] as { id: number }).id)
    for (const [from, to] of one.periods) {
      const needs = until !== undefined && plusDays(today, to) > until
      periods.push({
        ...{
          idSickLeave: leave.id,
          dateFrom: plusDays(today, from),
          dateTo: plusDays(today, to),
          idDoctor: by.id,
          post: by.post,
        },
        idChairman: needs ? (chairman?.id ?? null) : null,
        isAccepted: one.state !== undefined && !(one.status === 'toSign' && from === 0),
      })
    }
    if (one.reason === '09')
      await asSystem.create(CaredPerson, {
        ...{
          idSickLeave: leave.id,
          fio: `${(people[at] as { fio: string }).fio} Артём`,
          birthday: '12.05.2019',
          relation: '38',
        },
        ...{ reason: '09', dateFrom: plusDays(today, 0), dateTo: plusDays(today, 3), diagnosis: 'J03.9' },
      })
  }
  for (let at = 0; at < PAST; at++) {
    const person = people[cases.length + at]
    if (!person) break
    const by = doctors[at % doctors.length] ?? main
    const from = -25 - at
    const length = 4 + ((at * 5) % 12) + (at % 9 === 0 ? 10 : 0)
    const state = at % 5 === 0 ? '060' : '080'
    const one: Case = { periods: [[from - length, from]], status: 'accepted', state, result: 'work' }
    const { leave, until } = await make(one, at, by, person.id)
    const [dateFrom, dateTo] = [plusDays(today, from - length), plusDays(today, from)]
    const isLong = until !== undefined && dateTo > until && daysOf(dateFrom, dateTo) > 15
    if (isLong)
      periods.push(
        { idSickLeave: leave.id, dateFrom, dateTo: until, idDoctor: by.id, post: by.post, isAccepted: true },
        {
          idSickLeave: leave.id,
          dateFrom: plusDays(until, 1),
          dateTo,
          idDoctor: by.id,
          post: by.post,
          idChairman: chairman?.id ?? null,
          isAccepted: true,
        },
      )
    else periods.push({ idSickLeave: leave.id, dateFrom, dateTo, idDoctor: by.id, post: by.post, isAccepted: true })
  }
  await asSystem.createMany(SickPeriod, periods, { pastHooks })
  for (const { id, idSickLeave } of used) await asSystem.update(SickNumber, id, { status: 'used', idSickLeave })
  await asSystem.updateWhere(
    SickNumber,
    { rows: sql`select "id" from eln_numbers where "status" = 'free' order by "id" desc limit 2` },
    { status: 'spoiled', note: 'Указан в листе другой клиники' },
  )
  await queries(asSystem, tx)
}

async function queries(asSystem: Records['asSystem'], tx: Tx): Promise<void> {
  const cards = await tx.query<{ id: number; snils: string | null }>(sql`select "id"::int as id, "snils" from customers
    where not "deleted" and "secretLevel" = 'none' order by "id" limit 40`)
  const found = cards.find(({ snils }) => snils)
  const lacking = cards.filter(({ snils }) => !snils)
  const dateAnswered = new Date().toISOString()
  if (found)
    await asSystem.create(SnilsQuery, {
      idCustomer: found.id,
      status: 'found',
      snils: found.snils,
      dateAnswered,
      attempts: 1,
    })
  const [none, several] = lacking
  if (none)
    await asSystem.create(SnilsQuery, {
      idCustomer: none.id,
      status: 'notFound',
      words: 'По этим данным никого нет',
      dateAnswered,
    })
  if (several)
    await asSystem.create(SnilsQuery, {
      ...{ idCustomer: several.id, status: 'several', words: 'Нашлось 2: выберите верный', dateAnswered },
      variants: [
        { snils: '11223344595', note: 'Самара' },
        { snils: '10002888900', note: 'Тольятти' },
      ],
    })
}

/** Signers need a СНИЛС. */
async function known(asSystem: Records['asSystem'], tx: Tx, ids: readonly number[]): Promise<void> {
  const lacking = await tx.query<{ id: number }>(
    sql`select "id"::int as id from users where "id" = any (${ids}::bigint[]) and "snils" is null`,
  )
  for (const { id } of lacking) await asSystem.update(User, id, { snils: schemes.snils.sample(9000 + id) })
}
