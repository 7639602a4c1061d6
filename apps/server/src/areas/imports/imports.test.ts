import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { type Caller, type Clinic, testApp } from '../../testing/harness.ts'
import { addPerson } from '../../testing/people.ts'

const T = '/tasks-management'
let clinic: Clinic
let owner: Caller
let anna: Caller
const ids: Record<string, number> = {}

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      const people = [
        ['owner', 'Петров', 'Пётр'],
        ['anna', 'Иванова', 'Анна'],
        ['twin1', 'Сидоров', 'Иван'],
        ['twin2', 'Сидоров', 'Иван'],
      ] as const
      for (const [login, surname, name] of people)
        ids[login] = (await addPerson(app, login, ['viewTasksManagement'], { surname, name })).id
    },
  })
  owner = clinic.as('owner')
  anna = clinic.as('anna')
})
afterAll(() => clinic.close())

type Body = Record<string, any>
const good = (answer: { status: number; body: any; text: string }): any => {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.body
}

async function board(rights: Body = {}): Promise<Body> {
  const made = good(await owner.post(`${T}/boards`, { name: 'Импорт' }))
  for (const login of ['anna', 'twin1', 'twin2'])
    good(await owner.post(`${T}/members`, { idBoard: made.id, idUser: ids[login], ...(login === 'anna' && rights) }))
  return made
}

function form(file: string | Uint8Array, name: string, kind: string, params: Body = {}): FormData {
  const data = new FormData()
  data.append('file', new File([file as BlobPart], name))
  data.append('kind', kind)
  data.append('params', JSON.stringify(params))
  return data
}

const preview = (who: Caller, file: string | Uint8Array, idBoard: number, name = 'задачи.csv') =>
  who.post('/imports/preview', form(file, name, 'tasks', { idBoard }))

async function begin(who: Caller, seen: Body, more: Body = {}): Promise<Body> {
  return good(await who.post('/imports', { upload: seen.upload, mapping: seen.mapping, ...more }))
}

/** Preview, start, and all jobs run to their end. */
async function take(who: Caller, file: string | Uint8Array, idBoard: number, more: Body = {}): Promise<Body> {
  const run = await begin(who, good(await preview(who, file, idBoard)), more)
  await clinic.context.jobs.drain()
  return good(await who.get(`/imports/${run.id}`))
}

const cards = async (who: Caller, idBoard: number): Promise<Body[]> =>
  good(
    await who.get(
      `${T}/assigned?filter[column.idBoard]=${idBoard}&sort=order&limit=500&expand=column,task.tags,task.executors.member,task.responsible.member`,
    ),
  ).items

const csv = (...lines: string[]) => lines.join('\r\n')
const names = (found: Body[]) => found.map((one) => one.task.name)

