/** Import of customers from a table: the check and the import over HTTP, as an employee who may edit customers. */
import type { Import } from '@ordinator/model/areas/imports/import'
import type { Row } from '@ordinator/model/entity'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import type { Line, Part } from './table.ts'
import { seeded } from './words.ts'

export const LOGIN = 'bench-1'
/** Seconds that 100,000 rows may take. */
const IMPORT_GOAL = 300
const IMPORTS = [20_000, 100_000]
const POLL_MS = 500

export async function measureCustomers(): Promise<Part> {
  const lines: Line[] = []
  const clinic = await startClinic({ tasks: 2_000, durable: false })
  await grant(clinic)
  for (const rows of IMPORTS) lines.push(await importLine(clinic, rows))
  await release()
  return { title: 'Customers from a table, three rows of ten wrong', lines }
}

async function grant({ db, data }: BenchClinic): Promise<void> {
  await db.query({
    text: `insert into "user_permissions" ("idUser", "permission") select $1, p from unnest($2::text[]) p`,
    values: [data.idUsers[0], ['viewCustomers', 'editCustomers']],
  })
}

/** Takes a file in over HTTP. @returns the import, and seconds of the check and of the import */
export async function takeFile(
  clinic: BenchClinic,
  asked: { kind: string; params: object; file: string; skipWrong?: boolean },
): Promise<{ run: Row<typeof Import>; checked: number; seconds: number }> {
  const token = await clinic.signIn(LOGIN)
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(clinic.product.url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof init.body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  const form = new FormData()
  form.append('kind', asked.kind)
  form.append('params', JSON.stringify(asked.params))
  form.append('file', new Blob([asked.file]), `${asked.kind}.csv`)
  const began = performance.now()
  const preview = await call('/imports/preview', { method: 'POST', body: form })
  const checked = performance.now()
  let run: Row<typeof Import> = await call('/imports', {
    method: 'POST',
    body: JSON.stringify({ upload: preview.upload, mapping: preview.mapping, skipWrong: asked.skipWrong ?? false }),
  })
  while (run.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    run = await call(`/imports/${run.id}`)
  }
  return { run, checked: (checked - began) / 1000, seconds: (performance.now() - checked) / 1000 }
}

async function importLine(clinic: BenchClinic, count: number): Promise<Line> {
  const { run, checked, seconds } = await takeFile(clinic, {
    ...{ kind: 'customers', params: {}, file: table(count), skipWrong: true },
  })
  return {
    what: `import of ${count.toLocaleString('en')} rows: ${run.created} taken in, ${run.failed} wrong; the check ${checked.toFixed(0)} s`,
    product: `${seconds.toFixed(0)} s`,
    goal: { text: `≤ ${IMPORT_GOAL} s`, met: run.state === 'done' && seconds <= IMPORT_GOAL },
  }
}

/** A file with so many people; three rows of ten have errors. */
function table(count: number): string {
  const random = seeded(count)
  const lines = ['Фамилия;Имя;Отчество;Дата рождения;Пол;Телефон;СНИЛС;Полис ОМС;Город;Метки']
  for (let i = 0; i < count; i++) {
    const wrong = i % 10
    const day = `${1 + random.below(28)}.${1 + random.below(12)}.${1930 + random.below(90)}`
    lines.push(
      [
        `Фамильнов${random.below(count)}`,
        random.pick(['Анна', 'Иван', 'Олег', 'Ольга', 'Пётр']),
        'Петрович',
        wrong === 0 ? '31.02.2000' : day,
        'м',
        wrong === 1 ? '12' : `+79${count === 20_000 ? 1 : 2}${String(100_000_000 + i).slice(1)}`,
        wrong === 2 ? '112-233-445 96' : '',
        '',
        'Псков',
        i % 7 ? '' : 'Постоянный',
      ].join(';'),
    )
  }
  return lines.join('\n')
}
