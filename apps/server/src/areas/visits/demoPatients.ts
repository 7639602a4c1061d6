/**
 * Patients of the demo clinic's two years: about twenty new ones a day, half of whom come about once. Each comes for a
 * few months only, so that newcomers, returns and visits per patient are realistic.
 */
import { Customer } from '@ordinator/model/areas/customers/customer'
import sql, { raw, type Sql } from 'sql-template-tag'
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
/** Phone numbers of an unassigned range: +7 900 006 and 007. */
const isNew = raw(`("phone" like '+790006%' or "phone" like '+790007%')`)

/** Creates the new patients who may come on the days. @param days first and last, as SQL */
export async function demoPatients(records: Records, [first, last]: readonly [Sql, Sql]): Promise<void> {
  const isWoman = 'n % 5 < 3'
  const surname = oneOf(surnames, hashed('n * 31 + 1'))
  const father = oneOf(fathers, hashed('n * 31 + 2'))
  await records.asSystem.createFrom(
    Customer,
    sql`(select n, row_number() over (order by n) as turn from generate_series(
          greatest(0, (${DAYS}::int - (current_date - ${first})) * ${PER_DAY}::int - 1),
          (${DAYS + COMES}::int - (current_date - ${last})) * ${PER_DAY}::int) n
        where not exists (select from customers c where c."phone" = '+79000' || (60000 + n)::text)) p
      left join (select "id", row_number() over (order by "id") - 1 as at, count(*) over () as total from customer_sources
        where "idParentSource" is not null) s on s.at = ${raw(hashed('n * 31 + 5'))} % s.total and n % 10 < 8
      order by n`,
    {
      surname: raw(`${surname} || case when ${isWoman} then 'а' else '' end`),
      name: raw(
        `case when ${isWoman} then ${oneOf(women, hashed('n * 31 + 3'))} else ${oneOf(men, hashed('n * 31 + 3'))} end`,
      ),
      middleName: raw(`${father} || case when ${isWoman} then 'на' else 'ич' end`),
      gender: raw(`case when ${isWoman} then 'female' else 'male' end`),
      birthday: raw(`date '1943-01-01' + (${hashed('n * 31 + 4')} % 25000)::int`),
      phone: raw(`'+79000' || (60000 + n)::text`),
      cardNumber: raw(`'П-' || (10000 + n)::text`),
      idSource: raw('s."id"'),
      dateCreate: raw(`least(now(), (current_date - ${DAYS + COMES} + n / ${PER_DAY})::timestamptz)`),
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
  const known = `(select count(*) from customers where not ${isNew.sql}) * (100 - least(90, 4 * (${ago} / 30))) / 100`
  const at = `((${DAYS + COMES} - ${ago}) * ${PER_DAY} - ${hashed(`${seed} * 53 + 9`)} % ${COMES * PER_DAY})`
  return {
    patients: raw(`(select "id", row_number() over (order by "id") - 1 as at from customers where not ${isNew.sql}
      union all select "id", ${NEW_FROM} + substr("phone", 7)::int - 60000 from customers where ${isNew.sql})`),
    place:
      raw(`case when ${hashed(`${seed} * 47 + 5`)} % 100 < ${OLD} then ${hashed(seed)} % greatest(1, (${known})::int)
      else ${NEW_FROM} + case when ${hashed(`${seed} * 43 + 7`)} % 100 < ${ONCE} then ${at} | 1 else ${at} & ~1 end end`),
  }
}
