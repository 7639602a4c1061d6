/** Records of the clinic for the screens of the look: patients, examinations, plans, visits, money. */
import { schemes } from '@ordinator/model/identifiers'
import { dayIn, plusDays } from '@ordinator/model/zone'
import type { Person } from '../support.ts'

export type Call = (method: string, path: string, body?: unknown) => Promise<any>
export type Post = (path: string, body?: object) => Promise<any>

export async function patient(post: Post, mark: string): Promise<number> {
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
export async function examinationWorld(post: Post, idCustomer: number, mark: string) {
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
export async function callWorld(call: Call, post: Post, idCustomer: number, mark: string) {
  const { items } = await call('GET', '/calls?filter[hasRecord]=1&limit=1&fields=id')
  const { id: idCause } = await post('/appeals/causes', { name: `Осмотр ${mark}` })
  const { id: appeal } = await post('/appeals', { idCustomer, idCause, description: 'Хочет на приём в субботу' })
  await post('/appeals/tags', { idAppeal: appeal, name: 'VIP' })
  return { call: items[0].id as number, appeal: appeal as number }
}

/** A branch with a room, a day off and a photograph, an insurer with all that hangs on it, a sequence of numbers. */
/** Plans of a child, whose mother signs. */
export async function planWorld(
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
export async function discountWorld(post: Post, mark: string): Promise<number> {
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

export async function filialWorld(post: Post, mark: string): Promise<number> {
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
export async function cashWorld(post: Post, mark: string, idFilial: number, idCustomer: number): Promise<number> {
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
export async function dayWorld(
  post: Post,
  of: { idCustomer: number; idService: number; idFilial: number; idUser: number },
) {
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

/** A typical service: with prices, a doctor and own durations. */
export async function serviceWorld(
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