describe('reading', () => {
  const cyrillic = (text: string) =>
    Uint8Array.from([...text].map((c) => (c >= 'А' && c <= 'я' ? c.charCodeAt(0) - 0x350 : c.charCodeAt(0))))

  it.each([
    ['UTF-8 with a mark', '\uFEFFНазвание;Важность\r\nПервая;3'],
    ['UTF-8 with commas', 'Название,Важность\nПервая,3'],
    ['tabs', 'Название\tВажность\nПервая\t3\n\n'],
    ['windows-1251', cyrillic('Название;Важность\r\nПервая;3')],
    ['other heads', 'Задача;Приоритет\nПервая;3'],
  ])('understands %s', async (_what, file) => {
    const { id } = await board()
    const seen = good(await preview(owner, file, id))
    expect(seen).toMatchObject({ total: 1, wrong: 0, mapping: { Название: 0, Важность: 1 }, errors: [] })
    expect(seen.rows[0]).toMatchObject({ row: 1, values: { Название: 'Первая', Важность: '3', Колонка: 'Новые' } })
    expect(await cards(owner, id)).toEqual([])
  })

  it('understands XLSX: real dates, numbers, marks', async () => {
    const { id } = await board()
    const head = ['Название', 'Срок', 'Важность', 'Завершена'].map((value) => ({ value }))
    const date = { value: new Date('2026-12-05T18:30:00Z'), type: Date, format: 'dd.mm.yyyy hh:mm' }
    const row = [{ value: 'Из таблицы' }, date, { value: 7, type: Number }, { value: true, type: Boolean }]
    const made = await writeXlsxFile([head, row] as never)
    const seen = good(await preview(owner, await made.toBuffer(), id, 'задачи.xlsx'))
    expect(seen.errors).toEqual([])
    expect(seen.rows[0].values).toMatchObject({
      Название: 'Из таблицы',
      Срок: '05.12.2026 18:30',
      Важность: '7',
      Завершена: 'Да',
    })
  })

  it.each([
    ['an empty file', '', 'Файл пуст'],
    ['a head alone', 'Название\n', 'В файле нет ни одной строки под заголовком'],
    ['a picture', Uint8Array.from([137, 80, 78, 71, 0, 0, 0, 1]), 'Файл не похож на таблицу: нужен CSV или XLSX'],
    ['an old spreadsheet', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 1]), /старого Excel/],
    ['too many rows', `Название\n${'x\n'.repeat(10_001)}`, /больше 10.000 строк/],
    ['a broken archive', 'PK\x03\x04 nothing', /повреждён/],
    ['a zip bomb', () => bomb(), 'Файл слишком велик в распакованном виде'],
  ])('refuses %s', async (_what, file, message) => {
    const { id } = await board()
    const answer = await preview(owner, typeof file === 'function' ? file() : file, id)
    expect(answer.status).toBe(422)
    expect(answer.body[0]).toMatchObject({ field: 'file', message: expect.stringMatching(message) })
    expect(good({ ...answer, status: 200 })).toHaveLength(1)
    expect(
      await clinic.db.query({
        text: `select 1 from import_uploads where "fileName" = 'задачи.csv' and "params" = $1`,
        values: [JSON.stringify({ idBoard: id })],
      }),
    ).toEqual([])
  })

  /** A spreadsheet that says it is small and unpacks to 300 MB. */
  function bomb(): Uint8Array {
    const name = Buffer.from('xl/workbook.xml')
    const data = deflateRawSync(Buffer.alloc(300 * 1024 * 1024))
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(data.length, 18)
    local.writeUInt32LE(100, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt32LE(100, 24)
    entry.writeUInt16LE(name.length, 28)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(46 + name.length, 12)
    end.writeUInt32LE(30 + name.length + data.length, 16)
    return Buffer.concat([local, name, data, entry, name, end])
  }
})

