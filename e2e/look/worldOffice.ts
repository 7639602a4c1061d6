/** Records of the office for the screens of the look: site, chats, tasks, sales, regulations. */

import { randomUUID } from 'node:crypto'
import type { Clinic, Person } from '../support.ts'
import type { Call, Post } from './worldClinic.ts'

const T = '/tasks-management'
const S = '/sales-management'
const R = '/regulations'
/** One red pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** A page of the site, published once. */
export async function siteWorld(post: Post, mark: string): Promise<number> {
  const page = await post('/client/pages', {
    title: `О клинике ${mark}`,
    slug: `o-klinike-${mark}`.toLowerCase(),
    blocks: [
      { id: 1, type: 'text', values: { title: 'Кто мы', text: '<p>Лечим взрослых и детей.</p>' } },
      {
        id: 2,
        type: 'faq',
        values: { title: 'Частые вопросы', limit: 6 },
        rows: [{ question: 'Нужна ли запись?', answer: '<p>Да.</p>' }],
      },
    ],
  })
  await post(`/client/pages/${page.id}/publish`, { _version: page._version })
  return page.id
}

/** A chat of the same user. */
export async function chatWorld(post: Post, mark: string): Promise<number> {
  await post('/live-assist/suggestions', {
    name: `Часы ${mark}`,
    code: `часы_${mark}`,
    text: 'По будням с 8:00 до 20:00.',
  })
  await post('/live-assist/domains', { name: `${mark}.clinic.test`, sourceName: 'Сайт клиники' })
  const { id } = await post('/live-assist', { name: `Осмотрова ${mark}`, phone: '+79161234567' })
  const say = (message: string) => post('/live-assist/messages', { idLiveAssist: id, clientId: randomUUID(), message })
  await say('Здравствуйте! Записала вас на пятницу, 17:00, к терапевту.')
  await post('/live-assist/notes', { idLiveAssist: id, text: 'Просит напомнить за день' })
  await say('Спасибо, что написали! Ждём вас.')
  return id
}

export async function taskWorld(call: Call, post: Post, clinic: Clinic, colleague: Person, token: string) {
  const board = await post(`${T}/boards`, { name: 'Осмотр' })
  await post(`${T}/boards`, { name: 'Соседнее' })
  const member = await post(`${T}/members`, { idBoard: board.id, idUser: colleague.id, permissionToViewTasks: 'all' })
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const task = await post(`${T}/tasks`, {
    name: 'Обзвонить пациентов',
    idColumn: board.idColumnNew,
    description: '<p>Проверить кушетку</p>',
    dateEnd: day(1),
    importance: 8,
  })
  await post(`${T}/tasks`, { name: 'Просроченная', idColumn: board.idColumnNew, dateEnd: day(-3) })
  await post(`${T}/tasks`, { name: 'Без даты', idColumn: board.idColumnWork })
  const { items } = await call('GET', `${T}/assigned?filter[idTask]=${task.id}`)
  const own = (await call('GET', `${T}/members?filter[idBoard]=${board.id}&sort=id&limit=1`)).items[0]
  for (const idMember of [own.id, member.id]) await post(`${T}/executors`, { idTask: task.id, idMember })
  await call('PUT', `${T}/tasks/${task.id}`, { description: '<p>Проверить лампу</p>' })
  await post(`${T}/comments`, { type: 'task', idEntity: task.id, message: '<p>Слово о деле</p>' })
  const list = await post(`${T}/check-lists`, { idTask: task.id, name: 'Порядок' })
  for (const name of ['Первый', 'Второй']) await post(`${T}/check-list-items`, { idCheckList: list.id, name })
  await post(`${T}/client-lists`, { idTask: task.id, name: 'Обзвон' })
  const poll = await post(`${T}/polls`, { idTask: task.id, name: 'Куда едем?' })
  for (const name of ['Лес', 'Море']) await post(`${T}/poll-options`, { idPoll: poll.id, name })
  await post(`${T}/assigned/template`, { ids: [items[0].id] })
  const part = await post(`${T}/tasks`, { name: 'Часть дела', idColumn: board.idColumnNew })
  await post(`${T}/subtasks`, { idParentTask: task.id, idTask: part.id })
  await attach(clinic, token, task.id)
  const { url } = await call('GET', `${T}/boards/${board.id}/invitation`)
  return { board: board.id, card: items[0].id, invitation: url.slice(url.indexOf('/app/')) }
}

