/**
 * Public reviews by a file that a site or a monitoring service gives its owner. A review is known by its number on the site,
 * else by site, branch, moment and author: the same file twice brings nothing.
 */
import { linkedSites, Review } from '@ordinator/model/areas/outside/review'
import type { Create } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type Checked,
  columnsFor,
  type ImportContext,
  type Importer,
  rowReader,
  shortNames,
} from '#areas/imports/index.ts'
import { clinicZone } from '#areas/settings/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'

const params = z.strictObject({
  /** The branch of rows that name none. */
  idFilial: z.int().positive().nullable().default(null),
})
type Params = z.output<typeof params>

const SITE = 'Откуда'
const FILIAL = 'Филиал'
const DOCTOR = 'О ком'
/** Of the sites; the clinic's own question has ten. */
const MOST_STARS = 5

const columns = columnsFor(Review, [
  { field: 'site', also: ['Площадка', 'Источник', 'Сайт'], examples: ['Яндекс Карты', '2ГИС'] },
  { field: 'idFilial', required: false, also: ['Адрес', 'Точка'], examples: ['', ''] },
  { field: 'dateReview', also: ['Дата', 'Дата отзыва', 'Когда'], examples: ['28.11.2026 14:30', '29.11.2026'] },
  { field: 'author', also: ['Автор', 'Имя'], examples: ['Сергей', 'Анна К.'] },
  { field: 'score', also: ['Рейтинг', 'Звёзд'], examples: ['5', '2'] },
  { field: 'text', also: ['Текст', 'Текст отзыва'], examples: ['Всё понравилось', 'Долго ждал'] },
  { field: 'idDoctor', also: ['Врач', 'Сотрудник'], examples: ['Иванов Иван Иванович', ''] },
  { field: 'outerId', also: ['ID', 'Номер', 'ID отзыва'], examples: ['12345', ''] },
  { field: 'url', also: ['Ссылка'], examples: ['', ''] },
  { field: 'answer', also: ['Ответ компании'], examples: ['', 'Разобрались, спасибо'] },
])

type Body = Create<typeof Review>

interface Named {
  id: number
  name: string
}

interface Ready {
  zone: string
  idFilial: number | null
  filials: Map<string, Named[]>
  doctors: Map<string, Named[]>
  known: Set<string>
}

/** What is the same in any file of one review. */
const marks = ({ site, outerId, idFilial, dateReview, author }: Partial<Body>): string[] => [
  ...(outerId ? [`${site} ${outerId}`] : []),
  [site, idFilial, new Date(String(dateReview)).getTime(), (author ?? '').toLowerCase()].join(' '),
]

async function open(
  { records, tx, params: { idFilial } }: ImportContext<Params>,
  _rows: readonly Cells[],
): Promise<Ready> {
  // The right to see reviews is that of the list.
  await records.rows(Review, { limit: 1 })
  const known = await tx.query<Partial<Body>>(sql`select "site", "outerId", "idFilial"::int as "idFilial",
    to_char("dateReview" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "dateReview", "author" from reviews where not "deleted"`)
  const zone = await tx.one<{ zone: string }>(sql`select ${clinicZone} as zone`)
  const filials = await tx.query<Named>(
    sql`select "id"::int as id, "nameFilial" as name from filials where not "deleted"`,
  )
  const people = await tx.query<Named & { short: string }>(sql`select u."id"::int as id,
    concat_ws(' ', u."surname", u."name", u."middleName") as name, ${shortFioSql(raw('u'))} as short from users u where not u."deleted"`)
  return {
    zone: zone?.zone ?? 'Europe/Moscow',
    idFilial,
    filials: byNames(filials, ({ name }) => [name]),
    doctors: byNames(people, ({ name, short }) => [name, ...shortNames(short)]),
    known: new Set(known.flatMap(marks)),
  }
}

function check(ready: Ready, cells: Cells): Checked<Body> {
  const reader = rowReader(columns, cells, ready.zone)
  const site = reader.chosen(SITE, linkedSites)
  const filial = reader.text(FILIAL) ? reader.named(FILIAL, ready.filials, 'такого филиала нет')?.id : ready.idFilial
  const doctor = reader.text(DOCTOR) ? reader.named(DOCTOR, ready.doctors, 'такого сотрудника нет')?.id : undefined
  const body = {
    ...reader.values(columns.filter(({ name }) => name !== SITE)),
    ...(site && { site }),
    ...(filial && { idFilial: filial }),
    ...(doctor && { idDoctor: doctor }),
  }
  const value = reader.check(Review, body, 'create', SITE) as Body | undefined
  if (reader.errors.length || !value) return { errors: reader.errors }
  if (Number(value.score ?? 0) > MOST_STARS)
    return { errors: [{ field: 'Оценка', message: `На площадках оценки до ${MOST_STARS}` }] }
  const own = marks(value)
  if (own.some((mark) => ready.known.has(mark)))
    return { isSkipped: true, notes: [{ field: SITE, message: 'Уже загружен' }] }
  for (const mark of own) ready.known.add(mark)
  return { values: { ...value, ...(value.answer && { state: 'answered' as const }) }, shown: cells }
}

/** Offered by the area; the rehearsal is the preview of the import. */
export const reviewsImporter: Importer<Params, Cells, Ready, Body> = {
  kind: 'reviews',
  label: 'Отзывы с площадок',
  access: 'editAppeals',
  params,
  columns,
  open,
  check,
  async write({ records }, _, value) {
    const { id } = await records.create(Review, value)
    return [{ path: Review.path, id }]
  },
}