describe('tasks', () => {
  it('are made with people, tags, columns and check lists, in the order of the file', async () => {
    const made = await board()
    const file = csv(
      'Название;Описание;Важность;Начало;Срок;Колонка;Исполнители;Ответственные;Метки;Чек-лист;Завершена',
      'Первая;"Строка <1>\nСтрока 2";5;01.12.2026;05.12.2026 18:00;в работе;Иванова Анна;owner;"Склад, Срочно";Раз; нет',
      'Вторая;;;;2026-12-06T10:00:00+03:00;Новая колонка;anna, owner;;;"Раз\nДва; Три";да',
    )
    const run = await take(owner, file, made.id, { params: { createColumns: true } })
    expect(run).toMatchObject({ state: 'done', total: 2, done: 2, created: 2, failed: 0 })
    const found = await cards(owner, made.id)
    const byName = (name: string) => found.find((one) => one.task.name === name) as Body
    expect(byName('Первая')).toMatchObject({
      column: { name: 'В работе' },
      task: {
        description: '<p>Строка &lt;1&gt;</p><p>Строка 2</p>',
        importance: 5,
        executors: [{ member: { idUser: ids.anna } }],
        responsible: [{ member: { idUser: ids.owner } }],
      },
    })
    const instant = (text: string) => new Date(text).toISOString()
    expect(instant(byName('Первая').task.dateEnd)).toBe('2026-12-05T15:00:00.000Z')
    expect(instant(byName('Первая').task.dateStart)).toBe('2026-11-30T21:00:00.000Z')
    expect(instant(byName('Вторая').task.dateEnd)).toBe('2026-12-06T07:00:00.000Z')
    expect(byName('Первая').task.tags.map((tag: Body) => tag.name)).toEqual(['Склад', 'Срочно'])
    expect(byName('Вторая').task).toMatchObject({ isCompleted: true })
    expect(byName('Вторая').task.executors).toHaveLength(2)
    const lists = good(
      await owner.get(`${T}/entities?filter[idTask]=${byName('Вторая').idTask}&filter[type]=checklist`),
    ).items
    const items = good(await owner.get(`${T}/check-list-items?filter[idCheckList]=${lists[0].idEntity}`)).items
    expect(items.map((item: Body) => item.name)).toEqual(['Раз', 'Два', 'Три'])
    expect(run.dateEnd).toBeTruthy()
  })

  it('tell each wrong cell by row and column', async () => {
    const { id } = await board()
    const file = csv(
      'Название;Важность;Начало;Срок;Колонка;Исполнители;Завершена',
      ';11;31.02.2026;1.1.26;Нет такой;Сидоров Иван;может быть',
      '',
      'Хорошая;;;;;;',
      'Чужая;;02.01.2026;01.01.2026;;Неизвестный;',
    )
    const seen = good(await preview(owner, file, id))
    expect(seen).toMatchObject({ total: 3, wrong: 2, errorsTotal: 9 })
    expect(seen.errors.map((e: Body) => `${e.row} ${e.field}: ${e.message}`)).toEqual([
      '1 Важность: Нужно целое число от 1 до 10',
      '1 Начало: Дата нужна как ДД.ММ.ГГГГ или ДД.ММ.ГГГГ ЧЧ:ММ',
      '1 Срок: Дата нужна как ДД.ММ.ГГГГ или ДД.ММ.ГГГГ ЧЧ:ММ',
      '1 Завершена: Нужно «да» или «нет»',
      '1 Исполнители: «Сидоров Иван» — таких участников несколько: укажите логин',
      '1 Название: Обязательное поле',
      '1 Колонка: Колонки «Нет такой» нет в рабочем пространстве',
      '4 Исполнители: «Неизвестный» — нет такого участника рабочего пространства',
      '4 Срок: Срок не может быть раньше начала',
    ])
    const run = await take(owner, file, id, { skipWrong: true })
    expect(run).toMatchObject({ state: 'done', created: 1, failed: 2, done: 3 })
    expect(names(await cards(owner, id))).toEqual(['Хорошая'])
    const told = await owner.get(`/imports/${run.id}/errors?format=csv`)
    expect(told.text.split('\r\n')).toHaveLength(11)
    expect(told.text).toContain('4;Срок;Срок не может быть раньше начала')
  })

  it('come all or none when wrong rows are not to be skipped', async () => {
    const { id } = await board()
    const rows = Array.from({ length: 30 }, (_, i) => `Задача ${i};${i === 28 ? 99 : 1}`)
    const run = await take(owner, csv('Название;Важность', ...rows), id)
    expect(run).toMatchObject({ state: 'failed', created: 0, failed: 1 })
    expect(run.message).toContain('нашлись ошибки')
    expect(await cards(owner, id)).toEqual([])
  })

  it('come back from their own export as they were', async () => {
    const [from, to] = [await board(), await board()]
    const file = csv(
      'Название;Описание;Важность;Начало;Срок;Колонка;Исполнители;Ответственные;Метки;Завершена',
      '=1+1;"Две\nстроки";10;01.12.2026 09:30;05.12.2026 18:00;В работе;Иванова Анна;Петров Пётр;"""Раз, два"", Три";нет',
      '"Кавычки ""и"" ; точка";;1;;;Новые;Иванова Анна, Петров Пётр;;;нет',
      '-5;;1;;07.12.2026 23:59;Завершённые;;;;да',
    )
    await take(owner, file, from.id)
    const fields = [
      'task.name',
      'task.description',
      'task.importance',
      'task.dateStart',
      'task.dateEnd',
      'column.name',
      'task.executors.member.user.fio',
      'task.responsible.member.user.fio',
      'task.tags.name',
      'task.isCompleted',
    ]
    const titles = 'Название,Описание,Важность,Начало,Срок,Колонка,Исполнители,Ответственные,Метки,Завершена'
    const exported = async (id: number, format: string) =>
      owner.get(
        `${T}/assigned/export?format=${format}&fields=${fields.join()}&titles=${encodeURIComponent(titles)}&filter[column.idBoard]=${id}&sort=order,id`,
      )
    const first = await exported(from.id, 'csv')
    expect(first.text.split('\r\n')[0]).toBe(`\uFEFF${titles.replaceAll(',', ';')}`)
    expect(first.text).toContain(
      '\'=1+1;"Две\nстроки";10;01.12.2026 09:30;05.12.2026 18:00;В работе;Иванова Анна;Петров Пётр;',
    )
    expect((await take(owner, first.bytes, to.id)).failed).toBe(0)
    const sorted = (text: string) => text.split('\r\n').toSorted()
    expect(sorted((await exported(to.id, 'csv')).text)).toEqual(sorted(first.text))
    const third = await board()
    const sheet = await exported(from.id, 'xlsx')
    expect((await take(owner, sheet.bytes, third.id)).failed).toBe(0)
    expect(sorted((await exported(third.id, 'csv')).text)).toEqual(sorted(first.text))
  })

  it('keep the order of the file under the cards that are there', async () => {
    const { id, idColumnNew } = await board()
    good(await owner.post(`${T}/tasks`, { name: 'Была', idColumn: idColumnNew }))
    await take(owner, csv('Название', 'А', 'Б', 'В'), id)
    expect(names(await cards(owner, id))).toEqual(['Была', 'А', 'Б', 'В'])
  })
})

