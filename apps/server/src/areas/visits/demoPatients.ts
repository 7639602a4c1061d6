/**
 * New patients of the demo clinic: those of its two years, up to a score each day by season and growth, half of whom come
 * about once and each for some months only; and those of its last weeks, who take over visits of regular patients. So
 * newcomers, returns and visits of a patient are those of a clinic in every month. Patients who come in the first days
 * of the two years came before them.
 */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

const pastHooks = { pastHooks: 'The numbers of the demo clinic are made as their kinds have them' }
/** Days before today on which the years begin; new patients a day; days over which a patient comes. */
const [DAYS, PER_DAY, COMES] = [730, 20, 150]
/** Percent of visits by permanent patients; of the rest, percent by one-time patients. */
const [OLD, ONCE] = [35, 22]
/** First place number of the new patients. */
const NEW_FROM = 1_000_000

const surnames = [
  ...['Алексеев', 'Антонов', 'Баранов', 'Беляев', 'Власов', 'Голубев', 'Денисов', 'Ефимов', 'Захаров', 'Зуев'],
  ...['Калинин', 'Киселёв', 'Крылов', 'Макаров', 'Маслов', 'Медведев', 'Никитин', 'Осипов', 'Поляков', 'Родионов'],
  ...['Савельев', 'Сорокин', 'Субботин', 'Титов', 'Филатов', 'Фролов', 'Цветков', 'Черкасов', 'Шестаков', 'Яковлев'],
]
const men = ['Артём', 'Виктор', 'Григорий', 'Игорь', 'Леонид', 'Максим', 'Олег', 'Степан', 'Тимур', 'Юрий']
const women = ['Анна', 'Валерия', 'Галина', 'Екатерина', 'Инна', 'Ксения', 'Марина', 'Оксана', 'Светлана', 'Яна']
const fathers = ['Андреев', 'Борисов', 'Викторов', 'Денисов', 'Иванов', 'Максимов', 'Олегов', 'Павлов']

/** A stable number for each row. */
const hashed = (of: string): string => `(hashint8(${of}) & 2147483647)`
const oneOf = (list: readonly string[], at: string): string =>
  `(array['${list.join("', '")}'])[${at} % ${list.length} + 1]`
/** Numbers of the ranges that are given to nobody: +7 900 006 and 007, and of the last weeks 005 and 008. */
const isNew = raw(`("phone" like '+7900006%' or "phone" like '+7900007%')`)
const isRegular = raw(`not ("phone" ~ '^\\+790000[5-8]')`)

/** Load of each month, in hundredths: summer and the first weeks of January are quiet. */
export const seasons = [74, 98, 103, 101, 84, 82, 68, 74, 104, 108, 106, 97]
const seasonOf = (day: string): string => `(array[${seasons.join(', ')}])[extract(month from ${day})::int]`

/** Whether a place of the years has a patient: one in four always, the others by season and growth of their day. */
function isPlace(n: string): string {
  const day = `(current_date - ${DAYS + COMES} + (${n} / ${PER_DAY})::int)`
  const grown = `(90 - least(60, (current_date - ${day}) / 30 * 1.6))`
  return `(${n} % 4 = 0 or ${hashed(`${n} * 31 + 6`)} % 100 < ${seasonOf(day)} * ${grown} / 90)`
}

/** Values of a made-up person. @param n its number, as SQL */
function personOf(n: string) {
  const isWoman = `${n} % 5 < 3`
  const father = oneOf(fathers, hashed(`${n} * 31 + 2`))
  const name = (list: readonly string[]) => oneOf(list, hashed(`${n} * 31 + 3`))
  return {
    surname: raw(`${oneOf(surnames, hashed(`${n} * 31 + 1`))} || case when ${isWoman} then 'а' else '' end`),
    name: raw(`case when ${isWoman} then ${name(women)} else ${name(men)} end`),
    middleName: raw(`${father} || case when ${isWoman} then 'на' else 'ич' end`),
    gender: raw(`case when ${isWoman} then 'female' else 'male' end`),
    birthday: raw(`date '1943-01-01' + (${hashed(`${n} * 31 + 4`)} % 25000)::int`),
    idSource: raw('s."id"'),
  }
}
/** Where a person has come from; unknown for one in five. @param n its number, as SQL */
const sourceOf = (
  n: string,
) => sql`left join (select "id", row_number() over (order by "id") - 1 as at, count(*) over () as total
    from customer_sources where "idParentSource" is not null) s on s.at = ${raw(hashed(`${n} * 31 + 5`))} % s.total and ${raw(n)} % 10 < 8`

/** Creates the new patients who may come on the days. @param days first and last, as SQL */
export async function demoPatients(records: Records, [first, last]: readonly [Sql, Sql]): Promise<void> {
  await records.asSystem.createFrom(
    Customer,
    sql`(select n, row_number() over (order by n) as turn from generate_series(
          greatest(0, (${DAYS}::int - (current_date - ${first})) * ${PER_DAY}::int - 4),
          (${DAYS + COMES}::int - (current_date - ${last})) * ${PER_DAY}::int) n
        where ${raw(isPlace('n'))} and not exists (select from customers c where c."phone" = '+790000' || (60000 + n)::text)) p
      ${sourceOf('n')} order by n`,
    {
      ...personOf('n'),
      phone: raw(`'+790000' || (60000 + n)::text`),
      cardNumber: raw(`'П-' || (10000 + n)::text`),
      dateCreate: raw(`least(now(), (current_date - ${DAYS + COMES} + n / ${PER_DAY})::timestamptz)`),
    },
    pastHooks,
  )
}

