/** A list of 20,000 insured people as an insurer mails it, taken in over HTTP, and the same list again. */
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { takeFile } from './customers.ts'
import type { Line, Part } from './table.ts'
import { seeded } from './words.ts'

const ROWS = 20_000
/** Seconds that the list may take, with its check. */
const GOAL = 60
const DAY = '2026-11-01'

export async function measureInsured(): Promise<Part> {
  const clinic = await startClinic({ tasks: 2_000, durable: false })
  const { db, data } = clinic
  await db.query({
    text: `insert into "user_permissions" ("idUser", "permission") select $1, p from unnest($2::text[]) p`,
    values: [data.idUsers[0], ['viewPayers', 'editPayers', 'viewCustomers']],
  })
  const [made] = await db.query<{ idContract: number; idProgramme: number }>({
    text: `with own as (insert into organizations ("shortName", "kind") values ('Своя', 'own') returning "id"),
        payer as (insert into organizations ("shortName", "kind") values ('Страховая', 'insurer') returning "id"),
        programme as (insert into organizations_programmes ("idOrganization", "name") select "id", 'Стандарт' from payer returning "id"),
        contract as (insert into payer_contracts ("idPayer", "idOrganization", "number", "dateFrom")
          select p."id", o."id", 'Д-1', '2026-01-01' from payer p, own o returning "id")
      select (select "id" from contract)::int as "idContract", (select "id" from programme)::int as "idProgramme"`,
  })
  // Half of them are patients of the clinic.
  await db.query({
    text: `insert into customers ("surname", "name", "middleName", "birthday")
      select 'Застрахованов' || i, 'Анна', 'Петровна', date '1950-01-01' + i from generate_series(0, $1 - 1, 2) i`,
    values: [ROWS],
  })
  const file = list()
  const params = { ...made, kind: 'full', day: DAY }
  const lines: Line[] = []
  for (const what of ['first', 'again']) {
    const before = await versions(clinic)
    const { run, checked, seconds } = await takeFile(clinic, { kind: 'insured', params, file })
    const changed = (await versions(clinic)) - before
    const expected = what === 'first' ? ROWS : 0
    lines.push({
      what: `list of ${ROWS.toLocaleString('en')} insured, ${what}: ${run.created} new, ${changed} rows written; the check ${checked.toFixed(0)} s`,
      product: `${(checked + seconds).toFixed(0)} s`,
      goal: {
        text: `≤ ${GOAL} s, ${expected.toLocaleString('en')} written`,
        met: run.state === 'done' && checked + seconds <= GOAL && changed === expected,
      },
    })
  }
  await release()
  return { title: 'Lists of the insured', lines }
}

/** Grows with every write of an insured person. */
const versions = async ({ db }: BenchClinic): Promise<number> =>
  (
    await db.query<{ sum: number }>({ text: 'select coalesce(sum("_version"), 0)::float8 as sum from insured_persons' })
  )[0]?.sum ?? 0

function list(): string {
  const random = seeded(ROWS)
  const lines = ['Полис;Фамилия;Имя;Отчество;Дата рождения;Программа']
  for (let i = 0; i < ROWS; i++) {
    const born = new Date(Date.UTC(1950, 0, 1 + i)).toISOString().slice(0, 10).split('-').reverse().join('.')
    lines.push(`770-${1_000_000 + i};Застрахованов${i};Анна;Петровна;${born};${random.below(2) ? 'Стандарт' : ''}`)
  }
  return lines.join('\n')
}
