import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerCheck } from '#testing/answers.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { allowOwnApproval, callers, desk } from './testing/desk.ts'

let clinic: Clinic
const as = callers(() => clinic)
let check: Awaited<ReturnType<typeof answerCheck>>['check']
const ids: Record<string, number> = {}

beforeAll(async () => {
  clinic = await testApp({
    async prepare(context) {
      await allowOwnApproval(context)
      for (const login of ['writer', 'second']) ids[login] = (await addPerson(context, login, ['editScripts'])).id
      for (const login of ['reader', 'checker']) ids[login] = (await addPerson(context, login)).id
    },
  })
  check = (await answerCheck(clinic)).check
})
afterAll(() => clinic.close())

const writer = () => as('writer')
const write = () => desk(writer())

describe('a regulation with its steps', () => {
  it('is created, shown and changed as a whole', async () => {
    const script = await write().make('/old-scripts', { name: 'Приветствие' })
    const file = await write().picture()
    const made = await writer().post<RegulationView>('/regulations/model/create', {
      name: '  Приём пациента  ',
      description: 'Как встречают пациента',
      responsibleUser: { id: ids.reader, fio: 'не нужно' },
      _temp: 1,
      stages: [
        {
          id: 'new-1',
          title: 'Поздороваться',
          description: '<p>Улыбнуться<script>alert(1)</script></p>',
          timeEstimate: 2,
          images: [{ url: file.url, description: 'Стойка' }],
          scripts: [script.id],
          responsibles: [ids.reader],
          documents: [file.id],
          isNew: true,
        },
        { title: 'Проверить паспорт', timeEstimate: 3, status: 'critical', importance: 'high' },
      ],
    })
    check('POST', '/regulations/model/create', made)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: 'Приём пациента',
      status: 'template',
      type: 'Регламент',
      version: 1,
      idFirst: null,
      stagesCount: 2,
      timeEstimate: 5,
      canEdit: true,
      newVersion: false,
      transitions: [{ to: 'review', label: 'Отправить на проверку', needsReason: false }],
      responsibleUser: { id: ids.reader, fio: 'reader Тест' },
    })
    const [first, second] = made.body.stages
    expect(first).toMatchObject({
      description: '<p>Улыбнуться</p>',
      images: [{ idFile: file.id, url: file.url, description: 'Стойка' }],
      documents: [{ idFile: file.id, url: file.url, extension: 'png' }],
      scripts: [script.id],
      scriptNames: [{ id: script.id, name: 'Приветствие', active: true }],
      responsibles: [ids.reader],
      users: [{ id: ids.reader, fio: 'reader Тест' }],
      status: 'active',
      importance: 'normal',
    })
    expect(second).toMatchObject({ status: 'critical', importance: 'high', images: [], scripts: [] })

    const changed = await writer().post<RegulationView>(`/regulations/model/update?id=${made.body.id}`, {
      name: 'Приём',
      _version: made.body._version,
      stages: [
        { ...second, title: 'Паспорт' },
        { id: 'temp_7', title: 'Проводить', responsibles: [ids.writer, ids.reader] },
        { ...first, images: [], scripts: [] },
      ],
    })
    check('POST', '/regulations/model/update', changed)
    expect(changed.body.stages.map(({ id, title }) => [id, title])).toEqual([
      [second?.id, 'Паспорт'],
      [expect.any(Number), 'Проводить'],
      [first?.id, 'Поздороваться'],
    ])
    expect(changed.body.stages[1]?.responsibles).toEqual([ids.writer, ids.reader])
    expect(changed.body.stages[2]).toMatchObject({ images: [], scripts: [], documents: [{ idFile: file.id }] })
    // Fields missing in the body are unchanged.
    expect(changed.body).toMatchObject({ description: 'Как встречают пациента', idResponsibleUser: ids.reader })

    const stale = await writer().post(`/regulations/model/update?id=${made.body.id}`, {
      name: 'Поздно',
      _version: made.body._version,
    })
    expect([stale.status, stale.body.name, stale.body.stages.length]).toEqual([409, 'Приём', 3])
    const shown = await writer().get(`/regulations/model/view?id=${made.body.id}`)
    check('GET', '/regulations/model/view', shown)
    expect(shown.body).toEqual(changed.body)
  })

  it('reports every error of a body, and stores nothing of it', async () => {
    const before = (await write().index()).length
    const cases: [object, string, string][] = [
      [{ name: ' ' }, 'name', 'Название регламента обязательно для заполнения'],
      [{}, 'name', 'Название регламента обязательно для заполнения'],
      [{ name: 'ж'.repeat(256) }, 'name', 'Количество символов не должно превышать 255'],
      [{ name: 'А', description: 'ж'.repeat(1001) }, 'description', 'Количество символов не должно превышать 1000'],
      [
        { name: 'А', stages: [{ title: 'Шаг' }, { title: '' }] },
        'stages.1.title',
        'Название шага 2 обязательно для заполнения',
      ],
      [{ name: 'А', stages: [{}] }, 'stages.0.title', 'Название шага 1 обязательно для заполнения'],
      [
        { name: 'А', stages: [{ title: 'Шаг', timeEstimate: -1 }] },
        'stages.0.timeEstimate',
        'Число не должно быть меньше 0',
      ],
      [{ name: 'А', stages: [{ title: 'Шаг', scripts: [999999] }] }, 'stages.0.scripts.0', 'Запись не найдена'],
      [
        { name: 'А', stages: [{ title: 'Шаг', responsibles: [ids.reader, 999999] }] },
        'stages.0.responsibles.1',
        'Запись не найдена',
      ],
      [
        { name: 'А', stages: [{ title: 'Шаг', images: [{ url: 'https://evil.example/a.png' }] }] },
        'stages.0.images.0.url',
        'Нужен адрес загруженного файла: /files/…',
      ],
      [
        { name: 'А', stages: [{ title: 'Шаг', images: [{ url: '/files/999999' }] }] },
        'stages.0.images.0',
        'Запись не найдена',
      ],
      [{ name: 'А', stages: [{ id: 999999, title: 'Шаг' }] }, 'stages.0.id', 'Запись не найдена'],
      [{ name: 'А', role: 'Нет такой' }, 'role', 'Запись не найдена'],
      [{ name: 'А', responsibleUser: 999999 }, 'responsibleUser', 'Запись не найдена'],
      [{ name: 'А', type: 'Приказ' }, 'type', 'Выберите одно из предложенных значений'],
      [
        { name: 'А', test: { questions: [{ text: 'Кто?', options: [{ text: 'Я', isRight: true }] }] } },
        'test',
        'Вопрос 1: нужно от 2 до 10 ответов',
      ],
    ]
    for (const [body, field, message] of cases) {
      const answer = await writer().post('/regulations/model/create', body)
      expect([answer.status, answer.body]).toEqual([422, [{ field, message }]])
    }
    expect((await write().index()).length).toBe(before)
  })

  it('is deleted and restored with its steps', async () => {
    const { id, stages } = await write().regulation({ stages: [{ title: 'Один' }, { title: 'Два' }] })
    expect((await writer().delete(`/regulations/model/delete?id=${id}`)).status).toBe(204)
    expect((await writer().get(`/regulations/model/view?id=${id}`)).status).toBe(404)
    expect((await writer().get(`/regulations/steps/${stages[0]?.id}`)).status).toBe(404)
    expect((await writer().post(`/regulations/${id}/restore`)).status).toBe(200)
    expect((await write().view(id)).stages).toEqual(stages)
  })

  it('shows its steps and their parts in its history, and changes with them', async () => {
    const script = await write().make('/old-scripts', { name: 'Возражения' })
    const { id, stages, _version, updated_at } = await write().regulation()
    const set = await writer().post(`/regulations/model/set-step-scripts?stepId=${stages[0]?.id}`, {
      scriptIds: [script.id],
    })
    check('POST', '/regulations/model/set-step-scripts', set)
    const { items } = (await writer().get(`/regulations/${id}/history?parts=1&limit=50`)).body
    expect(items.map((line: { path: string; action: string }) => `${line.path} ${line.action}`).sort()).toEqual([
      'regulations create',
      'regulations update',
      'regulations update',
      'regulations/step-scripts create',
      'regulations/steps create',
    ])
    const now = await write().view(id)
    expect(now._version).toBeGreaterThan(_version)
    expect(Date.parse(now.updated_at)).toBeGreaterThan(Date.parse(updated_at))
  })
})