describe('rights', () => {
  it('are the writer’s own', async () => {
    const { id } = await board({ canCreateTask: false })
    const refused = await preview(anna, 'Название\nА', id)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Вам нельзя создавать задачи в этом рабочем пространстве',
    ])
    const hidden = good(await owner.post(`${T}/boards`, { name: 'Чужое' }))
    expect((await preview(anna, 'Название\nА', hidden.id)).status).toBe(404)
    const other = await board()
    const wanted = csv('Название;Колонка', 'А;Новая')
    const seen = good(await preview(anna, wanted, other.id))
    const again = good(await anna.post('/imports/check', { upload: seen.upload, params: { createColumns: true } }))
    expect(again.errors[0].message).toBe('Колонки «Новая» нет, а создавать колонки вам нельзя')
    expect((await owner.post('/imports/check', { upload: seen.upload })).status).toBe(404)
    expect((await owner.post('/imports', { upload: seen.upload, mapping: seen.mapping })).status).toBe(404)
  })

  it('lost meanwhile stop the import; what is there stays and is told of', async () => {
    const made = await board()
    const run = await begin(anna, good(await preview(anna, 'Название\nА', made.id)))
    const [member] = good(await owner.get(`${T}/members?filter[idBoard]=${made.id}&filter[idUser]=${ids.anna}`)).items
    good(await owner.put(`${T}/members/${member.id}`, { canCreateTask: false }))
    await clinic.context.jobs.drain()
    expect(good(await anna.get(`/imports/${run.id}`))).toMatchObject({
      state: 'failed',
      message: 'Вам нельзя создавать задачи в этом рабочем пространстве',
    })
    expect((await owner.get(`/imports/${run.id}`)).status).toBe(404)
    expect((await owner.post(`/imports/${run.id}/revert`, {})).status).toBe(404)
  })
})

