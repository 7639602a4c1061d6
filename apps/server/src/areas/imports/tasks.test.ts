/** Import of tasks from a table into a workspace, with the user's rights. */
import { afterAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import { csv } from '#testing/importFiles.ts'
import { type Body, importClinic, names, T } from './testing/boards.ts'

const { clinic, anna, begin, board, cards, ids, owner, preview, take } = await importClinic()
afterAll(() => clinic.close())

describe('tasks', () => {
  it('are created with people, tags, columns and check lists, in the order of the file', async () => {
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

  it('report each invalid cell by row and column', async () => {
    const { id } = await board()
    const file = csv(
      'Название;Важность;Начало;Срок;Колонка;Исполнители;Завершена',
      ';11;31.02.2026;1.13.26;Нет такой;Сидоров Иван;может быть',
      '',
      'Хорошая;;;;;;',
      'Чужая;;02.01.2026;01.01.2026;;Неизвестный;',
    )
    const previewed = good(await preview(owner, file, id))
    expect(previewed).toMatchObject({ total: 3, wrong: 2, errorsTotal: 9 })
    expect(previewed.errors.map((e: Body) => `${e.row} ${e.field}: ${e.message}`)).toEqual([
      '1 Начало: Дата нужна как ДД.ММ.ГГГГ или ДД.ММ.ГГГГ ЧЧ:ММ',
      '1 Срок: Дата нужна как ДД.ММ.ГГГГ или ДД.ММ.ГГГГ ЧЧ:ММ',
      '1 Завершена: Нужно «да» или «нет»',
      '1 Важность: Нужно целое число от 1 до 10',
      '1 Исполнители: «Сидоров Иван»: таких участников несколько: укажите электронную почту',
      '1 Название: Обязательное поле',
      '1 Колонка: Колонки «Нет такой» нет в рабочем пространстве',
      '4 Исполнители: «Неизвестный»: нет такого участника рабочего пространства',
      '4 Срок: Срок не может быть раньше начала',
    ])
    const run = await take(owner, file, id, { skipWrong: true })
    expect(run).toMatchObject({ state: 'done', created: 1, failed: 2, done: 3 })
    expect(names(await cards(owner, id))).toEqual(['Хорошая'])
    const report = await owner.get(`/imports/${run.id}/errors?format=csv`)
    expect(report.text.split('\r\n')).toHaveLength(11)
    expect(report.text).toContain('4;Срок;Срок не может быть раньше начала')
  })

  it('match members by displayed name', async () => {
    const { id } = await board()
    const previewed = good(await preview(owner, csv('Название;Исполнители', 'А;Иванова А., Петров П.'), id))
    expect(previewed).toMatchObject({ total: 1, wrong: 0 })
  })

  it('are imported all or none unless invalid rows are skipped', async () => {
    const { id } = await board()
    const rows = Array.from({ length: 30 }, (_, i) => `Задача ${i};${i === 28 ? 99 : 1}`)
    const run = await take(owner, csv('Название;Важность', ...rows), id)
    expect(run).toMatchObject({ state: 'failed', created: 0, failed: 1 })
    expect(run.message).toContain('нашлись ошибки')
    expect(await cards(owner, id)).toEqual([])
  })

  it('are imported from their own export without changes', async () => {
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

  it('keep the order of the file below the existing cards', async () => {
    const { id, idColumnNew } = await board()
    good(await owner.post(`${T}/tasks`, { name: 'Была', idColumn: idColumnNew }), 201)
    await take(owner, csv('Название', 'А', 'Б', 'В'), id)
    expect(names(await cards(owner, id))).toEqual(['Была', 'А', 'Б', 'В'])
  })
})

describe('rights', () => {
  it("are the importing user's own", async () => {
    const { id } = await board({ canCreateTask: false })
    const refused = await preview(anna, 'Название\nА', id)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Вам нельзя создавать задачи в этом рабочем пространстве',
    ])
    const hidden = good(await owner.post(`${T}/boards`, { name: 'Чужое' }), 201)
    expect((await preview(anna, 'Название\nА', hidden.id)).status).toBe(404)
    const other = await board()
    const wanted = csv('Название;Колонка', 'А;Новая')
    const previewed = good(await preview(anna, wanted, other.id))
    const again = good(await anna.post('/imports/check', { upload: previewed.upload, params: { createColumns: true } }))
    expect(again.errors[0].message).toBe('Колонки «Новая» нет, а создавать колонки вам нельзя')
    expect((await owner.post('/imports/check', { upload: previewed.upload })).status).toBe(404)
    expect((await owner.post('/imports', { upload: previewed.upload, mapping: previewed.mapping })).status).toBe(404)
  })

  it('to see logins are required to match people by login: otherwise none is known', async () => {
    const { id } = await board()
    const file = csv('Название;Исполнители', 'А;twin1', 'Б;nobody1')
    const errorsOf = async (who: Caller) =>
      good(await preview(who, file, id)).errors.map((e: Body) => `${e.row} ${e.message}`)
    const absent = (login: string) => `«${login}»: нет такого участника рабочего пространства`
    expect(await errorsOf(anna)).toEqual([`1 ${absent('twin1')}`, `2 ${absent('nobody1')}`])
    expect(await errorsOf(owner)).toEqual([`2 ${absent('nobody1')}`])
  })

  it('lost meanwhile stop the import; written records stay, and it is reported', async () => {
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

it('provides a sample file that can be imported except for its people', async () => {
  const { id } = await board()
  const template = await owner.get('/imports/template?kind=tasks')
  const previewed = good(await preview(owner, template.bytes, id, 'шаблон.xlsx'))
  expect(Object.keys(previewed.mapping)).toHaveLength(11)
  expect(previewed.errors.map((e: Body) => e.field)).toEqual(expect.arrayContaining(['Исполнители']))
  expect((await owner.get('/imports/template?kind=nothing')).status).toBe(422)
})