describe('lists', () => {
  it('filter, search, sort and paginate', async () => {
    await write().regulation({
      name: 'Ящик для жалоб',
      type: 'Порядок',
      stages: [{ title: 'А' }, { title: 'Б' }, { title: 'В' }, { title: 'Г' }],
    })
    await write().regulation({ name: 'Абсолютно новый', description: 'про 100% жалоб', type: 'Чек-лист' })
    const answer = await writer().get('/regulations/model/index')
    check('GET', '/regulations/model/index', answer)
    expect(answer.body._meta).toMatchObject({ currentPage: 1, perPage: 15, hasMore: false })
    expect(answer.body.items[0].name).toBe('Абсолютно новый')
    const names = async (query: string) => (await write().index(query)).map(({ name }) => name)
    expect(await names('classification=Порядок,Чек-лист')).toEqual(['Абсолютно новый', 'Ящик для жалоб'])
    expect(await names('classification=Порядок&classification=Чек-лист&sort=-name')).toEqual([
      'Ящик для жалоб',
      'Абсолютно новый',
    ])
    expect(await names(`search=${encodeURIComponent('100%')}`)).toEqual(['Абсолютно новый'])
    expect((await names('sort=-stagesCount'))[0]).toBe('Ящик для жалоб')
    expect(await names('limit=1&page=2')).toHaveLength(1)
    expect(await names('status=active,archived')).toEqual([])
    for (const query of ['sort=password', 'status=gone', 'page=0', 'limit=501', 'more=1'])
      expect((await writer().get(`/regulations/model/index?${query}`)).status).toBe(400)
    const wrong = await writer().get('/regulations/model/index?classification=Порядок,Непорядок')
    expect(wrong.body.message).toBe('Параметр classification: Выберите одно из предложенных значений')
  })

  it('of choices', async () => {
    const roles = await as('reader').get('/regulations/roles/index')
    check('GET', '/regulations/roles/index', roles)
    const statuses = await as('reader').get('/regulations/model/get-statuses')
    expect(statuses.body).toEqual({
      template: 'Черновик',
      review: 'На проверке',
      approved: 'Утвержден',
      active: 'Активный',
      archived: 'Архивный',
    })
    const kinds = await as('reader').get('/regulations/model/get-classification')
    expect(kinds.body[0]).toBe('Регламент')
    await write().make('/old-scripts', { name: 'Старый скрипт', active: false })
    const found = await writer().get('/regulations/model/get-scripts?filter[name][ilike]=скрипт&filter[active]=1')
    check('GET', '/regulations/model/get-scripts', found)
    expect(found.body.items).toEqual([])
  })
})