/** Attaches a picture to the task. */
async function attach(clinic: Clinic, token: string, idTask: number): Promise<void> {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(PICTURE)], 'Снимок.png', { type: 'image/png' }))
  const answer = await fetch(`${clinic.url}${T}/files`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  })
  const { id } = (await answer.json()) as { id: number }
  await clinic.ask('POST', `${T}/task-files`, { idTask, idFile: id }, token)
}

export async function salesWorld(call: Call, post: Post, clinic: Clinic, mark: string) {
  const { id: funnel } = await post(`${S}/funnels`, { name: `Осмотр ${mark}` })
  const { items: stages } = await call('GET', `${S}/stages?filter[idFunnel]=${funnel}&sort=order&limit=20`)
  const { id: lead } = await post(`${S}/leads`, { title: 'Осмотр', idStage: stages[0].id, price: 1000.5 })
  await post(`${S}/leads`, { title: 'Анализы', idStage: stages[1].id, price: 5000 })
  const phone = `+7916${String(Date.now()).slice(-7)}`
  const { items: calls } = await call('GET', '/calls?filter[callType]=1&filter[idCustomer][null]=0&limit=1')
  await post(`${S}/contacts`, { idLead: lead, name: 'Ольга', phone: calls[0]?.contactPhone ?? phone })
  const nameService = `Приём осмотра ${mark}`
  const service = await post('/services', { nameService, priceService: 1200.5, anyPerformer: true })
  const offer = await post(`${S}/offers`, { idLead: lead, name: 'Предложение 1' })
  await post(`${S}/offer-services`, { idOffer: offer.id, idService: service.id, quantity: 2 })
  const step = (key: string, next: string | null) => ({ key, title: key, text: key, answers: [{ text: 'Да', next }] })
  const { id: script } = await post('/old-scripts', {
    name: `Разговор ${mark}`,
    params: { steps: [step('Начало', 'Конец'), step('Конец', null), step('По кругу', 'По кругу')] },
  })
  await post(`${S}/funnel-scripts`, { idFunnel: funnel, idScript: script })
  const request = `Заявителев ${mark}`
  const { key } = await post(`${S}/intakes`, { name: request, kind: 'form', idFunnel: funnel })
  await clinic.ask('POST', `/intake/${key}`, { name: request, phone, message: 'Запишите на завтра' })
  return { funnel, lead, script, request, form: `/intake/${key}/form` }
}

export async function regulationWorld(call: Call, post: Post, walker: Person, mark: string) {
  const stages = [
    { title: 'Подготовить место', description: '<p>Надеть перчатки</p>', timeEstimate: 10 },
    { title: 'Подписать пробирку', status: 'optional' },
  ]
  const test = {
    questions: [
      {
        text: 'Что надеть?',
        options: [
          { text: 'Перчатки', isRight: true },
          { text: 'Шляпу', isRight: false },
        ],
      },
    ],
  }
  const make = async (name: string, to: readonly string[], more: object = {}): Promise<number> => {
    const { id } = await post(`${R}/model/create`, { name: `${name} ${mark}`, type: 'Стандарт', stages, ...more })
    for (const status of to) await post(`${R}/model/transition?id=${id}`, { to: status })
    return id
  }
  const inForce = ['review', 'approved', 'active']
  const draft = await make('Черновик', [])
  const approved = await make('Согласованный', ['review', 'approved'])
  const active = await make('Действующий', inForce, { test, passScore: 80 })
  const versions = await make('С версиями', inForce)
  const toRead = await make('К прочтению', inForce, { test, passScore: 80 })
  const refused = await make('Отклонённый', [])
  await post(`${R}/reviewers`, { idRegulation: refused, idUser: walker.id, kind: 'reviewer' })
  await post(`${R}/model/transition?id=${refused}`, { to: 'review' })
  await post(`${R}/model/decide?id=${refused}`, { decision: 'rejected', comment: 'Нет порядка' })
  for (const id of [active, toRead]) await post(`${R}/model/set-audience?id=${id}`, { roles: [], idUsers: [walker.id] })
  const run = await post(`${R}/runs`, { idRegulation: active })
  const finished = await post(`${R}/runs`, { idRegulation: versions })
  const { items } = await call('GET', `${R}/run-steps?filter[idRun]=${finished.id}`)
  await call('PUT', `${R}/run-steps/${items[0].id}`, { state: 'failed', note: 'Нет пробирок' })
  await call('PUT', `${R}/run-steps/${items[1].id}`, { state: 'skipped' })
  await post(`${R}/runs/${finished.id}/finish`)
  await post(`${R}/model/new-version?id=${versions}`)
  const regulations = { draft, refused, approved, active, versions, toRead }
  return { regulations, run: run.id, finishedRun: finished.id }
}