describe('an import that runs', () => {
  const many = (count: number) => csv('Название', ...Array.from({ length: count }, (_, i) => `Задача ${i}`))

  it('makes each row once, though two processes have the job and one of them dies', async () => {
    const { id } = await board()
    const run = await begin(owner, good(await preview(owner, many(90), id)))
    const job = () => clinic.context.jobs.run('imports.run', { id: run.id })
    const dying = job().catch((error) => error)
    await expect
      .poll(
        async () =>
          (await clinic.db.one<Body>({ text: 'select done from imports where id = $1', values: [run.id] }))?.done,
        { interval: 5, timeout: 20_000 },
      )
      .toBeGreaterThan(0)
    // The import's own transaction is the only one that writes; between two portions there is none.
    const kill = {
      text: `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`,
    }
    while ((await clinic.db.query(kill)).length === 0);
    expect(await dying).toBeInstanceOf(Error)
    const between = good(await owner.get(`/imports/${run.id}`))
    expect(between.state).toBe('running')
    expect(between.done).toBeLessThan(90)
    expect(await cards(owner, id)).toHaveLength(between.done)
    await Promise.all([job(), job()])
    expect(good(await owner.get(`/imports/${run.id}`))).toMatchObject({ state: 'done', done: 90, created: 90 })
    expect(names(await cards(owner, id))).toEqual(Array.from({ length: 90 }, (_, i) => `Задача ${i}`))
  })

  it('is cancelled between portions, and takes back what it has made', async () => {
    const { id } = await board()
    const run = await begin(owner, good(await preview(owner, many(120), id)))
    const running = clinic.context.jobs.run('imports.run', { id: run.id })
    await expect
      .poll(async () => good(await owner.get(`/imports/${run.id}`)).done, { interval: 5, timeout: 20_000 })
      .toBeGreaterThan(0)
    expect(good(await owner.post(`/imports/${run.id}/cancel`)).state).toBe('reverting')
    await running
    await clinic.context.jobs.drain()
    const after = good(await owner.get(`/imports/${run.id}`))
    expect(after).toMatchObject({ state: 'cancelled', created: 0 })
    expect(after.done).toBeLessThan(120)
    expect(await cards(owner, id)).toEqual([])
    expect((await owner.post(`/imports/${run.id}/cancel`)).status).toBe(409)
  })

  it('starts once from an upload, which then is no more', async () => {
    const { id } = await board()
    const seen = good(await preview(owner, many(1), id))
    const body = { upload: seen.upload, mapping: seen.mapping }
    const answers = await Promise.all([1, 2, 3].map(() => owner.post('/imports', body)))
    expect(answers.map((one) => one.status).filter((status) => status === 201)).toHaveLength(1)
    await clinic.context.jobs.drain()
    expect(await cards(owner, id)).toHaveLength(1)
    expect(await clinic.context.files.stat(`imports/${seen.upload}`)).toBeUndefined()
  })

  it('of which the file was never started is swept after an hour', async () => {
    const { id } = await board()
    const seen = good(await preview(owner, many(1), id))
    await clinic.context.jobs.run('imports.sweep')
    expect(await clinic.context.files.stat(`imports/${seen.upload}`)).toBeDefined()
    await clinic.db.query({
      text: `update import_uploads set "dateCreate" = now() - interval '61 minutes' where id = $1`,
      values: [seen.upload],
    })
    await clinic.context.jobs.run('imports.sweep')
    expect(await clinic.context.files.stat(`imports/${seen.upload}`)).toBeUndefined()
    expect((await owner.post('/imports', { upload: seen.upload, mapping: seen.mapping })).status).toBe(404)
  })
})

