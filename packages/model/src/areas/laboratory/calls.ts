/** Calls of the laboratory beyond the records engine: orders and tubes, values and checks, devices, figures. */
import { z } from 'zod'
import { call, day, id, idParams, idText, onceKey, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { catalogueAccess, deviceAccess, ordersEdit, ordersView, resultsView } from './access.ts'
import { LabControlRun } from './control.ts'
import { messageStates, type strayReasons } from './device.ts'
import { LabOrder } from './order.ts'
import { LabShipment } from './sample.ts'
import { cancelReasons, itemStatuses, rejectReasons, resultStatuses, sampleStatuses, sampleSteps } from './states.ts'
import { flags } from './values.ts'
import { biomaterials, sections, temperatures, urgencies } from './words.ts'

const words = (most: number) => z.string().trim().max(most, messages.maxLength(most))
const order = rowOf(LabOrder)
/** Limits: tests of an order, and values per request. */
export const MAX_TESTS = 100
export const MAX_VALUES = 500
/** Limits: lines of a work list, and of a device log. */
export const MAX_ROWS = 200
export const MAX_LOG = 100
/** Maximum tubes per print of labels. */
export const MAX_LABELS = 200

const tests = z.array(id).min(1, 'Выберите исследования').max(MAX_TESTS, messages.listMax(MAX_TESTS))

const tube = z.object({
  laboratory: z.string(),
  biomaterial: oneOf(biomaterials),
  container: z.string().nullable(),
  cap: z.string().nullable(),
  additive: z.string().nullable(),
  tempMode: oneOf(temperatures),
  volume: z.number(),
  tests: z.array(z.string()),
})
const flag = oneOf(flags).nullable()

/** Facts of an order for norms and doctors. */
const facts = {
  idDoctor: id.nullable().optional(),
  urgency: oneOf(urgencies).optional(),
  plannedAt: z.iso.datetime({ offset: true }).nullable().optional(),
  diagnosis: words(16).nullable().optional(),
  pregnancyWeeks: z.int().min(1).max(44).nullable().optional(),
  cycleDay: z.int().min(1).max(60).nullable().optional(),
  fasting: z.boolean().optional(),
  medication: words(1000).nullable().optional(),
  comment: words(2000).nullable().optional(),
}
/** Source of an order; the user must have access to it. */
const sources = {
  idAppointment: id.nullable().optional(),
  idLead: id.nullable().optional(),
  idPlan: id.nullable().optional(),
  idExamination: id.nullable().optional(),
  idFormer: id.nullable().optional(),
}

const sampleLine = z.object({
  id: z.int(),
  barcode: z.string(),
  status: oneOf(sampleStatuses),
  idOrder: z.int(),
  number: z.string().nullable(),
  patient: z.string(),
  birthday: z.string().nullable(),
  urgency: oneOf(urgencies),
  laboratory: z.string(),
  container: z.string().nullable(),
  cap: z.string().nullable(),
  biomaterial: oneOf(biomaterials),
  tempMode: oneOf(temperatures),
  tests: z.string(),
  rack: z.string().nullable(),
  place: z.string().nullable(),
  takenAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  /** Tubes of the same order that still need this step. */
  left: z.int(),
})
export type SampleLine = z.infer<typeof sampleLine>

const cell = z.object({
  idResult: z.int().nullable(),
  value: z.string().nullable(),
  unit: z.string().nullable(),
  normText: z.string().nullable(),
  flag,
  delta: z.number().nullable(),
  status: oneOf(resultStatuses).nullable(),
  former: z.string().nullable(),
  formerAt: z.string().nullable(),
  comment: z.string().nullable(),
  device: z.string().nullable(),
  deviceFlags: z.string().nullable(),
  /** Other values of the same tube to choose from. */
  others: z.array(z.object({ id: z.int(), value: z.string(), device: z.string().nullable() })),
  needsCall: z.boolean(),
  /** Held by a failed control. */
  held: z.boolean(),
  derived: z.boolean(),
})
export type MatrixCell = z.infer<typeof cell>

const analyte = z.object({
  id: z.int(),
  name: z.string(),
  shortName: z.string().nullable(),
  code: z.string(),
  unit: z.string().nullable(),
  type: z.string(),
  decimals: z.int(),
  choices: z.array(z.object({ value: z.string(), normal: z.boolean() })),
  derived: z.boolean(),
})
export type MatrixAnalyte = z.infer<typeof analyte>

const matrixRow = z.object({
  idOrder: z.int(),
  number: z.string().nullable(),
  idCustomer: z.int(),
  patient: z.string(),
  birthday: z.string().nullable(),
  sex: z.string().nullable(),
  urgency: oneOf(urgencies),
  takenAt: z.string().nullable(),
  dueAt: z.string().nullable(),
  barcodes: z.string(),
  /** By analyte id: the line of the order and its value. */
  cells: z.record(z.string(), z.object({ idItem: z.int(), ...cell.shape })),
})
export type MatrixRow = z.infer<typeof matrixRow>

const point = z.object({
  id: z.int(),
  takenAt: z.string(),
  value: z.string(),
  number: z.number().nullable(),
  unit: z.string().nullable(),
  normText: z.string().nullable(),
  flag,
  idOrder: z.int(),
  order: z.string().nullable(),
})

const written = z.object({ count: z.int() })
const ids = z.array(id).min(1).max(MAX_VALUES, messages.listMax(MAX_VALUES))

export const laboratoryCalls = {
  quote: call({
    method: 'POST',
    path: '/laboratory/orders/quote',
    summary: 'Что даст заказ этих исследований: цены, сроки, подготовка, пробирки; ничего не записывает',
    access: ordersEdit,
    body: z.strictObject({ tests, idFilial: id, urgency: oneOf(urgencies).optional() }),
    answer: z.object({
      lines: z.array(
        z.object({
          idTest: z.int(),
          name: z.string(),
          laboratory: z.string(),
          isPanel: z.boolean(),
          /** Rubles; null: the test has no service and cannot be sold. */
          price: z.number().nullable(),
          dueAt: z.string(),
          preparation: z.string().nullable(),
          /** A panel of the same order that contains the test. */
          within: z.string().nullable(),
        }),
      ),
      total: z.number(),
      dueAt: z.string(),
      preparation: z.array(z.object({ text: z.string(), tests: z.array(z.string()) })),
      tubes: z.array(tube),
    }),
  }),
  place: call({
    method: 'POST',
    once: true,
    path: '/laboratory/orders/place',
    summary:
      'Новый заказ анализов: исследования становятся услугами талона визита (своего или указанного), пробирки рассчитываются; draft оставляет черновиком',
    access: ordersEdit,
    status: 201,
    body: z.strictObject({
      key: onceKey.optional(),
      idCustomer: id,
      idFilial: id,
      tests,
      draft: z.boolean().optional(),
      ...facts,
      ...sources,
    }),
    answer: order,
  }),
  confirm: call({
    method: 'POST',
    path: '/laboratory/orders/:id/place',
    summary: 'Черновик заказа оформлен',
    access: ordersEdit,
    params: idParams,
    body: z.strictObject({ _version: z.int().optional() }),
    answer: order,
  }),
  cancel: call({
    method: 'POST',
    path: '/laboratory/orders/:id/cancel',
    summary:
      'Заказ (или названные исследования) отменён до начала работы; услуги талона снимаются, оплаченное возвращает касса',
    access: ordersEdit,
    params: idParams,
    body: z.strictObject({
      reason: oneOf(cancelReasons),
      note: words(500).nullable().optional(),
      items: z.array(id).max(MAX_TESTS).optional(),
      _version: z.int().optional(),
    }),
    answer: order,
  }),
  issue: call({
    method: 'POST',
    path: '/laboratory/orders/:id/issue',
    summary:
      'Результат выдан: на бумаге, письмом, в личный кабинет или в переписку (кроме бумаги — с согласия пациента)',
    access: 'issueLabResults',
    params: idParams,
    body: z.strictObject({ by: z.enum(['paper', 'email', 'portal', 'chat']) }),
    answer: order,
  }),
  paper: call({
    method: 'GET',
    path: '/laboratory/orders/:id/paper',
    summary:
      'Бумага заказа: order — заказ с ценами и подготовкой, referral — направление, contract — договор, result — бланк результата',
    access: ordersView,
    params: idParams,
    query: z.object({ kind: z.enum(['order', 'referral', 'contract', 'result']).default('order') }),
    file: 'application/pdf',
  }),
  partnerPaper: call({
    method: 'GET',
    path: '/laboratory/orders/:id/partner-paper',
    summary: 'Бланк результата лаборатории-партнёра, PDF',
    access: ordersView,
    params: idParams,
    file: 'application/pdf',
  }),
  labels: call({
    method: 'GET',
    path: '/laboratory/orders/:id/labels',
    summary: 'Этикетки пробирок заказа, 58 × 40 мм, Code 128',
    access: ordersView,
    params: idParams,
    file: 'application/pdf',
  }),
  zpl: call({
    method: 'GET',
    path: '/laboratory/orders/:id/zpl',
    summary: 'Те же этикетки на языке принтеров ZPL',
    access: ordersView,
    params: idParams,
    answer: z.object({ zpl: z.string() }),
  }),
  scan: call({
    method: 'POST',
    path: '/laboratory/samples/scan',
    summary: 'Сканирование пробирки: шаг sampleSteps; без шага только показывает её',
    access: [...ordersView, 'takeLabSamples'],
    body: z.strictObject({
      code: words(64).min(1, 'Отсканируйте штрихкод'),
      step: oneOf(sampleSteps).optional(),
      idShipment: id.optional(),
      rack: words(32).optional(),
      place: words(16).optional(),
      reason: oneOf(rejectReasons).optional(),
      note: words(500).optional(),
    }),
    answer: sampleLine,
  }),
  waiting: call({
    method: 'GET',
    path: '/laboratory/samples/waiting',
    summary: 'Пробы в состоянии, от давних к новым: что ещё не взято, не упаковано, не принято',
    access: ordersView,
    query: z.object({ status: oneOf(sampleStatuses), idFilial: idText.optional() }),
    answer: z.object({ items: z.array(sampleLine), total: z.int() }),
  }),
  ship: call({
    method: 'POST',
    path: '/laboratory/shipments/:id/ship',
    summary: 'Контейнер отправлен: акт передачи с температурой и курьером; заказы уходят партнёру',
    access: 'takeLabSamples',
    params: idParams,
    body: z.strictObject({
      temperature: z.number().min(-100).max(60),
      courier: words(128).min(1, 'Укажите курьера'),
      /** Sends although the temperature is outside the mode. */
      anyway: z.boolean().optional(),
    }),
    answer: rowOf(LabShipment),
  }),
  act: call({
    method: 'GET',
    path: '/laboratory/shipments/:id/act',
    summary: 'Акт передачи биоматериала с маршрутным листом, PDF',
    access: ordersView,
    params: idParams,
    file: 'application/pdf',
  }),
  matrix: call({
    method: 'GET',
    path: '/laboratory/results/matrix',
    summary: 'Рабочий список: пациенты × показатели отдела, прибора, срочности',
    access: resultsView,
    query: z.object({
      section: oneOf(sections).optional(),
      idDevice: idText.optional(),
      urgency: oneOf(urgencies).optional(),
      /** Work to list: values to enter, technical approval, medical approval, or all. */
      stage: z.enum(['enter', 'technical', 'medical', 'all']).default('all'),
      search: words(64).optional(),
      idOrder: idText.optional(),
    }),
    answer: z.object({ analytes: z.array(analyte), rows: z.array(matrixRow), isMore: z.boolean() }),
  }),
  enter: call({
    method: 'POST',
    path: '/laboratory/results/enter',
    summary: 'Значения введены вручную; расчётные показатели пересчитываются. Подтверждённое не меняется',
    access: 'enterLabResults',
    body: z.strictObject({
      values: z
        .array(
          z.strictObject({
            idItem: id,
            idAnalyte: id,
            value: words(1000),
            comment: words(1000).nullable().optional(),
          }),
        )
        .min(1)
        .max(MAX_VALUES, messages.listMax(MAX_VALUES)),
    }),
    answer: written,
  }),
  technical: call({
    method: 'POST',
    path: '/laboratory/results/technical',
    summary: 'Значения проверены технически',
    access: 'enterLabResults',
    body: z.strictObject({ ids }),
    answer: written,
  }),
  medical: call({
    method: 'POST',
    path: '/laboratory/results/medical',
    summary: 'Значения подтверждены врачом и опубликованы; критические — только после звонка',
    access: 'approveLabResults',
    body: z.strictObject({ ids }),
    answer: written,
  }),
  back: call({
    method: 'POST',
    path: '/laboratory/results/back',
    summary: 'Значения возвращены на проверку (ещё не опубликованные)',
    access: resultsView,
    body: z.strictObject({ ids, reason: words(500).optional() }),
    answer: written,
  }),
  repeat: call({
    method: 'POST',
    path: '/laboratory/results/repeat',
    summary: 'Измерить заново: место пусто, прежнее значение остаётся рядом',
    access: resultsView,
    body: z.strictObject({ ids, reason: words(500).optional() }),
    answer: written,
  }),
  choose: call({
    method: 'POST',
    path: '/laboratory/results/:id/choose',
    summary: 'Из нескольких значений одной пробы основным выбрано это',
    access: 'enterLabResults',
    params: idParams,
    answer: written,
  }),
  correct: call({
    method: 'POST',
    path: '/laboratory/results/:id/correct',
    summary: 'Опубликованное значение исправлено: остаются оба, с причиной',
    access: 'approveLabResults',
    params: idParams,
    body: z.strictObject({
      value: words(1000).min(1, messages.required),
      reason: words(500).min(1, messages.required),
    }),
    answer: z.object({ id: z.int() }),
  }),
  critical: call({
    method: 'POST',
    path: '/laboratory/results/:id/critical',
    summary: 'О критическом значении сообщили: кому, когда, повторили ли в ответ',
    access: resultsView,
    params: idParams,
    body: z.strictObject({
      to: words(255).min(1, 'Укажите, кому сообщили'),
      at: z.iso.datetime({ offset: true }),
      readBack: z.literal(true, 'Попросите повторить значение в ответ'),
    }),
    answer: written,
  }),
  criticals: call({
    method: 'GET',
    path: '/laboratory/results/criticals',
    summary: 'Критические значения, о которых ещё никому не сообщили',
    access: [...resultsView, ...ordersView],
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          idOrder: z.int(),
          number: z.string().nullable(),
          patient: z.string(),
          doctor: z.string().nullable(),
          phone: z.string().nullable(),
          analyte: z.string(),
          value: z.string(),
          unit: z.string().nullable(),
          normText: z.string().nullable(),
          flag,
          since: z.string(),
        }),
      ),
    }),
  }),
  history: call({
    method: 'GET',
    path: '/laboratory/results/history',
    summary: 'Опубликованные значения показателя у пациента, от новых к старым',
    access: [...ordersView, ...resultsView],
    query: z.object({ idCustomer: idText, idAnalyte: idText }),
    answer: z.object({
      analyte,
      norm: z.object({ low: z.number().nullable(), high: z.number().nullable() }),
      points: z.array(point),
    }),
  }),
  ofCustomer: call({
    method: 'GET',
    path: '/laboratory/customers/:id/results',
    summary: 'Последние опубликованные значения каждого показателя пациента, с прошлым',
    access: [...ordersView, ...resultsView],
    params: idParams,
    answer: z.object({
      items: z.array(
        z.object({
          idAnalyte: z.int(),
          name: z.string(),
          section: oneOf(sections),
          former: z.string().nullable(),
          delta: z.number().nullable(),
          ...point.shape,
        }),
      ),
    }),
  }),
  lines: call({
    method: 'GET',
    path: '/laboratory/orders/:id/lines',
    summary: 'Исследования заказа с пробами и опубликованными значениями (работникам лаборатории — со всеми)',
    access: ordersView,
    params: idParams,
    answer: z.object({
      /** As chosen: a panel stays a panel. */
      chosen: z.array(z.object({ id: z.int(), name: z.string() })),
      items: z.array(
        z.object({
          id: z.int(),
          idTest: z.int(),
          name: z.string(),
          panel: z.string().nullable(),
          laboratory: z.string(),
          isPartner: z.boolean(),
          status: oneOf(itemStatuses),
          dueAt: z.string().nullable(),
          price: z.number().nullable(),
          paid: z.number().nullable(),
          idSample: z.int().nullable(),
          values: z.array(
            z.object({
              id: z.int(),
              idAnalyte: z.int(),
              name: z.string(),
              value: z.string(),
              unit: z.string().nullable(),
              normText: z.string().nullable(),
              flag,
              delta: z.number().nullable(),
              status: oneOf(resultStatuses),
              comment: z.string().nullable(),
              former: z.string().nullable(),
              reason: z.string().nullable(),
              needsCall: z.boolean(),
            }),
          ),
        }),
      ),
      /** The partner's report was received. */
      hasPartnerPaper: z.boolean(),
      samples: z.array(
        z.object({
          id: z.int(),
          barcode: z.string(),
          status: oneOf(sampleStatuses),
          container: z.string().nullable(),
          cap: z.string().nullable(),
          biomaterial: oneOf(biomaterials),
          tempMode: oneOf(temperatures),
          rejectReason: oneOf(rejectReasons).nullable(),
          steps: z.array(
            z.object({
              status: oneOf(sampleStatuses),
              at: z.string(),
              author: z.string().nullable(),
              note: z.string().nullable(),
            }),
          ),
        }),
      ),
    }),
  }),
  lamps: call({
    method: 'GET',
    path: '/laboratory/devices/lamps',
    summary: 'Связь с анализаторами: слушает ли порт, молчит ли, сколько байт ждёт конца сообщения',
    access: deviceAccess.view,
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          state: z.enum(['ok', 'quiet', 'waiting', 'error', 'off']),
          words: z.string(),
          connections: z.int(),
          lastSeen: z.string().nullable(),
          open: z.int(),
        }),
      ),
    }),
  }),
  log: call({
    method: 'GET',
    path: '/laboratory/devices/:id/log',
    summary: 'Журнал прибора: сообщения как они пришли, от новых к старым',
    access: deviceAccess.view,
    params: idParams,
    query: z.object({ before: idText.optional() }),
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          at: z.string(),
          state: oneOf(messageStates),
          direction: z.enum(['in', 'out']),
          bytes: z.int(),
          text: z.string(),
          cut: z.boolean(),
          note: z.string().nullable(),
          results: z.int(),
        }),
      ),
      next: z.int().nullable(),
    }),
  }),
  reread: call({
    method: 'POST',
    path: '/laboratory/log/:id/reread',
    summary: 'Сообщение прибора разобрать заново — после исправления кодов',
    access: 'editLaboratories',
    params: idParams,
    answer: z.object({ results: z.int(), strays: z.int() }),
  }),
  resend: call({
    method: 'POST',
    path: '/laboratory/samples/:id/resend',
    summary: 'Отправить задание пробы анализатору ещё раз (двусторонний обмен)',
    access: 'enterLabResults',
    params: idParams,
    body: z.strictObject({ idDevice: id }),
    answer: z.object({ sent: z.boolean() }),
  }),
  settleStray: call({
    method: 'POST',
    path: '/laboratory/strays/:id/settle',
    summary: 'Значение из неразобранного отнесено человеком к пробе и показателю',
    access: 'enterLabResults',
    params: idParams,
    body: z.strictObject({
      barcode: words(12).optional(),
      idAnalyte: id.optional(),
      /** In the analyte's unit; absent: unchanged. */
      value: words(1000).optional(),
      drop: z.boolean().optional(),
    }),
    answer: z.object({ status: z.string() }),
  }),
  partnerPrice: call({
    method: 'GET',
    path: '/laboratory/list/:id/price',
    summary: 'Прайс партнёра рядом со своими исследованиями и услугами: что нашлось по коду, разница, маржа',
    access: catalogueAccess.update,
    params: idParams,
    answer: z.object({
      items: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          cost: z.number(),
          termDays: z.int(),
          idTest: z.int().nullable(),
          ownCost: z.number().nullable(),
          price: z.number().nullable(),
          /** By the laboratory's rule: cost plus a percent. */
          advised: z.number().nullable(),
          margin: z.number().nullable(),
          state: z.enum(['new', 'same', 'changed', 'gone']),
        }),
      ),
    }),
  }),
  takePrice: call({
    method: 'POST',
    path: '/laboratory/list/:id/price',
    summary: 'Прайс партнёра принят: себестоимость и сроки найденных исследований, новые добавляются',
    access: catalogueAccess.update,
    params: idParams,
    body: z.strictObject({ codes: z.array(words(64)).min(1).max(2000) }),
    answer: z.object({ changed: z.int(), created: z.int() }),
  }),
  takeNsi: call({
    method: 'POST',
    path: '/laboratory/units/nsi',
    summary:
      'Единицы измерения из справочника НСИ 1358: строки как их отдаёт служба (list из column и value) или по именам колонок',
    access: 'editLaboratories',
    query: z.object({}),
    bodyType: 'raw',
    bodyLimit: 8 * 1024 * 1024,
    body: z.unknown(),
    answer: z.object({ created: z.int(), changed: z.int(), skipped: z.int() }),
  }),
  chart: call({
    method: 'GET',
    path: '/laboratory/controls/:id/chart',
    summary: 'Контрольная карта: измерения контроля, среднее и границы, нарушенные правила Вестгарда',
    access: [...resultsView, 'editLaboratories'],
    params: idParams,
    answer: z.object({
      name: z.string(),
      analyte: z.string(),
      device: z.string(),
      level: z.string(),
      lot: z.string(),
      unit: z.string().nullable(),
      expiresOn: z.string().nullable(),
      mean: z.number().nullable(),
      sd: z.number().nullable(),
      tea: z.number().nullable(),
      expected: z.string().nullable(),
      observedMean: z.number().nullable(),
      observedSd: z.number().nullable(),
      sigma: z.number().nullable(),
      runs: z.array(rowOf(LabControlRun)),
    }),
  }),
  controlStates: call({
    method: 'GET',
    path: '/laboratory/controls/states',
    summary: 'Контроли с последним измерением и тем, что они держат',
    access: [...resultsView, 'editLaboratories'],
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          analyte: z.string(),
          device: z.string(),
          level: z.string(),
          lot: z.string(),
          lastAt: z.string().nullable(),
          lastValue: z.string().nullable(),
          broken: z.array(z.string()),
          rejected: z.boolean(),
          expired: z.boolean(),
          held: z.int(),
        }),
      ),
    }),
  }),
  figures: call({
    method: 'GET',
    path: '/laboratory/figures',
    summary: 'Показатели лаборатории за период: срок выполнения, брак, доля в срок, себестоимость и маржа',
    access: ['viewLaboratoriesOrders'],
    query: z.object({ from: day, to: day, idFilial: idText.optional() }),
    answer: z.object({
      orders: z.int(),
      tests: z.int(),
      /** Hours from the draw to the publication. */
      tatMedian: z.number().nullable(),
      tatP90: z.number().nullable(),
      /** Per cent. */
      inTerm: z.number().nullable(),
      samples: z.int(),
      rejected: z.int(),
      rejectShare: z.number().nullable(),
      revenue: z.number(),
      cost: z.number(),
      margin: z.number(),
      byReason: z.array(z.object({ reason: oneOf(rejectReasons), count: z.int() })),
      byLaboratory: z.array(
        z.object({
          idLaboratory: z.int(),
          name: z.string(),
          tests: z.int(),
          tatMedian: z.number().nullable(),
          tatP90: z.number().nullable(),
          inTerm: z.number().nullable(),
          revenue: z.number(),
          cost: z.number(),
          margin: z.number(),
        }),
      ),
      byDay: z.array(z.object({ day: z.string(), tests: z.int(), tatMedian: z.number().nullable() })),
    }),
  }),
  now: call({
    method: 'GET',
    path: '/laboratory/now',
    summary: 'Что ждёт в лаборатории сейчас: пробы, значения, критические, просроченные, неразобранное, контроль',
    access: ['viewLaboratoriesOrders'],
    answer: z.object({
      toTake: z.int(),
      toPack: z.int(),
      onTheWay: z.int(),
      toEnter: z.int(),
      toConfirm: z.int(),
      critical: z.int(),
      late: z.int(),
      strays: z.int(),
      heldControls: z.int(),
      retakes: z.int(),
    }),
  }),
}
export type StrayWords = keyof typeof strayReasons
