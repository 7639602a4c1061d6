/** Bodies of any entity, generated from its declaration, for tests over all entities. */
import { entities } from '@ordinator/model/entities'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { isWritable } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { systemActor } from '#records/actor.ts'
import type { Caller, Clinic } from './harness.ts'

let serial = 0
/** A valid value of the field. */
export const sampleOf = (f: AnyField): unknown => f.sample(++serial)

/**
 * Creates records of any entity, and valid bodies; referenced records are created first.
 * @param admin holds every permission
 */
export function bodiesIn(clinic: Clinic, admin: Caller) {
  /** A complete body with new referenced records, so that nothing conflicts. */
  async function bodyOf(entity: Entity, given: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const special: Record<string, unknown> = { ...(await bodies[entity.path]?.(given)), ...given }
    const body: Record<string, unknown> = {}
    for (const [field, f] of Object.entries(entity.fields)) {
      if (field in special) body[field] = special[field]
      else if (f.options.virtual || (!isWritable(f) && !isServersWord(f))) continue
      else if (isRef(f)) {
        if (f.options.required) body[field] = await made(f.to)
      } else if (f.options.rule === undefined || f.kind === 'text') {
        body[field] = f.options.rule ? undefined : sampleOf(f)
        if (body[field] === undefined) delete body[field]
        if (f.options.required && body[field] === undefined) body[field] = sampleOf(f)
      }
    }
    return body
  }

  /** Required, but written only by the server. */
  const isServersWord = (f: AnyField) => Boolean(f.options.readonly && f.options.required && !f.options.computed)

  async function made(path: string, given: Record<string, unknown> = {}): Promise<number> {
    const entity = (entities as readonly Entity[]).find((e) => e.path === path) as Entity
    return (
      await clinic.context.engine.for({ ...systemActor, id: 1 }).create(entity, (await bodyOf(entity, given)) as never)
    ).id
  }

  const begun = '2024-11-20T10:00:00+03:00'

  /** What fits together only by the area's own rules. */
  const bodies: Record<string, (given: Record<string, unknown>) => Promise<Record<string, unknown>>> = {
    users: async () => ({ login: `login${++serial}` }),
    'user-settings': async () => ({ name: `views:test${++serial}`, idUser: 1 }),
    'tasks-management/executors': taskAndMember,
    'tasks-management/responsible': taskAndMember,
    'tasks-management/polls': async () => ({ dateEnd: '2026-11-21T10:00:00+03:00' }),
    'tasks-management/task-files': async () => ({ idFile: await someFile() }),
    'tasks-management/resources': async () => ({ url: 'https://clinic.ru/plan' }),
    webhooks: async () => ({ url: 'https://example.ru/events', events: [] }),
    'exchange/mappings': async () => ({ idFilial: await made('filials') }),
    'egisz/documents': async () => ({ code: String(++serial), dateFrom: '2026-01-01', dateTo: '2026-12-31' }),
    'egisz/staff': async () => ({ post: String(++serial) }),
    'egisz/editions': async () => ({ code: String(++serial), typeCode: '5', templateId: '1.2.643.5.1.13' }),
    'dictionaries/synonyms': async () => {
      const idDictionary = await made('dictionaries')
      await made('dictionaries/terms', { idDictionary, code: 'A1' })
      return { idDictionary, codes: 'A1' }
    },
    'egisz/dictionaries': async () => ({ oid: `1.2.643.5.1.${++serial}` }),
    'signatures/powers': async () => ({ number: `3f2504e0-4f89-11d3-9a0c-${String(++serial).padStart(12, '0')}` }),
    'clinical-recommendations': async () => ({ codes: 'J00-J06' }),
    'clinical-recommendations/answers': async ({ idChoice }) => {
      const [chosen] = await clinic.db.query<{ id: number }>({
        text: 'select "idRecommendation"::int as id from clinical_recommendations_choices where "id" = $1',
        values: [idChoice ?? 0],
      })
      const idRecommendation = chosen?.id ?? (await made('clinical-recommendations'))
      return {
        idChoice: chosen ? idChoice : await made('clinical-recommendations/choices', { idRecommendation }),
        idCriterion: await made('clinical-recommendations/criteria', { idRecommendation }),
      }
    },
    // A new prompt already has its first version.
    'prompts/versions': async () => ({ number: 100 + ++serial }),
    expenses: async () => ({ month: '2026-11-01' }),
    'expenses/plans': async () => ({ month: '2026-11-01' }),
    'advertising/numbers': async () => ({
      phone: `+7999${String(++serial).padStart(7, '0')}`,
      dateFrom: '2026-01-01',
      dateTo: '2026-12-31',
    }),
    'kpi/plans': async () => ({ month: '2026-11-01' }),
    'payroll/periods': async () => ({ month: '2026-11-01' }),
    'attachment/streets': async () => ({ houseFrom: 1, houseTo: 9 }),
    // It is over, and only the server sets «Перезвонили».
    calls: async () => ({ callType: 1, dateCreate: begun, dateAnswer: begun, dateEnd: begun }),
    appeals: async () => ({ entityType: 'call', idEntity: await made('calls') }),
    'appeal-links': async () => ({ entityType: 'leads', idEntity: await made('sales-management/leads') }),
    // Others would be sealed.
    customers: async () => ({ secretLevel: 'none' }),
    services: async () => ({ active: true }),
    'client/redirects': async () => ({ from: `/from${++serial}`, to: '/to' }),
    organizations: async () => ({ isVatPayer: true }),
    'organizations/accounts': async () => ({
      bik: '044525225',
      account: '40702810538000123456',
      corrAccount: '30101810400000000225',
    }),
    'organizations/programmes': async () => ({ idOrganization: await made('organizations', { kind: 'insurer' }) }),
    moving: async () => ({ idOrganization: await made('organizations', { kind: 'own' }) }),
    'moving/profiles': async () => ({ columns: { customers: { Фамилия: ['FAM'] } } }),
    'cash-desks': async () => ({ idOrganization: await made('organizations', { kind: 'own' }), kktMode: 'none' }),
    'membership-types/items': async () => ({ idService: await made('services') }),
    'payer-contracts': async () => ({
      idPayer: await made('organizations', { kind: 'insurer' }),
      idOrganization: await made('organizations', { kind: 'own' }),
      dateFrom: '2026-01-01',
      dateTo: '2026-12-31',
    }),
    'insured-persons': async () => ({ policy: `ПОЛИС-${++serial}`, dateFrom: '2026-01-01', dateTo: '2026-12-31' }),
    referrers: async () => ({
      idContractor: await made('organizations', { kind: 'contractor', inn: null, phone: null }),
      idOrganization: await made('organizations', { kind: 'own' }),
      dateFrom: '2026-01-01',
      dateTo: '2026-12-31',
    }),
    'guarantee-letters': async () => ({ idInsurer: await made('organizations', { kind: 'insurer' }) }),
    sequences: async () => ({ code: `code${++serial}`, mask: '{ФИЛ}{YYYY}{MM}{DD}-{000}' }),
    'message-templates': async () => ({
      event: 'booking',
      channel: 'sms',
      text: 'Вы записаны',
      delay: 5,
      active: true,
    }),
    messages: async () => ({ key: `message-${++serial}` }),
    'examination-templates/versions': async () => ({ number: 100 + ++serial, form: { sections: [] } }),
    examinations: async () => ({ status: 'draft', values: {}, diagnoses: [], prescriptions: [], recommendations: [] }),
    discounts: async () => ({
      kind: 'promo',
      unit: 'rubles',
      perOrder: true,
      status: 'draft',
      tiers: null,
      giftEvery: null,
    }),
    'discounts/promo-codes': async () => ({ code: `КОД-${++serial}` }),
    'staff-events': async () => ({
      type: 'shift',
      idFilial: await made('filials', { timeZone: 'Europe/Moscow' }),
      localDate: '2026-11-20',
      localFrom: '09:00',
      localTo: '17:00',
      dateFrom: '2026-11-20T06:00:00Z',
      dateTo: '2026-11-20T14:00:00Z',
    }),
    'shift-patterns': async () => ({ cycle: 'week', rows: [{ day: 0, from: '09:00', to: '17:00' }] }),
    appointments: async () => ({ localStart: '10:00' }),
    coupons: async () => ({ localStart: '10:00' }),
    'appointments/groups': async () => ({ localStart: '10:00' }),
    'coupon-services': async () => ({ discount: 0 }),
    'coupon-services/performers': async () => ({ share: 50 }),
    'kpi/definitions': async () => ({ formula: 'визиты / записи' }),
    'appointments/holds': async () => ({
      idFilial: await made('filials', { timeZone: 'Europe/Moscow' }),
      localDate: '2027-11-20',
      localStart: '10:00',
      minutes: 30,
      dateFrom: '2027-11-20T07:00:00Z',
      dateTo: '2027-11-20T07:30:00Z',
    }),
    'reports/mailings': async () => ({ report: 'visits', recipients: [1], asked: {}, what: 'figures', format: 'xlsx' }),
    'laboratory/units': async () => ({ factor: '1/60' }),
    'laboratory/analytes': async () => ({ type: 'number', formula: null }),
    'laboratory/norms': async () => ({
      ageFrom: 0,
      ageTo: 9,
      low: 1,
      high: 2,
      criticalLow: 0,
      criticalHigh: 3,
      sex: 'female',
    }),
    'laboratory/components': async () => ({ idAnalyte: await made('laboratory/analytes'), idPart: null }),
    'laboratory/devices': async () => ({ transport: 'tcp-client', host: 'analyser.local' }),
    'laboratory/device-codes': async () => ({ ignored: true }),
    'laboratory/device-words': async () => ({ isNone: true, value: null }),
    'laboratory/controls': async () => ({ level: 'normal', mean: 5, sd: 0.1 }),
    'laboratory/control-runs': async () => ({ value: '5', valueNum: 5, z: 0, broken: [], rejected: false }),
    'regulations/audience': async () => ({ idUser: 1 }),
    'regulations/runs': async () => ({ idRegulation: await regulationInForce() }),
  }

  async function regulationInForce(): Promise<number> {
    await admin.put('/settings/common', { regulationsOwnApproval: true })
    const { id } = (await admin.post('/regulations/model/create', { name: `Регламент ${++serial}`, stages: [step] }))
      .body
    for (const to of ['review', 'approved', 'active'])
      await admin.post(`/regulations/model/transition?id=${id}`, { to })
    return id
  }
  const step = { title: 'Шаг' }

  async function taskAndMember(): Promise<Record<string, unknown>> {
    const board = (await admin.post('/tasks-management/boards', { name: `Доска ${++serial}` })).body
    const task = (await admin.post('/tasks-management/tasks', { name: 'Задача', idColumn: board.idColumnNew })).body
    const [colleague] = (await admin.get('/users?limit=1&filter[login]=nurse')).body.items
    const member = (await admin.post('/tasks-management/members', { idBoard: board.id, idUser: colleague.id })).body
    return { idTask: task.id, idMember: member.id }
  }

  async function someFile(): Promise<number> {
    const form = new FormData()
    form.set('file', new Blob(['Привет']), 'привет.txt')
    return (await admin.post('/tasks-management/files', form)).body.id
  }
  return { bodyOf, made }
}