describe('a revert', () => {
  it('asks about what others have changed, and puts the rest into the trash', async () => {
    const { id } = await board({ permissionToViewTasks: 'all', permissionToEditTasks: 'all' })
    const run = await take(owner, csv('Название;Колонка', 'А;', 'Б;Новая', 'В;Новая'), id, {
      params: { createColumns: true },
    })
    const before = await cards(owner, id)
    const task = before.find((one) => one.task.name === 'Б') as Body
    good(await anna.put(`${T}/tasks/${task.idTask}`, { importance: 9 }))
    good(await owner.put(`${T}/tasks/${before[0]?.idTask}`, { importance: 9 }))
    const changed = good(await owner.get(`/imports/${run.id}/changed`))
    expect(changed).toEqual({
      total: 1,
      items: [{ path: `${T.slice(1)}/tasks`, idEntity: task.idTask, title: 'Б', user: 'Иванова Анна' }],
    })
    const asked = await owner.post(`/imports/${run.id}/revert`, {})
    expect([asked.status, asked.body.code]).toEqual([409, 'changed'])
    good(await owner.post(`/imports/${run.id}/revert`, { force: false }))
    await clinic.context.jobs.drain()
    const after = good(await owner.get(`/imports/${run.id}`))
    // The changed task, and the column that it lies in.
    expect(after).toMatchObject({ state: 'reverted', created: 2 })
    expect(names(await cards(owner, id))).toEqual(['Б'])
    expect((await owner.post(`/imports/${run.id}/revert`, {})).status).toBe(409)
    const trash = good(await owner.get(`${T}/tasks?deleted=1&limit=100&sort=-id`)).items
    expect(trash.map((one: Body) => one.name)).toContain('В')
  })

  it('takes all with force, and the columns that were made', async () => {
    const { id } = await board({ permissionToViewTasks: 'all', permissionToEditTasks: 'all' })
    const run = await take(owner, csv('Название;Колонка', 'А;Новая'), id, { params: { createColumns: true } })
    const [card] = await cards(owner, id)
    good(await anna.put(`${T}/tasks/${card?.idTask}`, { importance: 9 }))
    good(await owner.post(`/imports/${run.id}/revert`, { force: true }))
    await clinic.context.jobs.drain()
    expect(await cards(owner, id)).toEqual([])
    const columns = good(await owner.get(`${T}/columns?filter[idBoard]=${id}`)).items
    expect(columns.map((one: Body) => one.name)).not.toContain('Новая')
  })
})

