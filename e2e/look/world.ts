import { randomUUID } from 'node:crypto'
import type { Clinic, Person } from '../support.ts'
import {
  callWorld,
  cashWorld,
  dayWorld,
  discountWorld,
  examinationWorld,
  filialWorld,
  patient,
  planWorld,
  serviceWorld,
} from './worldClinic.ts'
import { chatWorld, regulationWorld, salesWorld, siteWorld, taskWorld } from './worldOffice.ts'

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