describe('parts of a step', () => {
  it('are set and read as lists', async () => {
    const { stages } = await write().regulation()
    const at = `stepId=${stages[0]?.id}`
    const one = await write().make('/old-scripts', { name: 'Раз' })
    const two = await write().make('/old-scripts', { name: 'Два', active: false })
    const set = await writer().post(`/regulations/model/set-step-scripts?${at}`, {
      scriptIds: [two.id, one.id, two.id],
    })
    expect(set.body.map(({ name }: { name: string }) => name)).toEqual(['Два', 'Раз'])
    await writer().post(`/regulations/model/set-step-scripts?${at}`, { scriptIds: [one.id] })
    const scripts = await writer().get(`/regulations/model/get-step-scripts?${at}`)
    check('GET', '/regulations/model/get-step-scripts', scripts)
    expect(scripts.body).toEqual([{ id: one.id, name: 'Раз', active: true }])
    const users = await writer().post(`/regulations/model/set-step-responsibles?${at}`, { userIds: [ids.reader] })
    check('POST', '/regulations/model/set-step-responsibles', users)
    expect((await writer().get(`/regulations/model/get-step-responsibles?${at}`)).body).toEqual(users.body)
    const wrong = await writer().post(`/regulations/model/set-step-responsibles?${at}`, {
      userIds: [ids.reader, 999999],
    })
    expect([wrong.status, wrong.body]).toEqual([422, [{ field: 'userIds.1', message: 'Запись не найдена' }]])
    expect((await writer().get('/regulations/model/get-step-scripts?stepId=999999')).status).toBe(404)
  })
})