describe('a Trello board', () => {
  const file = {
    name: 'Ремонт',
    desc: 'Кабинет 5',
    lists: [
      { id: 'l2', name: 'Done', pos: 2, closed: false },
      { id: 'l1', name: 'Сделать', pos: 1, closed: false },
      { id: 'l3', name: 'Старое', pos: 3, closed: true },
    ],
    members: [
      { id: 'm1', username: 'anna', fullName: 'Anna' },
      { id: 'm2', username: 'ghost', fullName: 'Иван Призрак' },
    ],
    labels: [],
    cards: [
      {
        id: 'c2',
        name: 'Покрасить',
        idList: 'l2',
        pos: 1,
        due: '2026-12-05T15:00:00.000Z',
        dueComplete: true,
        closed: false,
        labels: [
          { name: '', color: 'green' },
          { name: 'Срочно', color: 'red' },
        ],
        idMembers: ['m1', 'm2'],
        desc: '# План\n- раз\n- **два** <script>alert(1)</script>',
        attachments: [
          { name: 'Смета', url: 'https://example.com/a?b=1&c=2' },
          { name: 'x', url: 'javascript:alert(1)' },
        ],
      },
      {
        id: 'c1',
        name: 'Купить краску',
        idList: 'l1',
        pos: 1,
        idMembers: [],
        labels: [],
        attachments: [],
        closed: true,
      },
      { id: 'c3', name: 'Потерянная', idList: 'nowhere', pos: 1 },
    ],
    checklists: [
      {
        id: 'k',
        idCard: 'c2',
        name: 'Шаги',
        checkItems: [
          { name: 'Б', state: 'incomplete', pos: 2 },
          { name: 'А', state: 'complete', pos: 1 },
        ],
      },
    ],
    actions: [
      {
        type: 'commentCard',
        date: '2026-01-02T10:00:00Z',
        memberCreator: { fullName: 'Иван Призрак' },
        data: { text: 'Второй', card: { id: 'c2' } },
      },
      {
        type: 'commentCard',
        date: '2026-01-01T10:00:00Z',
        memberCreator: { fullName: 'Anna' },
        data: { text: 'Первый', card: { id: 'c2' } },
      },
      { type: 'updateCard', data: {} },
    ],
  }

  it('becomes a workspace of the importer’s own, and goes whole', async () => {
    const seen = good(await owner.post('/imports/preview', form(JSON.stringify(file), 'board.json', 'trello')))
    expect(seen).toMatchObject({ total: 4, wrong: 1, head: [] })
    expect(seen.errors).toEqual(
      [
        {
          row: 3,
          field: 'Исполнители',
          message: '«Иван Призрак» не найден среди сотрудников: имя записано в описание',
          note: true,
        },
        { row: expect.any(Number), field: 'Колонка', message: 'Карточка не относится ни к одному списку' },
      ]
        .toSorted(
          (a, b) =>
            seen.errors.findIndex((e: Body) => e.field === a.field) -
            seen.errors.findIndex((e: Body) => e.field === b.field),
        )
        .map((e) => ({ ...e, row: expect.any(Number) })),
    )
    const run = await begin(owner, seen, { skipWrong: true })
    await clinic.context.jobs.drain()
    expect(good(await owner.get(`/imports/${run.id}`))).toMatchObject({ state: 'done', created: 3, failed: 1 })
    const [made] = good(await owner.get(`${T}/boards?filter[name]=Ремонт`)).items
    expect(made).toMatchObject({ description: 'Кабинет 5', idUser: ids.owner, membersCount: 2 })
    const columns = good(await owner.get(`${T}/columns?filter[idBoard]=${made.id}&sort=order`)).items
    expect(columns.map((one: Body) => one.name)).toEqual(['Сделать', 'Done', 'Старое'])
    expect([made.idColumnNew, made.idColumnCompleted, made.idColumnWork]).toEqual([columns[0].id, columns[1].id, null])
    const found = await cards(owner, made.id)
    const [done] = found.filter((one) => one.task.name === 'Покрасить') as [Body]
    expect(done).toMatchObject({
      idColumn: columns[1].id,
      task: { isCompleted: true, isArchive: false, executors: [{ member: { idUser: ids.anna } }] },
    })
    expect(done.task.tags.map((tag: Body) => [tag.name, tag.color])).toEqual([
      ['Зелёная', '#2f9e44'],
      ['Срочно', '#e03131'],
    ])
    expect(done.task.description).toContain('<h1>План</h1><ul><li>раз</li><li><strong>два</strong>')
    expect(done.task.description).toContain('<p>Участники в Trello: Иван Призрак</p>')
    expect(done.task.description).toContain('href="https://example.com/a?b=1&amp;c=2"')
    expect(done.task.description).not.toMatch(/<script|javascript:/)
    expect(found.find((one) => one.task.name === 'Купить краску')?.task.isArchive).toBe(true)
    const comments = good(
      await owner.get(`${T}/comments?filter[type]=task&filter[idEntity]=${done.idTask}&filter[isSystem]=0`),
    ).items
    expect(comments.map((one: Body) => one.message.replace(/<[^>]+>/g, ' '))).toEqual([
      expect.stringMatching(/Anna.*Первый/),
      expect.stringMatching(/Иван Призрак.*Второй/),
    ])
    good(await owner.post(`/imports/${run.id}/revert`, {}))
    await clinic.context.jobs.drain()
    expect(good(await owner.get(`/imports/${run.id}`))).toMatchObject({ state: 'reverted', created: 0 })
    expect((await owner.get(`${T}/boards/${made.id}`)).status).toBe(404)
    expect((await owner.get(`${T}/tasks/${done.idTask}`)).status).toBe(404)
  })

  it.each([
    ['no JSON', '{', 'Файл не читается: нужен JSON'],
    ['another JSON', '{"a":1}', 'Это не доска Trello: в файле нет списков и карточек'],
  ])('is refused: %s', async (_what, text, message) => {
    const answer = await owner.post('/imports/preview', form(text, 'board.json', 'trello'))
    expect([answer.status, answer.body]).toEqual([422, [{ field: 'file', message }]])
  })
})

it('gives out a file to fill in, which comes in as it is but for its people', async () => {
  const { id } = await board()
  const template = await owner.get('/imports/template?kind=tasks')
  const seen = good(await preview(owner, template.bytes, id, 'шаблон.xlsx'))
  expect(Object.keys(seen.mapping)).toHaveLength(11)
  expect(seen.errors.map((e: Body) => e.field)).toEqual(expect.arrayContaining(['Исполнители']))
  expect((await owner.get('/imports/template?kind=nothing')).status).toBe(422)
})