/** Of a hundred first and other visits of the last weeks, those that new patients take over from regular ones. */
const [FIRSTS, OTHERS] = [40, 22]
/** First visits to one of whose patients a later visit may go. */
const BACK = 300

/** Gives visits of the last weeks to new patients, more of them in a busy season. */
export async function demoLatePatients(records: Records, tx: Tx): Promise<void> {
  const visits = sql`(select v."id", v."kind", v."dateFrom", v."dateCreate", ${raw(hashed('v."id" * 61 + 3'))} % 100 as luck,
      ${raw(seasonOf('v."localDate"'))} as season
    from appointments v join customers c on c."id" = v."idCustomer"
    where v."localDate" <= current_date and v."idSeries" is null and v."visitStatus" not in ('moved', 'cancelled')
      and ${raw('not (c."phone" like \'+7900005%\')')}) v`
  const firsts = sql`(select v.*, row_number() over (order by v."dateFrom", v."id") as n from ${visits}
    where v."kind" = 'primary' and v.luck < ${FIRSTS}::int * v.season / 100) f`
  await records.asSystem.createFrom(
    Customer,
    sql`${firsts} ${sourceOf('n')} order by n`,
    {
      ...personOf('n'),
      phone: raw(`'+790000' || (80000 + n)::text`),
      cardNumber: raw(`'П-' || (80000 + n)::text`),
      dateCreate: raw('least(now(), f."dateCreate")'),
    },
    pastHooks,
  )
  await tx.query(sql`
    with f as materialized (select f.*, c."id" as customer from ${firsts} join customers c on c."phone" = '+790000' || (80000 + f.n)::text),
    marks as (select "id", "dateFrom" + interval '5 days' as at, true as "isFirst" from f
      union all select v."id", v."dateFrom", false from ${visits} where v."kind" <> 'primary' and v.luck < ${OTHERS}::int),
    again as (select "id", "isFirst", count(*) filter (where "isFirst") over (order by at)
      - ${raw(hashed('"id" * 67 + 5'))} % ${BACK}::int as n from marks)
    update appointments v set "idCustomer" = t.customer
    from (select "id", customer from f union all select a."id", f.customer from again a join f on f.n = a.n where not a."isFirst") t
    where v."id" = t."id"`)
}

/** Days before the first day of the past over which earlier visits are spread, and days after it on which patients return. */
const [EARLIER, RETURNS] = [28, 45]

/**
 * Gives regular patients who come soon after the first day of the past a visit before it: they are no newcomers.
 * @param first day of the past, as SQL
 */
export async function demoEarlierVisits(records: Records, first: Sql): Promise<void> {
  const back = sql`(7 * (1 + a."id" % ${EARLIER / 7}::int) + (a."localDate" - ${first}) / 7 * 7)::int`
  const earlier = (moment: string) => sql`${raw(moment)} - make_interval(days => ${back})`
  await records.asSystem.createFrom(
    Appointment,
    sql`(select distinct on (v."idCustomer") v.* from appointments v join customers c on c."id" = v."idCustomer"
        where ${isRegular} and v."localDate" between ${first} and ${first} + ${RETURNS}::int and v."dateCompleted" is not null
        order by v."idCustomer", v."dateFrom") a
      where not exists (select from appointments b where b."idCustomer" = a."idCustomer" and b."dateFrom" < a."dateFrom")
      order by a."dateFrom", a."id"`,
    {
      idCustomer: raw('a."idCustomer"'),
      idFilial: raw('a."idFilial"'),
      idUser: raw('a."idUser"'),
      localDate: sql`a."localDate" - ${back}`,
      localStart: raw('a."localStart"'),
      dateFrom: earlier('a."dateFrom"'),
      dateTo: earlier('a."dateTo"'),
      kind: raw(`'repeat'`),
      channel: raw('a."channel"'),
      visitStatus: raw(`'completed'`),
      dateArrived: earlier('a."dateArrived"'),
      dateStarted: earlier('a."dateStarted"'),
      dateCompleted: earlier('a."dateCompleted"'),
      idAuthor: raw('a."idAuthor"'),
      dateCreate: earlier('a."dateCreate"'),
      dateChange: earlier('a."dateChange"'),
    },
    pastHooks,
  )
}

/**
 * Candidates for past visits as a table `p` of ids with places, and the place of a visit's patient.
 * @param day of the visit
 * @param seed of the visit
 */
export function pastPatients(day: string, seed: string): { patients: Sql; place: Sql } {
  const ago = `(current_date - ${day})`
  const known = `(select count(*) from customers where ${isRegular.sql}) * (100 - least(90, 4 * (${ago} / 30))) / 100`
  // Most visits of a patient are in the first weeks.
  const since = `${hashed(`${seed} * 53 + 9`)} % ${COMES * PER_DAY} * (${hashed(`${seed} * 59 + 1`)} % 100) / 100`
  const at = `((${DAYS + COMES} - ${ago}) * ${PER_DAY} - ${since})`
  const parity = `(case when ${hashed(`${seed} * 43 + 7`)} % 100 < ${ONCE} then ${at} | 1 else ${at} & ~1 end)`
  return {
    patients: raw(`(select "id", row_number() over (order by "id") - 1 as at from customers where ${isRegular.sql}
      union all select "id", ${NEW_FROM} + substr("phone", 8)::int - 60000 from customers where ${isNew.sql})`),
    place:
      raw(`case when ${hashed(`${seed} * 47 + 5`)} % 100 < ${OLD} then ${hashed(seed)} % greatest(1, (${known})::int)
      else ${NEW_FROM} + case when ${isPlace(parity)} then ${parity} else ${parity} & ~3 end end`),
  }
}
