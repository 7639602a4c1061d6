/** Import of a Trello board as a workspace. */
import { afterAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Body, importClinic, T } from './testing/boards.ts'

const { clinic, anna, begin, cards, ids, owner, previewTrello } = await importClinic()
afterAll(() => clinic.close())

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

  it('becomes a new workspace of the user, and is undone completely', async () => {
    const preview = good(await previewTrello(owner, JSON.stringify(file)))
    expect(preview).toMatchObject({ total: 4, wrong: 1, head: [] })
    expect(preview.errors).toEqual(
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
            preview.errors.findIndex((e: Body) => e.field === a.field) -
            preview.errors.findIndex((e: Body) => e.field === b.field),
        )
        .map((e) => ({ ...e, row: expect.any(Number) })),
    )
    const run = await begin(owner, preview, { skipWrong: true })
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

  it('hides existing logins from users without the right', async () => {
    const named = {
      ...file,
      members: file.members.map((one) => ({ ...one, username: one.id === 'm1' ? 'anna' : 'x' })),
    }
    const messages = good(await previewTrello(anna, JSON.stringify(named))).errors.map((e: Body) => e.message)
    expect(messages).toContain('«Anna» не найден среди сотрудников: имя записано в описание')
    expect(good(await previewTrello(owner, JSON.stringify(named))).errors.map((e: Body) => e.message)).not.toContain(
      '«Anna» не найден среди сотрудников: имя записано в описание',
    )
  })

  it.each([
    ['no JSON', '{', 'Файл не читается: нужен JSON'],
    ['another JSON', '{"a":1}', 'Это не доска Trello: в файле нет списков и карточек'],
  ])('is refused: %s', async (_what, text, message) => {
    const answer = await previewTrello(owner, text)
    expect([answer.status, answer.body]).toEqual([422, [{ field: 'file', message }]])
  })
})
