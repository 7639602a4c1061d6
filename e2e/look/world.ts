import { randomUUID } from 'node:crypto'
import { schemes } from '@ordinator/model/identifiers'
import { dayIn, plusDays } from '@ordinator/model/zone'
import type { Clinic, Person } from '../support.ts'

/** Records for the page checks: one of each kind, with all its parts. */
export interface World {
  /** A word contained only in the names of these records. */
  mark: string
  board: number
  card: number
  /** URL of the invitation to the board. */
  invitation: string
  funnel: number
  lead: number
  /** Used in the funnel; one of its steps is unreachable. */
  script: number
  /** Name of the requester. */
  request: string
  /** URL of the form for the clinic's site. */
  form: string
  newsItem: number
  /** With a policy, a mother and an allergy. */
  customer: number
  /** A draft with a number outside of its norm. */
  examination: number
  /** Visible to all users with access to examinations. */
  finishedExamination: number
  examinationTemplate: number
  /** A call of the demo clinic with a recording. */
  call: number
  appeal: number
  /** With prices, a doctor and own durations. */
  service: number
  /** With a reply, a note and a canned text. */
  chat: number
  channel: number
  whatsapp: number
  /** Switched off, with two selected events. */
  webhook: number
  filial: number
  /** A move from another program, before its first table. */
  move: number
  /** For customers, with a table and an error. */
  printTemplate: number
  clientPage: number
  doctor: number
  discount: number
  /** An order of the demo laboratory. */
  labOrder: number
  /** Treatment plans: a draft in two variants, and an agreed one. */
  plans: { draft: number; agreed: number }
  /** With an open shift, a partly paid debt, a refund. */
  cashDesk: number
  /** A day of the branch with a shift, a break and a visit. */
  day: string
  visit: number
  /** Regulations by status. */
  regulations: { draft: number; refused: number; approved: number; active: number; versions: number; toRead: number }
  run: number
  finishedRun: number
  /** Has no role. */
  colleague: Person
  /** Sees deals without editing rights. */
  reader: Person
}

const T = '/tasks-management'
const S = '/sales-management'
const R = '/regulations'
/** One red pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** Creates the records with the token of the user who will view them. */
export async function makeWorld(clinic: Clinic, walker: Person, token: string): Promise<World> {
  const call = clinic.as(token)
  const post = (path: string, body: object = {}) => call('POST', path, body)
  const mark = randomUUID().slice(0, 8)
  await post('/users/set-sip-phone', { sipPhone: '79' })
  const colleague = await clinic.person({ surname: 'Соседов' })
  const reader = await clinic.person({ surname: 'Читалов' })
  const { id: idRole } = await post('/roles', { name: `Смотрит сделки ${mark}`, permissions: ['viewSalesManagement'] })
  await post('/user-roles', { idUser: reader.id, idRole })
  const [tasks, sales, regulations] = await Promise.all([
    taskWorld(call, post, clinic, colleague, token),
    salesWorld(call, post, clinic, mark),
    regulationWorld(call, post, walker, mark),
  ])
  const news = await post('/news', {
    title: `Осмотр новостей ${mark}`,
    text: '<h3>Когда</h3><p>Ждём всех.</p>',
    active: true,
  })
  await post('/news/comments', { idNews: news.id, message: '<p>Спасибо</p>' })
  const customer = await patient(post, mark)
  const idFilial = await filialWorld(post, mark)
  const service = await serviceWorld(post, colleague, mark)
  return {
    mark,
    ...tasks,
    ...sales,
    ...regulations,
    newsItem: news.id,
    customer,
    ...(await examinationWorld(post, customer, mark)),
    ...(await callWorld(call, post, customer, mark)),
    service,
    chat: await chatWorld(post, mark),
    whatsapp: (
      await post('/live-assist/channels', { name: `WhatsApp ${mark}`, kind: 'whatsapp', token: 'не настоящий' })
    ).id,
    webhook: (
      await post('/webhooks', {
        name: `Вебхук ${mark}`,
        url: 'https://1c.example.ru/events',
        events: ['customers.create', 'appointments.update'],
        active: false,
      })
    ).id,
    channel: (await post('/live-assist/channels', { name: `Бот ${mark}`, kind: 'telegram', token: 'не настоящий' })).id,
    discount: await discountWorld(post, mark),
    labOrder: (await call('GET', '/laboratory/orders?limit=1&sort=id&fields=id')).items[0]?.id ?? 1,
    plans: await planWorld(post, { idCustomer: customer, idService: service, idFilial, idDoctor: colleague.id }),
    filial: idFilial,
    move: (
      await post('/moving', {
        name: `Переезд ${mark}`,
        program: 'other',
        idFilial,
        idOrganization: (await call('GET', '/organizations?filter[kind]=own&limit=1&fields=id')).items[0].id,
      })
    ).id,
    printTemplate: (
      await post('/print-templates', {
        name: `Справка ${mark}`,
        entity: 'customers',
        kind: 'reference',
        header: '<p>{{ Клиника }}</p>',
        body: '<h2>Справка</h2><p>{{ ФИО }}, {{ Дата рождения }}</p><table><tbody><tr><th><p>Полис</p></th><th><p>Компания</p></th></tr><tr><td><p>{{ для каждого полиса }}{{ Номер }}</p></td><td><p>{{ Страховая компания }}{{ конец }}</p></td></tr></tbody></table><p>{{ № | qr }}</p>',
      })
    ).id,
    clientPage: await siteWorld(post, mark),
    cashDesk: await cashWorld(post, mark, idFilial, customer),
    ...(await dayWorld(post, { idCustomer: customer, idService: service, idFilial, idUser: colleague.id })),
    colleague,
    reader,
  }
}

