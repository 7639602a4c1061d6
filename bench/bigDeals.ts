/** Two funnels of the same shape, one a hundred times larger. */
import type { Making } from './bigTasks.ts'
import { matters, paragraph, personName, type Random, seeded, tagNames, wishName } from './words.ts'

/** A seller: reads and changes deals, without other rights on them. */
export const SELLER = 'bench-3'

export interface BenchFunnel {
  id: number
  idStages: number[]
  /** Deal `i` is in stage `i` modulo the number of stages, in this order. */
  idDeals: number[]
}

const BIG = 20_000
const SMALL = 200
const STAGES = [
  ['Новая заявка', 1],
  ['Связались', 1],
  ['Записан на приём', 1],
  ['Подтвердил визит', 1],
  ['Пришёл на приём', 2],
  ['Отказ', 3],
] as const
const LOSS = 3
const SERVICES = 20
const DAY = 86_400_000

interface Deal {
  id: number
  idStage: number
  isLost: boolean
  price: number | null
  order: number
  came: string
}

export async function deals(making: Making): Promise<void> {
  await seller(making)
  const idReason = await making.firstId('sales_management_loss_reasons')
  await making.copy('sales_management_loss_reasons', ['id', 'name'], [[idReason, 'Дорого']])
  const idService = await services(making)
  const lead = await making.firstId('sales_management_leads')
  const big = await funnel(making, 'Замер: 20 000 сделок', lead, BIG)
  const small = await funnel(making, 'Замер: 200 сделок', lead + BIG, SMALL)
  making.data.bigFunnel = big.funnel
  making.data.smallFunnel = small.funnel
  const all = [...big.deals, ...small.deals]
  await leads(making, all, idReason)
  await parts(making, all)
  await offers(making, all, idService)
}

async function seller({ data, copy, firstId }: Making): Promise<void> {
  const role = await firstId('roles')
  const permissions = ['viewSalesManagement', 'editSalesManagement']
  await copy('roles', ['id', 'name', 'permissions'], [[role, `Замер: сделки (${role})`, permissions]])
  const idUser = data.idUsers[2] as number
  await copy('user_roles', ['id', 'idUser', 'idRole'], [[await firstId('user_roles'), idUser, role]])
}

/** @returns the first id of `SERVICES` */
async function services({ data, copy, firstId }: Making): Promise<number> {
  const first = await firstId('services')
  await copy(
    'services',
    ['id', 'nameService', 'priceService', 'userCreate', 'userChange'],
    Array.from({ length: SERVICES }, (_, i) => [
      first + i,
      `Приём: ${matters[i % matters.length]}`,
      1000 + 150 * i,
      data.idAdmin,
      data.idAdmin,
    ]),
  )
  return first
}

async function funnel(
  { copy, firstId }: Making,
  name: string,
  lead: number,
  count: number,
): Promise<{ funnel: BenchFunnel; deals: Deal[] }> {
  const random = seeded(count)
  const id = await firstId('sales_management_funnels')
  await copy('sales_management_funnels', ['id', 'name', 'order'], [[id, name, id]])
  const first = await firstId('sales_management_stages')
  await copy(
    'sales_management_stages',
    ['id', 'name', 'order', 'idFunnel', 'idType'],
    STAGES.map(([stage, type], i) => [first + i, stage, i + 1, id, type]),
  )
  const made = Array.from({ length: count }, (_, i): Deal => {
    const stage = i % STAGES.length
    return {
      id: lead + i,
      idStage: first + stage,
      isLost: STAGES[stage]?.[1] === LOSS,
      price: random.chance(0.9) ? 500 + random.below(200_000) / 4 : null,
      order: i + 1,
      came: new Date(Date.now() - random.below(60 * DAY)).toISOString(),
    }
  })
  return {
    funnel: { id, idStages: STAGES.map((_, i) => first + i), idDeals: made.map((deal) => deal.id) },
    deals: made,
  }
}

async function leads({ data, copy, firstId }: Making, all: readonly Deal[], idReason: number): Promise<void> {
  const random = seeded(8)
  await copy(
    'sales_management_leads',
    [
      ...['id', 'title', 'description', 'order', 'price', 'idStage', 'dateStage', 'dateCreate'],
      ...['nextStep', 'dateNextStep', 'idLossReason', 'idUser'],
    ],
    all.map(({ id, idStage, isLost, price, order, came }) => {
      const step = random.chance(0.5)
      return [
        ...[id, wishName(random), `<p>${paragraph(random)}</p>`, order, price, idStage, came, came],
        ...[step ? 'Перезвонить' : null, step ? nextYear(random) : null],
        ...[isLost ? idReason : null, random.pick(data.idUsers)],
      ]
    }),
  )
  const visit = await firstId('sales_management_lead_visits')
  await copy(
    'sales_management_lead_visits',
    ['id', 'idLead', 'idStage', 'dateStart'],
    all.map(({ id, idStage, came }, i) => [visit + i, id, idStage, came]),
  )
}

/** Far enough in the future for no reminder during a benchmark. */
const nextYear = (random: Random): string => new Date(Date.now() + (300 + random.below(100)) * DAY).toISOString()

async function parts({ data, copy, firstId }: Making, all: readonly Deal[]): Promise<void> {
  const random = seeded(9)
  const contact = await firstId('sales_management_contacts')
  await copy(
    'sales_management_contacts',
    ['id', 'surname', 'name', 'middleName', 'phone', 'idLead'],
    all.map(({ id }, i) => {
      const { surname, name, middleName } = personName(random)
      return [contact + i, surname, name, middleName, `+79${String(100_000_000 + id)}`, id]
    }),
  )
  const responsible = await firstId('sales_management_responsible')
  await copy(
    'sales_management_responsible',
    ['id', 'idLead', 'idUser'],
    all.map(({ id }, i) => [responsible + i, id, random.pick(data.idUsers)]),
  )
  const tag = await firstId('sales_management_tags')
  const tagged = all.flatMap(({ id }) => Array.from({ length: random.below(3) }, (_, k) => ({ id, k })))
  await copy(
    'sales_management_tags',
    ['id', 'name', 'color', 'idLead'],
    tagged.map(({ id, k }, i) => [tag + i, tagNames[(id + k) % tagNames.length], '#12b886', id]),
  )
}

/** A third of the deals has an offer with two services. */
async function offers({ data, copy, firstId }: Making, all: readonly Deal[], idService: number): Promise<void> {
  const random = seeded(10)
  const offered = all.filter(() => random.chance(1 / 3))
  const offer = await firstId('sales_management_offers')
  await copy(
    'sales_management_offers',
    ['id', 'name', 'idLead', 'idUser'],
    offered.map(({ id }, i) => [offer + i, 'Предложение', id, random.pick(data.idUsers)]),
  )
  const line = await firstId('sales_management_offer_services')
  await copy(
    'sales_management_offer_services',
    ['id', 'idOffer', 'idService', 'price', 'idStatus'],
    offered.flatMap((_, i) =>
      [0, 1].map((k) => [
        line + i * 2 + k,
        offer + i,
        idService + random.below(SERVICES),
        1000 + random.below(9000),
        random.chance(0.5) ? 1 : 4,
      ]),
    ),
  )
}