type Call = (method: string, path: string, body?: unknown) => Promise<any>
type Post = (path: string, body?: object) => Promise<any>

/** A page of the site, published once. */
async function siteWorld(post: Post, mark: string): Promise<number> {
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
async function chatWorld(post: Post, mark: string): Promise<number> {
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

async function patient(post: Post, mark: string): Promise<number> {
  const card = { surname: `Осмотров ${mark}`, name: 'Пётр', middleName: 'Ильич', birthday: '12.03.2019' }
  const phone = `+7916${String(Date.now()).slice(-7)}`
  const mother = await post('/customers', { surname: `Осмотрова ${mark}`, name: 'Анна', phone })
  const { id } = await post('/customers', { ...card, phoneMother: phone, allergies: 'Пенициллины' })
  // A duplicate card of the patient.
  await post('/customers', card)
  await post('/customers/policies', {
    idCustomer: id,
    number: schemes.enp.sample(Number(String(Date.now()).slice(-4))),
    company: 'АО «МАКС-М»',
  })
  await post('/customers/relations', { idCustomer: id, relation: 'mother', idRelative: mother.id, signs: 'yes' })
  await post('/customers/tags', { idCustomer: id, name: 'Постоянный', color: '#12b886' })
  await consentOf(post, id, mark)
  return id
}

/** A draft awaiting its signature, and a revoked consent. */
async function consentOf(post: Post, idCustomer: number, mark: string): Promise<void> {
  const { id: idTemplate } = await post('/consents/templates', { name: `Согласие на осмотр ${mark}`, type: 'photo' })
  const words = { purpose: 'Снимки для карты', text: '<p>Я, {фио}, {документ}, согласен: {цель}. {подписывает}</p>' }
  const { id: idVersion } = await post('/consents/versions', { idTemplate, dateFrom: '2026-01-01', ...words })
  const father = { idCustomer, relation: 'father', fio: `Осмотров ${mark} Илья`, signs: 'yes' }
  const { id: idRelation } = await post('/customers/relations', father)
  const { id } = await post('/consents', { idCustomer, idVersion, idRelation })
  await post(`/consents/${id}/sign`, { signedOn: '2026-02-01' })
  await post(`/consents/${id}/revoke`, { reason: 'Письмо отца' })
  await post('/consents', { idCustomer, idVersion, idRelation })
}

/** A draft with a form that has a field of each type. */
async function examinationWorld(post: Post, idCustomer: number, mark: string) {
  const field = (label: string, type: string, more: object = {}) => ({ key: `поле_${type}`, label, type, ...more })
  const { id: examinationTemplate } = await post('/examination-templates', {
    name: `Приём ${mark}`,
    isShared: true,
    form: {
      sections: [
        {
          title: 'Жалобы и измерения',
          fields: [
            field('Жалобы', 'text', { required: true, phrases: ['Активных жалоб не предъявляет', 'Головная боль'] }),
            field('Пульс', 'number', { unit: 'уд/мин', min: 60, max: 90 }),
            field('Пульс в час', 'calc', { formula: 'поле_number * 60', digits: 0 }),
            field('Начало болезни', 'date'),
            field('Состояние', 'choice', { options: ['Удовлетворительное', 'Тяжёлое'] }),
            field('Отёки', 'multi', { options: ['Нет', 'Голени', 'Стопы'] }),
            field('Боль', 'scale', { min: 0, max: 10 }),
          ],
        },
        {
          title: 'Осмотр',
          fields: [
            field('Направительный диагноз', 'icd10'),
            field('Зубы', 'teeth'),
            field('Где болит', 'picture', { picture: 'body' }),
            field('План', 'table', { columns: ['Что', 'Когда'] }),
            field('Заключение', 'rich', { showIf: { field: 'поле_text', is: 'filled' } }),
          ],
        },
      ],
    },
  })
  const { id: examination } = await post('/examinations', { idCustomer, idTemplate: examinationTemplate })
  await post(`/examinations/${examination}/save`, {
    base: {},
    changes: {
      'values.поле_text': 'Головная боль',
      'values.поле_number': 104,
      'values.поле_scale': 4,
      'values.поле_teeth': { '16': 'filling', '26': 'caries' },
      'values.поле_picture': [{ x: 25, y: 40, text: 'Болезненность' }],
      'values.поле_table': [['УЗИ', 'завтра']],
      diagnoses: [{ code: 'R51', name: 'Головная боль', kind: 'main', type: 'preliminary' }],
      prescriptions: [{ name: 'Парацетамол', how: 'по 1 таблетке', term: '3 дня' }],
      recommendations: ['Покой'],
    },
  })
  const over = await post('/examinations', { idCustomer, idTemplate: examinationTemplate })
  const { _version } = await post(`/examinations/${over.id}/save`, {
    base: {},
    changes: { 'values.поле_text': 'Жалоб нет', 'values.поле_number': 72 },
  })
  await post(`/examinations/${over.id}/finish`, { _version })
  return {
    examination: examination as number,
    finishedExamination: over.id as number,
    examinationTemplate: examinationTemplate as number,
  }
}

/** An appeal of a patient, with a tag, and a recorded call. */
async function callWorld(call: Call, post: Post, idCustomer: number, mark: string) {
  const { items } = await call('GET', '/calls?filter[hasRecord]=1&limit=1&fields=id')
  const { id: idCause } = await post('/appeals/causes', { name: `Осмотр ${mark}` })
  const { id: appeal } = await post('/appeals', { idCustomer, idCause, description: 'Хочет на приём в субботу' })
  await post('/appeals/tags', { idAppeal: appeal, name: 'VIP' })
  return { call: items[0].id as number, appeal: appeal as number }
}

/** A branch with a room, a day off and a photograph, an insurer with all that hangs on it, a sequence of numbers. */
/** Plans of a child, whose mother signs. */
async function planWorld(
  post: Post,
  { idService, ...of }: { idCustomer: number; idService: number; idFilial: number; idDoctor: number },
) {
  const { id: idRelation } = await post('/customers/relations', {
    idCustomer: of.idCustomer,
    relation: 'mother',
    fio: 'Осмотрова Мария',
    signs: 'yes',
  })
  const make = async (name: string) => {
    const { id } = await post('/customer-plans', {
      ...of,
      name,
      idRelation,
      icd10: 'M54.5',
      diagnosis: 'Боль внизу спины',
    })
    for (const stage of ['Снять боль', 'Вернуть подвижность и укрепить мышцы, чтобы боль не возвращалась']) {
      const { id: idStage } = await post('/customer-plans/stages', {
        idPlan: id,
        name: stage,
        plannedMonth: '2027-02-01',
      })
      await post('/customer-plans/items', { idStage, idService, qty: 3, discount: 100.5 })
    }
    return id as number
  }
  const draft = await make('Восстановление спины')
  await post(`/customer-plans/${draft}/copy`)
  const agreed = await make('Наблюдение на год')
  await post(`/customer-plans/${agreed}/agree`)
  return { draft, agreed }
}

/** A discount by code, with codes of all kinds. */
async function discountWorld(post: Post, mark: string): Promise<number> {
  const { id: idDiscount } = await post('/discounts', {
    name: `Осенний промокод ${mark}`,
    kind: 'promo',
    value: 12,
    weekdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    timeFrom: '09:00',
    timeTo: '12:00',
    maxDiscount: 1000,
  })
  await post('/discounts/promo-codes', { idDiscount, code: `ОСЕНЬ-${mark}`, limit: 20, expires: '2027-01-31' })
  await post(`/discounts/${idDiscount}/generate-codes`, { count: 30, prefix: `${mark}-` })
  await post('/discounts/approvals', { idDiscount, amount: 700, reason: `Ждала час ${mark}` })
  return idDiscount
}

async function filialWorld(post: Post, mark: string): Promise<number> {
  const day = { start: '08:00', end: '20:00' }
  const { id: idFilial } = await post('/filials', {
    nameFilial: `Осмотровый филиал ${mark}`,
    filialCode: mark.toUpperCase(),
    workingHours: { monday: day, tuesday: day, saturday: { start: '09:00', end: '15:00' } },
    latitude: 53.195878,
    longitude: 50.100202,
    feedbackToken: mark,
  })
  await post('/filials/rooms', { idFilial, name: 'Процедурная', equipment: 'Кушетки', capacity: 3 })
  await post('/filials/holidays', { idFilial, day: '2027-01-01', reason: 'Новый год' })
  const { id: idKind } = await post('/equipment-kinds', { name: `Аппарат УЗИ ${mark}`, note: 'Экспертного класса' })
  await post('/filials/equipment', { idFilial, idKind, capacity: 2, cleaning: 10, note: 'Инв. № 118 и 119' })
  const { id: idOrganization } = await post('/organizations', { shortName: `Опора ${mark}`, kind: 'insurer' })
  const of = { idOrganization }
  await post('/organizations/accounts', {
    ...of,
    bik: '044525225',
    account: '40702810538000123456',
    bankName: 'Сбербанк',
  })
  await post('/organizations/signatories', { ...of, fio: 'Осмотрова Анна Ивановна', post: 'Директор', basis: 'Устава' })
  await post('/organizations/programmes', { ...of, name: 'Базовая', code: 'Б-1', dateFrom: '2026-01-01' })
  await post('/sequences', {
    name: `Осмотры ${mark}`,
    code: `look-${mark}`,
    mask: '{ФИЛ}-{YYYY}-{000}',
    perFilial: true,
  })
  return idFilial
}

/** A desk with an open shift and a patient with a partly paid debt and a partial refund. */
async function cashWorld(post: Post, mark: string, idFilial: number, idCustomer: number): Promise<number> {
  const { id: idOrganization } = await post('/organizations', { shortName: `Клиника ${mark}`, kind: 'own' })
  const { id: idDesk } = await post('/cash-desks', {
    name: `Касса ${mark}`,
    idFilial,
    idOrganization,
    kktMode: 'simulator',
    terminalMode: 'simulator',
  })
  const key = (name: string) => `${mark}-${name}`
  await post('/cash-shifts/open', { key: key('open'), idDesk })
  const reason = 'Остаток из прежней программы'
  await post('/ledger/correct', { key: key('owed'), idCustomer, idOrganization, kind: 'charge', sum: 5400, reason })
  const parts = [
    { method: 'cash', sum: 1500 },
    { method: 'card', sum: 2000 },
  ]
  const { id } = await post('/payments/take', { key: key('paid'), idDesk, idCustomer, parts, received: 2000 })
  await post(`/payments/${id}/refund`, {
    key: key('back'),
    parts: [{ method: 'cash', sum: 300 }],
    reason: 'Услуга оказана не полностью',
  })
  return idDesk
}

/** A future day of the branch with a doctor's shift, a break and a booked patient. */
async function dayWorld(post: Post, of: { idCustomer: number; idService: number; idFilial: number; idUser: number }) {
  const { idCustomer, idService, idFilial, idUser } = of
  const day = plusDays(dayIn('Europe/Moscow', Date.now()), 5)
  const shift = { idUser, idFilial, localDate: day }
  await post('/staff-events', { ...shift, type: 'shift', localFrom: '09:00', localTo: '15:00' })
  await post('/staff-events', { ...shift, type: 'block', localFrom: '12:00', localTo: '12:30', comment: 'Обед' })
  const { id: visit } = await post('/appointments/book', {
    idCustomer,
    idFilial,
    localDate: day,
    coupons: [{ idUser, localStart: '10:00', services: [{ idService }] }],
    note: 'Просила напомнить утром',
  })
  const lesson = await post('/services', {
    nameService: `Школа здоровья ${visit}`,
    priceService: 900,
    groupSize: 8,
    anyPerformer: true,
  })
  const { id: inGroup } = await post('/appointments/book', {
    idCustomer,
    idFilial,
    localDate: day,
    coupons: [{ idUser, localStart: '13:00', services: [{ idService: lesson.id }] }],
  })
  await post('/waiting-list', { idCustomer, idFilial, idService, urgency: 2, note: 'Удобно до обеда' })
  await post('/waiting-list', { idCustomer, idFilial, idService, clockFrom: '16:00' })
  return { day, visit, inGroup, doctor: idUser }
}

async function taskWorld(call: Call, post: Post, clinic: Clinic, colleague: Person, token: string) {
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

async function salesWorld(call: Call, post: Post, clinic: Clinic, mark: string) {
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

async function regulationWorld(call: Call, post: Post, walker: Person, mark: string) {
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

/** A typical service: with prices, a doctor and own durations. */
async function serviceWorld(
  post: (path: string, body?: object) => Promise<any>,
  doctor: Person,
  mark: string,
): Promise<number> {
  const { id: idGroup } = await post('/services-groups', { nameServiceGroup: `Осмотры ${mark}` })
  const { id } = await post('/services', {
    nameService: `Приём врача, осмотр и консультация ${mark}`,
    code: mark,
    medicalCode: 'B01.047.001',
    priceService: 2100,
    description: '<p>Осмотр, план обследования.</p>',
    preparation: '<p>Возьмите прежние заключения.</p>',
    idGroup,
  })
  const { id: idPriceList } = await post('/price-lists', { name: `Сотрудникам ${mark}`, kind: 'staff' })
  for (const [price, dateFrom] of [
    [1500, '2026-01-01'],
    [1700, '2027-01-01'],
  ])
    await post(`/services/${id}/new-price`, { idPriceList, price, dateFrom })
  await post('/service-performers', { idService: id, idUser: doctor.id })
  await post('/service-durations', { idService: id, minutes: 30, breakAfter: 5 })
  await post('/service-durations', { idService: id, minutes: 45, visit: 'primary' })
  return id
}
